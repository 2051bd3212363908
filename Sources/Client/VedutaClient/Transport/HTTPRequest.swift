public import Foundation

/// A request of HTTP, as ``Transport`` and ``Middleware`` see it.
public struct HTTPRequest: Sendable {
    /// What is sent after the head.
    public enum Content: Sendable {
        /// Nothing.
        case none
        /// Bytes.
        case data(Data)
        /// The bytes of a file.
        case file(URL)
    }

    /// Marks requests that come out of a load of `CachingURLProtocol`, so that one that meets itself is found. It is not sent.
    static let hopField = "veduta-hop"

    /// Where it goes.
    public var url: URL
    /// `GET`.
    public var method: String
    /// The fields beside those that the transport adds.
    public var fields: HTTPFields
    /// What is sent after the head.
    public var content: Content
    /// How long the transport may wait for the next byte.
    public var timeout: Duration?

    /// Makes a request.
    public init(_ url: URL, method: String = "GET", fields: HTTPFields = [:], content: Content = .none) {
        self.url = url
        self.method = method
        self.fields = fields
        self.content = content
    }
}

/// The answer to a request, whatever its status.
public struct HTTPResponse: Sendable {
    /// Where it came from, after redirects.
    public var url: URL
    /// 100…599.
    public var status: Int
    /// Its fields.
    public var fields: HTTPFields
    /// The content; empty where it was given to ``TransportEvents/received`` piece by piece.
    public var content: Data
    /// How often the request was sent until this answer came.
    var attempts = 1

    /// Makes an answer.
    public init(url: URL, status: Int, fields: HTTPFields = [:], content: Data = Data()) {
        self.url = url
        self.status = status
        self.fields = fields
        self.content = content
    }
}

/// Fields by name, whose case means nothing; repeated ones are one, joined by commas.
public struct HTTPFields: Sendable, Hashable, ExpressibleByDictionaryLiteral, Sequence {
    private var lines: [String: String] = [:]

    /// Takes names and values.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// Takes names and values; of equal names one is kept.
    public init(_ values: [String: String]) {
        for (name, value) in values { self[name] = value }
    }

    /// The value of a name.
    public subscript(name: String) -> String? {
        get { lines[name.lowercased()] }
        set { lines[name.lowercased()] = newValue }
    }

    /// The same with those of `other`, which win.
    public func merging(_ other: HTTPFields) -> HTTPFields {
        var merged = self
        merged.lines.merge(other.lines) { $1 }
        return merged
    }

    /// Names in lower case and values, in the order of names.
    public func makeIterator() -> some IteratorProtocol<(key: String, value: String)> {
        lines.sorted { $0.key < $1.key }.makeIterator()
    }

    /// Names in lower case and values.
    public var dictionary: [String: String] { lines }
}
