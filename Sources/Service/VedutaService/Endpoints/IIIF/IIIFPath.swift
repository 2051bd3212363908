import Bytes
import HTTPMessage
import Parameters

/// What a path below `/iiif/` names: an image of the IIIF Image API 2.1 or 3.0, what is known of it, or a manifest of the
/// Presentation API 3.0.
///
/// Slashes of an id may be encoded, as the standard wants, or not. `;page=3` behind an id names a page of a document.
struct IIIFPath: Equatable, Sendable {
    enum Version: Int, Sendable {
        case two = 2
        case three = 3

        /// Of the profile, which images and descriptions name in `Link`.
        var profile: String { "http://iiif.io/api/image/\(rawValue)/level2.json" }
    }

    enum Resource: Equatable, Sendable {
        /// The address of the image itself, which leads to its description.
        case image(Version)
        case description(Version)
        /// Region, size, rotation, and quality with format, as written.
        case part(Version, [String])
        case manifest
    }

    let resource: Resource
    let id: String
    /// From 1.
    let page: Int?

    /// Whether the answer tells of the image what `/assets/{id}` and its pages tell.
    var tellsFacts: Bool {
        switch resource {
        case .description, .manifest: true
        case .image, .part: false
        }
    }

    static let prefix = "/iiif/"
    private static let manifestPrefix = "manifest/"
    private static let descriptionName = "info.json"
    private static let pageMark = ";page="
    /// As of `page` of `/asset`.
    private static let pageLimit = 100_000

    /// nil: nothing is at this path.
    /// - Throws: a fault of the id.
    init?(_ target: RequestTarget) throws(EndpointError) {
        let path = target.path.dropFirst(Self.prefix.utf8.count)
        if path.hasPrefix(Self.manifestPrefix) {
            try self.init(.manifest, path.dropFirst(Self.manifestPrefix.utf8.count)[...])
            return
        }
        let version: Version
        switch path.prefix(2) {
        case "2/": version = .two
        case "3/": version = .three
        default: return nil
        }
        let segments = path.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false)
        if segments.count > 1, segments.last == Self.descriptionName[...] {
            try self.init(.description(version), segments.dropLast().joined(separator: "/")[...])
        } else if segments.count > 4, Self.endsInQuality(segments[segments.count - 1]) {
            try self.init(
                .part(version, segments.suffix(4).map { PercentEncoding.text($0) ?? String($0) }),
                segments.dropLast(4).joined(separator: "/")[...])
        } else {
            try self.init(.image(version), path.dropFirst(2)[...])
        }
    }

    /// nil without an id.
    private init?(_ resource: Resource, _ encoded: Substring) throws(EndpointError) {
        guard !encoded.isEmpty else { return nil }
        guard let text = DescribedPath.decoded(String(encoded)) else {
            throw .fault("id", String(encoded), allowed: "text in UTF-8, percent-encoded")
        }
        self.resource = resource
        guard let mark = text.utf8.lastRange(of: Self.pageMark) else {
            (id, page) = (text, nil)
            return
        }
        let number = text[mark.upperBound...]
        do throws(ParameterFault.Reason) {
            page = try PlainNumber.int(number, in: 1...Self.pageLimit)
        } catch {
            throw .parameters(
                ParameterFaults([ParameterFault(parameter: "page", value: String(number), reason: error)]))
        }
        id = String(text[..<mark.lowerBound])
    }

    private static func endsInQuality(_ segment: Substring) -> Bool {
        segment.contains(".") && !segment.hasPrefix(".") && !segment.hasSuffix(".")
    }

    /// The path of the image itself, under which the others lie. The slashes of the id are encoded.
    static func path(_ version: Version, _ id: String, page: Int?) -> String {
        prefix + "\(version.rawValue)/" + segment(id, page)
    }

    static func manifestPath(_ id: String) -> String { prefix + manifestPrefix + segment(id, nil) }

    private static func segment(_ id: String, _ page: Int?) -> String {
        PercentEncoding.encoded(id, keeping: "") + (page.map { "\(pageMark)\($0)" } ?? "")
    }

    /// The one spelling of the path, with `id` for its own, which signatures and keys are made of.
    func canonical(_ id: String) -> String {
        switch resource {
        case .image(let version): Self.path(version, id, page: page)
        case .description(let version): Self.path(version, id, page: page) + "/" + Self.descriptionName
        case .part(let version, let parts):
            Self.path(version, id, page: page) + "/"
                + parts.map { PercentEncoding.encoded($0, keeping: "!,:^") }.joined(separator: "/")
        case .manifest: Self.manifestPath(id)
        }
    }
}

extension PercentEncoding {
    /// nil for what is not UTF-8.
    fileprivate static func text(_ encoded: Substring) -> String? {
        decoded(encoded.utf8).flatMap { String(validating: $0, as: UTF8.self) }
    }
}

extension String.UTF8View {
    fileprivate func lastRange(of mark: String) -> Range<String.Index>? {
        let bytes = Array(mark.utf8)
        var end = endIndex
        while let start = index(end, offsetBy: -bytes.count, limitedBy: startIndex) {
            if self[start..<end].elementsEqual(bytes) { return start..<end }
            end = index(before: end)
        }
        return nil
    }
}
