import Foundation

/// The path and the query of an image, a map or a card, without the address of a server, as signatures cover them.
public struct BuiltURL: Hashable, Sendable {
    /// Such as `/asset` or `/map`.
    public let path: String
    /// The query in its one spelling: full names, fixed order, no defaults, encoded.
    public let query: String
    /// The parameters of the signature, encoded; empty where there is none.
    public private(set) var signature = ""

    init(path: String, query: String) {
        self.path = path
        self.query = query
    }

    /// The path and the whole query, for an attribute of a page or after the address of a server.
    public var target: String {
        let whole = [query, signature].filter { !$0.isEmpty }.joined(separator: "&")
        return whole.isEmpty ? path : path + "?" + whole
    }

    /// The text for an attribute of a page: the whole URL at `service`, signed if it has a key, or the path without one.
    func reference(for service: VedutaEndpoint?) throws(VedutaError) -> String {
        guard let service else { return target }
        return try service.url(try service.signed(target)).absoluteString
    }

    /// The same with the parameters of a signature, encoded.
    func adding(signature: String) -> BuiltURL {
        var copy = self
        copy.signature = signature
        return copy
    }
}

extension BuiltURL: CustomStringConvertible {
    /// The path and the whole query.
    public var description: String { target }
}
