import Renditions

/// Text for the `Server-Timing` field (W3C Server Timing): milliseconds with one decimal.
enum ServerTiming {
    /// `queue;dur=0.1, decode;dur=12.3`.
    static func text(_ timings: [RenderTiming]) -> String {
        timings.map { "\($0.name);dur=\(milliseconds($0.duration))" }.joined(separator: ", ")
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let tenths = max(0, seconds &* 10_000 &+ attoseconds / 100_000_000_000_000)
        return "\(tenths / 10).\(tenths % 10)"
    }
}
