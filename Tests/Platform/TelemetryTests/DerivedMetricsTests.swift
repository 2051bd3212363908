import Telemetry
import Testing

/// Sums of durations, shares, and counts that others keep.
@Suite(.timeLimit(.minutes(5))) struct DerivedMetricsTests {
    private let registry = MetricsRegistry()

    @Test func durations_areShownInSeconds() {
        let saved = registry.secondsCounter("saved_seconds_total", help: "x")
        #expect(registry.text().hasSuffix("# TYPE saved_seconds_total counter\nsaved_seconds_total 0\n"))
        for _ in 0..<3 { saved.add(microseconds: 500_000) }
        #expect(registry.text().hasSuffix("\nsaved_seconds_total 1.5\n"))
    }

    @Test func levelInSeconds_risesAndFalls() {
        let backlog = registry.secondsGauge("backlog_seconds", help: "x")
        backlog.add(microseconds: 2_500_000)
        backlog.add(microseconds: -1_000_000)
        #expect(registry.text().hasSuffix("# TYPE backlog_seconds gauge\nbacklog_seconds 1.5\n"))
    }

    @Test func share_isBetween0And1() {
        let ratio = registry.shareGauge("hit_ratio", help: "x")
        ratio.set(0, of: 0)
        #expect(ratio.share == 0)
        ratio.set(3, of: 4)
        #expect(registry.text().hasSuffix("# TYPE hit_ratio gauge\nhit_ratio 0.75\n"))
        // Counted at different instants, the part may be ahead of the whole.
        ratio.set(5, of: 4)
        #expect(ratio.share == 1)
    }

    @Test func info_isOneSeriesThatIsOne() {
        registry.info("build_info", help: "x", labels: [("version", "1.0"), ("library", "a\"b")])
        let text = "# HELP build_info x\n# TYPE build_info gauge\nbuild_info{version=\"1.0\",library=\"a\\\"b\"} 1\n"
        #expect(registry.text() == text)
    }

    @Test func countOfSomebodyElse_onlyGrows() {
        let counter = registry.counter("evictions_total", help: "x")
        counter.raise(to: 5)
        counter.raise(to: 3)
        #expect(counter.value == 5)
    }
}
