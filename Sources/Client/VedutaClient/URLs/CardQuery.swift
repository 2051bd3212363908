import CardGrammar
import Foundation
import HTTPMessage
import Parameters

/// The canonical queries of cards, by the parser of the server.
enum CardQuery {
    static func avatar(_ items: [QueryItem]) throws(ParameterFaults) -> String {
        func digest(_ text: String) -> String { SHA256.hex(SHA256.digest(of: Data(text.utf8))) }
        var request = try AvatarRequest.parse(items, digest: digest)
        request.respellIDs(digest: digest, OriginURL.oneSpelling)
        return request.canonical
    }

    static func poll(_ items: [QueryItem]) throws(ParameterFaults) -> String { try poll(items, .picture) }

    /// Of `/poll.json`.
    static func pollDescription(_ items: [QueryItem]) throws(ParameterFaults) -> String {
        try poll(items, .positions)
    }

    private static func poll(
        _ items: [QueryItem], _ purpose: PollRequest.Purpose
    ) throws(ParameterFaults) -> String {
        var request = try PollRequest.parse(items, for: purpose)
        request.respellIDs(OriginURL.oneSpelling)
        return request.canonical
    }

    static func checked(_ write: () throws(ParameterFaults) -> String) throws(VedutaError) -> String {
        do throws(ParameterFaults) { return try write() } catch { throw VedutaError(error) }
    }
}
