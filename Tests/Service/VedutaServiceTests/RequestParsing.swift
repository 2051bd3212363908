import HTTPMessage
import ImagePlan
import MapGrammar
import Parameters

/// Requests for `/asset` from a query.
enum ImageRequestParsing {
    static func parse(_ query: String) throws -> ImageRequest { try ImageRequest.parse(QueryItems.parse(query)) }
}

/// Requests for `/map` from a query.
enum MapRequestParsing {
    static func parse(_ query: String) throws -> MapRequest { try MapRequest.parse(QueryItems.parse(query)) }
}

/// Heads of requests from their text.
enum RequestHeadParsing {
    struct NoHead: Error {}

    static func parse(_ text: String) throws -> RequestHead {
        var parser = RequestHeadParser(limits: HTTPLimits())
        guard case .complete(let head, _) = parser.parse(Array(text.utf8).span.bytes) else { throw NoHead() }
        return head
    }
}
