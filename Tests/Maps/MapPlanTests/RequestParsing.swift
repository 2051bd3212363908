import MapGrammar
import Parameters

/// Requests and faults of queries.
enum Parsing {
    /// A place that suits any overlay.
    static let start = "lat=1&lon=2"

    static func request(
        _ query: String, for purpose: MapRequest.Purpose = .picture, rules: MapRules = MapRules()
    ) throws -> MapRequest {
        try MapRequest.parse(QueryItems.parse(query), for: purpose, rules: rules)
    }

    static func faults(
        _ query: String, for purpose: MapRequest.Purpose = .picture, rules: MapRules = MapRules()
    ) throws -> [ParameterFault] {
        do {
            _ = try request(query, for: purpose, rules: rules)
            return []
        } catch let error as ParameterFaults {
            return error.faults
        }
    }

    /// The request of one parameter at a place.
    static func request(_ name: String, _ value: String) throws -> MapRequest {
        try MapRequest.parse([
            QueryItem(name: "lat", value: "1"), QueryItem(name: "lon", value: "2"), QueryItem(name: name, value: value),
        ])
    }

    /// The overlays of one parameter.
    static func overlays(_ name: String, _ value: String) throws -> [MapOverlay] { try request(name, value).overlays }

    /// What one parameter's fault says; empty where it has none.
    static func fault(_ name: String, _ value: String) throws -> String {
        do {
            _ = try request(name, value)
            return ""
        } catch let error as ParameterFaults {
            return error.faults.map(\.message).joined(separator: " ")
        }
    }
}
