package import HTTPMessage

/// What the rules need to know of a stored answer; its content is the store's matter. Only answers to GET are stored.
package struct StoredExchange: Equatable, Sendable {
    /// For each request that the answer is for, its fields that Vary names. At least one element, empty without Vary.
    package var selecting: [Fields]
    package var status: Status
    /// The fields as they are kept: Date always, Content-Length and those of one connection never.
    package var fields: Fields
    /// When the request was sent that the answer, or its last validation, came from; seconds since 1970.
    package var requestTime: Int64
    /// When that answer came; seconds since 1970.
    package var responseTime: Int64
    package var contentByteCount: Int

    /// Puts together what a store kept.
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

    /// Whether it is for requests with `fields` (RFC 9111 §4.1).
    package func matches(_ fields: Fields) -> Bool {
        let vary = self.fields.names(listedIn: .vary)
        return selecting.contains { Variation.matches(vary, $0, fields) }
    }

    /// Its entity tag, if it has one.
    package var entityTag: EntityTag? { fields.first(.entityTag).flatMap { EntityTag($0) } }

    /// When it was made, in seconds since 1970.
    var date: Int64 { Self.date(.date, in: fields, now: responseTime) ?? responseTime }

    /// When the representation was last modified, if it says so.
    package var lastModified: Int64? { Self.date(.lastModified, in: fields, now: responseTime) }

    /// What conditions of clients are held against (RFC 9111 §4.3.2): without Last-Modified, Date is the next best.
    var validators: Validators { Validators(entityTag: entityTag, lastModified: lastModified ?? date) }

    /// Whether the origin can be asked if it is still valid: conditions are about a representation, not about an error or a
    /// redirection (RFC 9110 §13.2.1).
    var canBeValidated: Bool { status == .ok && (entityTag != nil || lastModified != nil) }

    /// Whether to use it rather than `other` when a request selects both: one that says what it varies by was not sent by
    /// default, and of the others the later is better.
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
