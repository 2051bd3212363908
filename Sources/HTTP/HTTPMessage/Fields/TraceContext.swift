/// The place of a request in a trace (W3C Trace Context, level 1): what its client sent, and the span of the work on it here.
///
/// A request without a valid `traceparent` has none: traces begin elsewhere.
package struct TraceContext: Sendable, Equatable {
    /// Longer ones are not passed on (§3.3.1.5 lets vendors drop them).
    private static let stateLimit = 512

    private let traceHigh, traceLow: UInt64
    private let parent: UInt64
    private let span: UInt64
    private let isSampled: Bool
    private let state: String

    /// That of the request whose work this thread does; fetches pass it on to origins.
    @TaskLocal package static var current: TraceContext?

    /// nil unless `fields` have exactly one valid `traceparent` (§3.2). `seed` differs from request to request, and tells the
    /// span here.
    package init?(_ fields: Fields, seed: UInt64) {
        guard let index = fields.firstIndex(of: .traceParent),
            fields.firstIndex(of: .traceParent, from: index + 1) == nil
        else { return nil }
        let value = fields.valueBytes(at: index)
        // 00-<32>-<16>-<2>; later versions may append more after another dash.
        guard value.byteCount >= 55, [2, 35, 52].allSatisfy({ value.byte($0) == UInt8(ascii: "-") }),
            let version = Self.number(value, 0..<2), version != 0xff,
            value.byteCount == 55 || version > 0 && value.byte(55) == UInt8(ascii: "-"),
            let high = Self.number(value, 3..<19), let low = Self.number(value, 19..<35), high != 0 || low != 0,
            let parent = Self.number(value, 36..<52), parent != 0, let flags = Self.number(value, 53..<55)
        else { return nil }
        (traceHigh, traceLow, self.parent) = (high, low, parent)
        isSampled = flags & 1 == 1
        span = max(1, Self.mixed(seed ^ Self.mixed(parent)))
        let joined = fields.combined(.traceState) ?? ""
        state = joined.utf8.count <= Self.stateLimit ? joined : ""
    }

    /// 32 lower-case hexadecimal digits.
    package var traceID: String { Self.text(traceHigh) + Self.text(traceLow) }
    /// Of the work here: 16 digits.
    package var spanID: String { Self.text(span) }
    /// Of the client's work.
    package var parentSpanID: String { Self.text(parent) }

    /// What an origin gets.
    package func append(to fields: inout Fields) {
        fields.append(.traceParent, "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")")
        if !state.isEmpty { fields.append(.traceState, state) }
    }

    /// Lower-case hexadecimal digits alone (§3.2.2); at most 16 of them.
    private static func number(_ text: RawSpan, _ range: Range<Int>) -> UInt64? {
        var number: UInt64 = 0
        for index in range {
            let byte = text.byte(index)
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            default: return nil
            }
            number = number << 4 | UInt64(digit)
        }
        return number
    }

    private static func text(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Spreads the bits of a counter (the finaliser of SplitMix64).
    private static func mixed(_ number: UInt64) -> UInt64 {
        var bits = number &+ 0x9e37_79b9_7f4a_7c15
        bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
        return bits ^ bits >> 31
    }
}
