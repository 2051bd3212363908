import HTTPMessage
import ImagePlan
import MapGrammar
import Parameters

/// What a server checks the signature of a URL against: its path, and the query in the one spelling that all clients know.
struct SignedTarget {
    let path: String
    let query: String

    init(_ url: BuiltURL) throws(VedutaError) {
        path = url.path
        do throws(ParameterFaults) {
            switch url.path {
            case "/asset":
                query = try ImageRequest.signedQuery(
                    of: try QueryItems.parse(url.query), idSpelling: OriginURL.oneSpelling)
            case "/map": query = try MapRequest.signedQuery(of: try QueryItems.parse(url.query))
            case "/map.json":
                query = try MapRequest.signedQuery(of: try QueryItems.parse(url.query), for: .positions)
            case "/avatar": query = try CardQuery.avatar(try QueryItems.parse(url.query))
            case "/poll": query = try CardQuery.poll(try QueryItems.parse(url.query))
            case "/poll.json": query = try CardQuery.pollDescription(try QueryItems.parse(url.query))
            default: query = url.query
            }
        } catch {
            throw VedutaError(error)
        }
    }
}
