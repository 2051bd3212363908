import Bytes
import HTTPMessage
import HTTPServer
import Renditions

/// What the content of a POST asks for, and the address at which GET has it, if it fits one.
struct PostedRendition: Sendable {
    /// Bytes of a query that proxies take as well.
    static let locationLimit = 6000

    let rendition: Rendition
    let location: String?

    init(_ rendition: Rendition, path: String, query: String?) {
        self.rendition = rendition
        location = query.map { path + "?" + $0 }
    }

    /// - Throws: where the request has parameters in its address as well.
    static func bytes(of request: Request) throws(EndpointError) -> [UInt8] {
        if let query = request.head.target.query {
            throw .fault("query", query, allowed: "left out: a POST request has its parameters in the content")
        }
        guard case .bytes(let bytes) = request.content else { return [] }
        return bytes.withUnsafeBytes { [UInt8]($0) }
    }
}
