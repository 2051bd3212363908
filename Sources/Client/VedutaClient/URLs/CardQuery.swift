import CardGrammar
import Foundation
import Parameters

/// The canonical queries of cards, by the parser of the server.
enum CardQuery {
    static func avatar(_ items: [QueryItem]) throws(ParameterFaults) -> String {
        try AvatarRequest.parse(items) { SHA256.hex(SHA256.digest(of: Data($0.utf8))) }.canonical
    }

    static func poll(_ items: [QueryItem]) throws(ParameterFaults) -> String {
        try PollRequest.parse(items).canonical
    }

    /// Of `/poll.json`.
    static func pollDescription(_ items: [QueryItem]) throws(ParameterFaults) -> String {
        try PollRequest.parse(items, for: .positions).canonical
    }

    static func checked(_ write: () throws(ParameterFaults) -> String) throws(VedutaError) -> String {
        do throws(ParameterFaults) { return try write() } catch { throw VedutaError(error) }
    }
}
