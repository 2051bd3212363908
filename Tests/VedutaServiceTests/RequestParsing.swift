import ImagePlan
import MapPlan
import Parameters

@testable import VedutaService

/// Requests for `/asset` from a query.
enum ImageRequestParsing {
    static func parse(_ query: String) throws -> ImageRequest {
        try ImageRequest.parse(QueryItems.parse(query))
    }
}

/// Requests for `/map` from a query.
enum MapRequestParsing {
    static func parse(_ query: String) throws -> MapRequest {
        try MapRequest.parse(QueryItems.parse(query))
    }
}
