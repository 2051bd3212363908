import HTTPMessage
import Resources

/// The style sheets and scripts of web pages and what the scripts read, all part of the program.
struct PageFiles: Sendable {
    static let path: StaticString = "/pages/"

    private let files: [String: (text: FixedText, mediaType: StaticString)]

    init() {
        files = Dictionary(
            uniqueKeysWithValues: Resources.pages.map { ($0.name, (FixedText($0.bytes), Self.mediaType($0.name))) })
    }

    /// The file at the path of `target`; nil: there is none.
    subscript(target: RequestTarget) -> (text: FixedText, mediaType: StaticString)? {
        DescribedPath.decoded(String(target.path.dropFirst(Self.path.utf8CodeUnitCount))).flatMap { files[$0] }
    }

    private static func mediaType(_ name: String) -> StaticString {
        if name.hasSuffix(".css") { return "text/css; charset=utf-8" }
        return name.hasSuffix(".json") ? "application/json" : "text/javascript; charset=utf-8"
    }
}
