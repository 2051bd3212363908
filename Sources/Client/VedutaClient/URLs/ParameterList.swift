import Foundation
import Parameters

/// The parameters that a builder was given, as texts: the parser of the server reads them, and finds what is wrong.
struct ParameterList: Hashable, Sendable {
    struct Item: Hashable, Sendable {
        var name: String
        var value: String
    }

    /// The parameters that make up a signature.
    static let signatureNames = ["sig", "expires", "allow"]

    private(set) var items: [Item] = []

    /// Gives `name` this value in place of any other; nil takes it away.
    mutating func set(_ name: String, _ value: String?) {
        items.removeAll { $0.name == name }
        if let value { items.append(Item(name: name, value: value)) }
    }

    /// Adds a value to a parameter that may stand more than once.
    mutating func append(_ name: String, _ value: String) { items.append(Item(name: name, value: value)) }

    func value(_ name: String) -> String? { items.first { $0.name == name }?.value }

    var queryItems: [QueryItem] { items.map { QueryItem(name: $0.name, value: $0.value) } }

    /// The query as it was given, unchecked.
    var text: String { Self.text(queryItems) }

    static func text(_ items: [QueryItem]) -> String {
        var query = CanonicalQuery()
        for item in items { query.append(item.name, item.value) }
        return query.text
    }

    init() {}

    /// Those of `url`, without a signature. Throws where it is not of the `form`, which is called `noun`.
    init(of url: URL, _ form: LocalForm, _ noun: String) throws(VedutaError) {
        guard let query = form.query(of: url) else {
            throw .invalidURL([
                Fault(parameter: "", value: url.absoluteString, message: "This is not the URL of \(noun).")
            ])
        }
        try self.init(query)
        items.removeAll { Self.signatureNames.contains($0.name) }
    }

    /// The items of `query`, encoded.
    init(_ query: String) throws(VedutaError) {
        do throws(ParameterFaults) {
            items = try QueryItems.parse(query).map { Item(name: $0.name, value: $0.value) }
        } catch {
            throw VedutaError(error)
        }
    }
}

extension Double {
    /// The number as queries write it, with at most nine places. What is no number is a fault that the parser finds.
    var parameterText: String { isFinite ? PlainDecimal(floatLiteral: self).description : "nan" }
}

/// A URL of the app's loading system, `SCHEME://?query` or `SCHEME://SERVICE/?query`.
struct LocalForm {
    let scheme: String
    let path: String

    func url(_ query: String, service: String?) -> URL {
        // A canonical query is ASCII that needs no escape, and a name of a service is escaped as a host.
        let place = service.map { "\($0)/" } ?? ""
        guard let url = URL(string: "\(scheme)://\(place)?\(query)") else { return URL(filePath: "/") }
        return url
    }

    /// The query of either form; nil where `url` is neither.
    func query(of url: URL) -> String? {
        let isLocal = url.scheme?.lowercased() == scheme
        let isRemote = ["http", "https"].contains(url.scheme?.lowercased()) && url.path().hasSuffix(path)
        guard isLocal || isRemote else { return nil }
        return url.query(percentEncoded: true) ?? ""
    }
}
