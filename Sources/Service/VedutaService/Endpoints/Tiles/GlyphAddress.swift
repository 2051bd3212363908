import Bytes
import HTTPMessage
import MapTiles

/// The path `/fonts/{stack}/{first}-{last}.pbf`.
struct GlyphAddress: Equatable, Sendable {
    static let path: StaticString = "/fonts/"
    private static let shape =
        "FONTS/{first}-{last}.pbf with one to 8 names of fonts and a range such as 0-255, 256-511"
    private static let stackLimit = 400
    private static let fontLimit = 8

    /// Names joined by commas.
    let stack: String
    /// A multiple of 256, below 65,536.
    let first: UInt32

    init(_ target: RequestTarget) throws(EndpointError) {
        let path = DescribedPath.decoded(String(target.path.dropFirst(Self.path.utf8CodeUnitCount))) ?? ""
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].unicodeScalars.count <= Self.stackLimit, parts[1].hasSuffix(".pbf") else {
            throw .tilePath(.malformed(allowed: Self.shape))
        }
        let names = parts[0].split(separator: ",", omittingEmptySubsequences: false)
        let ends = parts[1].dropLast(4).split(separator: "-", omittingEmptySubsequences: false)
        guard !names.contains(where: \.isEmpty), names.count <= Self.fontLimit, ends.count == 2,
            ends.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 5 && $0.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } })
        else { throw .tilePath(.malformed(allowed: Self.shape)) }
        guard let first = UInt32(ends[0]), first % GlyphRangeFile.count == 0, first <= 0xFF00,
            ends[0] == "\(first)", ends[1] == "\(first + GlyphRangeFile.count - 1)"
        else { throw .tilePath(.noSuchTile) }
        (stack, self.first) = (String(parts[0]), first)
    }

    var canonical: String {
        "\(Self.path)\(PercentEncoding.encoded(stack, keeping: ","))/\(first)-\(first + GlyphRangeFile.count - 1).pbf"
    }
}
