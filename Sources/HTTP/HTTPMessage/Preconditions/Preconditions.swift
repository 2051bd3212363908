/// Identifies the state of the selected representation (RFC 9110 §8.8).
package struct Validators: Sendable, Equatable {
    package var entityTag: EntityTag?
    package var lastModified: Int64?

    package init(entityTag: EntityTag?, lastModified: Int64? = nil) {
        self.entityTag = entityTag
        self.lastModified = lastModified
    }
}

/// Conditional requests (RFC 9110 §13).
package enum Preconditions {
    package enum Outcome: Equatable, Sendable {
        case proceed
        /// Answer 304.
        case notModified
        /// Answer 412.
        case failed
    }

    /// RFC 9110 §13.2.2, for a request that would be answered 2xx otherwise; `now` serves dates with two-digit years.
    package static func evaluate(
        _ method: Method, _ fields: Fields, _ validators: Validators, now: @autoclosure () -> Int64
    ) -> Outcome {
        guard fields.mayBeConditional else { return .proceed }
        if fields.contains(.ifMatch) {
            guard matches(fields, .ifMatch, validators, by: .strong) else { return .failed }
        } else if let modified = validators.lastModified, let date = date(fields, .ifUnmodifiedSince, now: now()) {
            guard modified <= date else { return .failed }
        }
        let isRead = method.isRead
        if fields.contains(.ifNoneMatch) {
            if matches(fields, .ifNoneMatch, validators, by: .weak) { return isRead ? .notModified : .failed }
        } else if isRead, let modified = validators.lastModified, let date = date(fields, .ifModifiedSince, now: now())
        {
            if modified <= date { return .notModified }
        }
        return .proceed
    }

    /// Whether the preconditions of `head` let it change what has these validators; nil: there is nothing, which only `If-Match`
    /// minds.
    package static func allowChange(_ head: RequestHead, of validators: Validators?, now: Int64) -> Bool {
        guard let validators else { return !head.fields.contains(.ifMatch) }
        return evaluate(head.method, head.fields, validators, now: now) == .proceed
    }

    private static func matches(
        _ fields: Fields, _ name: FieldName, _ validators: Validators, by comparison: EntityTag.Comparison
    ) -> Bool {
        guard let tag = validators.entityTag else {
            // `*` asks whether there is a representation, with or without a tag.
            guard let index = fields.firstIndex(of: name), fields.count(of: name) == 1 else { return false }
            return fields.valueBytes(at: index).equals("*")
        }
        return tag.isListed(in: fields, name, by: comparison)
    }

    private static func date(_ fields: Fields, _ name: FieldName, now: @autoclosure () -> Int64) -> Int64? {
        guard let index = fields.firstIndex(of: name), fields.count(of: name) == 1 else { return nil }
        return HTTPDate.parse(fields.valueBytes(at: index), now: now())
    }
}
