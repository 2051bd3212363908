import HTTPMessage
import Testing

/// W3C Trace Context: what is taken over, and what is passed on.
@Suite(.timeLimit(.minutes(5))) struct TraceContextTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"

    private func context(_ values: [String], state: [String] = [], seed: UInt64 = 1) -> TraceContext? {
        var fields = Fields()
        for value in values { fields.append("Traceparent", value) }
        for value in state { fields.append("tracestate", value) }
        return TraceContext(fields, seed: seed)
    }

    @Test func valid_isTakenOver_withASpanOfOurOwn() throws {
        let taken = try #require(context(["00-\(Self.trace)-\(Self.span)-01"], state: ["a=1", "b=2"]))
        #expect(taken.traceID == Self.trace)
        #expect(taken.parentSpanID == Self.span)
        #expect(taken.spanID.count == 16 && taken.spanID != Self.span)
        var fields = Fields()
        taken.append(to: &fields)
        #expect(fields.first("traceparent") == "00-\(Self.trace)-\(taken.spanID)-01")
        #expect(fields.first("tracestate") == "a=1, b=2")
        // The same request has the same span, another one another.
        #expect(context(["00-\(Self.trace)-\(Self.span)-01"], seed: 1)?.spanID == taken.spanID)
        #expect(context(["00-\(Self.trace)-\(Self.span)-01"], seed: 2)?.spanID != taken.spanID)
    }

    /// Only the bit that is known (§3.2.2.5.1).
    @Test(arguments: [("00", "00"), ("fe", "00"), ("03", "01"), ("ff", "01")])
    func flags_areThoseThatAreKnown(_ flags: String, _ passedOn: String) throws {
        var fields = Fields()
        try #require(context(["00-\(Self.trace)-\(Self.span)-\(flags)"])).append(to: &fields)
        #expect(fields.first("traceparent")?.hasSuffix("-" + passedOn) == true)
    }

    @Test func laterVersions_mayHaveMore() {
        #expect(context(["01-\(Self.trace)-\(Self.span)-01-more"]) != nil)
        #expect(context(["cc-\(Self.trace)-\(Self.span)-01"]) != nil)
        #expect(context(["01-\(Self.trace)-\(Self.span)-01more"]) == nil)
        #expect(context(["00-\(Self.trace)-\(Self.span)-01-more"]) == nil)
    }

    @Test func invalid_isNoTrace() {
        let zeros = String(repeating: "0", count: 32)
        let values = [
            "", "00", "00-\(Self.trace)-\(Self.span)", "ff-\(Self.trace)-\(Self.span)-01",
            "00-\(zeros)-\(Self.span)-01", "00-\(Self.trace)-0000000000000000-01",
            "00-\(Self.trace.uppercased())-\(Self.span)-01", "00-\(Self.trace)-\(Self.span)-0g",
            "00_\(Self.trace)_\(Self.span)_01", "0-\(Self.trace)-\(Self.span)-001",
        ]
        for value in values { #expect(context([value]) == nil, "\(value)") }
        #expect(context([]) == nil)
        let two = "00-\(Self.trace)-\(Self.span)-01"
        #expect(context([two, two]) == nil)
    }

    @Test func longState_isLeftOut() throws {
        let long = "a=" + String(repeating: "x", count: 511)
        var fields = Fields()
        try #require(context(["00-\(Self.trace)-\(Self.span)-01"], state: [long])).append(to: &fields)
        #expect(!fields.contains("tracestate"))
    }
}
