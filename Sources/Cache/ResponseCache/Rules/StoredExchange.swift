package import HTTPMessage

/// What the rules need of a stored response; the store has its content. Only answers to GET are stored.
package struct StoredExchange: Equatable, Sendable {
    /// For each request that it is for, the fields that Vary names. At least one element, empty without Vary.
    package var selecting: [Fields]
    package var status: Status
    /// As stored: always with Date, never with Content-Length and fields of one connection.
    package var fields: Fields
    /// When the request of the response or of its last validation was sent; seconds since 1970.
    package var requestTime: Int64
    /// When that one's answer came; seconds since 1970.
    package var responseTime: Int64
    package var contentByteCount: Int

    package init(
        selecting: [Fields], status: Status, fields: Fields, requestTime: Int64, responseTime: Int64,
        contentByteCount: Int
    ) {
        self.selecting = selecting
        self.status = status
        self.fields = fields
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.contentByteCount = contentByteCount
    }

    /// RFC 9111 §4.1.
    package func matches(_ fields: Fields) -> Bool {
        let vary = self.fields.names(listedIn: .vary)
        return selecting.contains { Variation.matches(vary, $0, fields) }
    }

    package var entityTag: EntityTag? { fields.first(.entityTag).flatMap { EntityTag($0) } }

    /// In seconds since 1970.
    var date: Int64 { Self.date(.date, in: fields, now: responseTime) ?? responseTime }
    package var lastModified: Int64? { Self.date(.lastModified, in: fields, now: responseTime) }

    /// For clients' conditions (RFC 9111 §4.3.2): without Last-Modified, Date is the next best.
    var validators: Validators { Validators(entityTag: entityTag, lastModified: lastModified ?? date) }

    /// Whether it can be revalidated: conditions are about a representation, not an error or a redirection (RFC 9110 §13.2.1).
    var canBeValidated: Bool { status == .ok && (entityTag != nil || lastModified != nil) }

    /// Whether to prefer it when a request selects both: one with Vary was no default, and otherwise the later is better.
    func isPreferred(to other: StoredExchange) -> Bool {
        let varies = fields.contains(.vary)
        guard varies == other.fields.contains(.vary) else { return varies }
        return date == other.date ? responseTime >= other.responseTime : date > other.date
    }

    /// The date in the first line called `name`.
    static func date(_ name: FieldName, in fields: Fields, now: Int64) -> Int64? {
        fields.firstIndex(of: name).flatMap { HTTPDate.parse(fields.valueBytes(at: $0), now: now) }
    }
}
