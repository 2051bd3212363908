import Bytes
import HTTPMessage
import MapTiles

/// The path `/sprites/{style}/{sprite}[@2x].{json|png}`.
struct SpriteAddress: Equatable, Sendable {
    static let path = "/sprites/"
    private static let lengthLimit = 512

    let style: String
    let sprite: String
    /// `@2x` or nothing.
    let ratio: String
    let isIndex: Bool

    init(_ target: RequestTarget) throws(EndpointError) {
        // Names of sheets are any text, and may have slashes.
        let parts = target.path.dropFirst(Self.path.utf8.count).split(separator: "/", omittingEmptySubsequences: false)
            .map { DescribedPath.decoded(String($0)) ?? "" }
        guard parts.allSatisfy({ $0.utf8.count <= Self.lengthLimit }), parts.count == 2, !parts[0].isEmpty,
            let ending = [".json", ".png"].first(where: { parts[1].hasSuffix($0) })
        else { throw .tilePath(.malformed(allowed: "STYLE/SPRITE[@2x].json, or the same with .png")) }
        var name = parts[1].dropLast(ending.utf8.count)
        isIndex = ending == ".json"
        ratio = name.hasSuffix("@2x") ? "@2x" : ""
        name = name.dropLast(ratio.utf8.count)
        guard !name.isEmpty else {
            throw .tilePath(.malformed(allowed: "STYLE/SPRITE[@2x].json, or the same with .png"))
        }
        (style, sprite) = (parts[0], String(name))
    }

    var canonical: String {
        let name = PercentEncoding.encoded(style) + "/" + PercentEncoding.encoded(sprite)
        return Self.path + name + ending
    }

    var ending: String { ratio + (isIndex ? ".json" : ".png") }
}
