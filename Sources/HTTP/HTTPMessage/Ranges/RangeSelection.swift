/// The bytes of a representation that answer a request (RFC 9110 §14.2, §15.3.7).
package enum RangeSelection: Equatable, Sendable {
    /// 200, as without a Range field.
    case whole
    /// A range that is not empty: 206 with Content-Range.
    case single(Range<Int>)
    /// Ranges that do not touch each other, in the order of the request: 206 in parts.
    case multiple([Range<Int>])
    /// No range has a byte: 416.
    case unsatisfiable

    /// RFC 9110 §13.2.2, step 5, for a GET that would be answered 200. `now` tells whether a date is a strong validator yet.
    package static func evaluate(
        _ method: Method, _ fields: Fields, _ validators: Validators, byteCount: Int, now: Int64
    ) -> RangeSelection {
        guard method == .get, let index = fields.firstIndex(of: .range), fields.count(of: .range) == 1,
            let field = RangeField(fields.valueBytes(at: index)), holdsIfRange(fields, validators, now: now)
        else { return .whole }
        return field.selection(of: byteCount)
    }

    /// Whether the client's part belongs to the current representation (§13.1.5); true without If-Range.
    private static func holdsIfRange(_ fields: Fields, _ validators: Validators, now: Int64) -> Bool {
        guard let index = fields.firstIndex(of: .ifRange) else { return true }
        guard fields.count(of: .ifRange) == 1 else { return false }
        let value = fields.valueBytes(at: index)
        if let tag = validators.entityTag, tag.isSpelled(in: value, by: .strong) { return true }
        // The representation may change again within the second of its date, so that date is weak (§8.8.2.2).
        guard let modified = validators.lastModified, now > modified else { return false }
        return HTTPDate.parse(value, now: now) == modified
    }
}
