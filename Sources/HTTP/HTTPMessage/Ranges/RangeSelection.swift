/// Which bytes of a representation answer a request (RFC 9110 §14.2, §15.3.7).
package enum RangeSelection: Equatable, Sendable {
    /// All: 200, as if no range had been asked for.
    case whole
    /// One range that is not empty: 206 with Content-Range.
    case single(Range<Int>)
    /// Several ranges, none of which touches another, in the order in which they were asked for: 206 in parts.
    case multiple([Range<Int>])
    /// None of the ranges has a byte: 416.
    case unsatisfiable

    /// What Range and If-Range make of a request whose answer would be 200 with `byteCount` bytes.
    ///
    /// Only to be asked after the preconditions (§13.2.2, step 5). Range is defined for GET alone and ignored with
    /// any other method, as are several lines of it. `now`, in seconds since 1970, tells whether a date is a strong
    /// validator by now.
    package static func evaluate(
        _ method: Method, _ fields: Fields, _ validators: Validators, byteCount: Int, now: Int64
    ) -> RangeSelection {
        guard method == .get, let index = fields.firstIndex(of: .range), fields.count(of: .range) == 1,
            let field = RangeField(fields.valueBytes(at: index)), holdsIfRange(fields, validators, now: now)
        else { return .whole }
        return field.selection(of: byteCount)
    }

    /// Whether the client's part belongs to the representation as it is (§13.1.5); true without If-Range.
    private static func holdsIfRange(_ fields: Fields, _ validators: Validators, now: Int64) -> Bool {
        guard let index = fields.firstIndex(of: .ifRange) else { return true }
        guard fields.count(of: .ifRange) == 1 else { return false }
        let value = fields.valueBytes(at: index)
        if let tag = validators.entityTag, tag.isSpelled(in: value, by: .strong) { return true }
        // Within the second that it names, the representation may yet change again: the date is weak (§8.8.2.2).
        guard let modified = validators.lastModified, now > modified else { return false }
        return HTTPDate.parse(value, now: now) == modified
    }
}
