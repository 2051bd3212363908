import HTTPMessage
import HTTPServer
import Resources

/// The style sheets and scripts of web pages, which are part of the program.
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
        name.hasSuffix(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8"
    }
}
