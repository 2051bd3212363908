import TestThreads
import Testing

@testable import Telemetry

@Suite(.timeLimit(.minutes(5))) struct MetricsTests {
    @Test func text_isSorted_typed_andComplete() {
        let registry = MetricsRegistry()
        let requests = registry.counters(
            "veduta_requests_total", help: "Answered requests.",
            labels: [Label("route", ["asset", "map"]), Label("status", ["200", "400"])])
        let connections = registry.gauge("veduta_connections", help: "Open connections.")
        _ = registry.counter("veduta_cancelled_total", help: "Work cancelled.")
        requests.series("map", "200").add(2)
        requests.series("asset", "400").add()
        requests.series("asset", "418").add()
        connections.set(7)
        connections.add(-10)
        let expected = """
            # HELP veduta_cancelled_total Work cancelled.
            # TYPE veduta_cancelled_total counter
            veduta_cancelled_total 0
            # HELP veduta_connections Open connections.
            # TYPE veduta_connections gauge
            veduta_connections -3
            # HELP veduta_requests_total Answered requests.
            # TYPE veduta_requests_total counter
            veduta_requests_total{route="asset",status="400"} 1
            veduta_requests_total{route="asset",status="other"} 1
            veduta_requests_total{route="map",status="200"} 2

            """
        #expect(registry.text() == expected)
        #expect(registry.text() == expected)
    }

    @Test func histogram_isCumulative_andBoundsAreInclusive() {
        let registry = MetricsRegistry()
        let family = registry.histograms(
            "render_seconds", help: "Rendering.", labels: [Label("kind", ["map"])], bounds: [10, 0.5, 1, 1, .nan])
        let histogram = family.series("map")
        for value in [0.25, 0.5, 0.75, 20, .infinity] { histogram.observe(value) }
        histogram.observe(.milliseconds(1500))
        #expect(
            registry.text() == """
                # HELP render_seconds Rendering.
                # TYPE render_seconds histogram
                render_seconds_bucket{kind="map",le="0.5"} 2
                render_seconds_bucket{kind="map",le="1.0"} 3
                render_seconds_bucket{kind="map",le="10.0"} 4
                render_seconds_bucket{kind="map",le="+Inf"} 5
                render_seconds_sum{kind="map"} 23
                render_seconds_count{kind="map"} 5

                """)
        #expect(histogram.snapshot == HistogramSnapshot(cumulativeCounts: [2, 3, 4, 5], sum: 23))
    }

    /// OpenMetrics names counters without `_total` in what it says of them, escapes quotes there, and marks the end.
    @Test func openMetrics_hasTheSameSamples() {
        let registry = MetricsRegistry()
        registry.counter("hits_total", help: "Hits of \"it\".").add(2)
        registry.histogram("wait_seconds", help: "Waiting.", bounds: [1]).observe(0.5)
        #expect(
            registry.text(.openMetrics) == """
                # HELP hits Hits of \\"it\\".
                # TYPE hits counter
                hits_total 2
                # HELP wait_seconds Waiting.
                # TYPE wait_seconds histogram
                wait_seconds_bucket{le="1.0"} 1
                wait_seconds_bucket{le="+Inf"} 1
                wait_seconds_sum 0.5
                wait_seconds_count 1
                # EOF

                """)
        func samples(_ format: MetricFormat) -> [Substring] {
            registry.text(format).split(separator: "\n").filter { !$0.hasPrefix("#") }
        }
        #expect(samples(.openMetrics) == samples(.prometheus))
    }

    @Test func zeros_areInTheFirstBucketThatHoldsThem() {
        let histogram = Histogram(bounds: [-1, 0.5, 2])
        histogram.observeZero()
        histogram.observe(0)
        histogram.observe(1)
        #expect(histogram.snapshot == HistogramSnapshot(cumulativeCounts: [0, 2, 3, 3], sum: 1))
        let below = Histogram(bounds: [-2])
        below.observeZero()
        #expect(below.snapshot == HistogramSnapshot(cumulativeCounts: [0, 1], sum: 0))
    }

    @Test func countsOfOthers_areShownAsTheyAre_andCountersNeverFall() {
        let registry = MetricsRegistry()
        let shown = ShownCounts<(hits: Int, level: Int)>(
            registry, [("hits_total", "Hits.", { $0.hits }), ("level", "Level.", { $0.level })])
        shown.show((5, 7))
        shown.show((-1, 3))
        let lines = registry.text().split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines == ["hits_total 5", "level 3"])
    }

    @Test func textThatWouldBreakALine_isEscaped() {
        let registry = MetricsRegistry()
        let family = registry.gauges(
            "0 odd-name", help: "a\\b\nc \"d\"", labels: [Label("läbel", ["x\"y\\z\n", "x\"y\\z\n", "other"])])
        family.series("x\"y\\z\n").set(1)
        #expect(
            registry.text() == """
                # HELP __odd_name a\\\\b\\nc "d"
                # TYPE __odd_name gauge
                __odd_name{l_bel="x\\"y\\\\z\\n"} 1
                __odd_name{l_bel="other"} 0

                """)
    }

    @Test func undeclaredAndMissingValues_countAsOther() {
        let family = MetricsRegistry().counters("c", help: "", labels: [Label("a", ["x"]), Label("b", ["y"])])
        family.series("nope", "y").add()
        family.series("x").add()
        family.series().add(5)
        #expect(family.series("other", "y").value == 1)
        #expect(family.series("x", "other").value == 1)
        #expect(family.series("other", "other", "surplus").value == 5)
    }

    @Test func manyThreads_loseNoCount() {
        let counter = Counter()
        let histogram = Histogram(bounds: [1])
        onThreads(8) { _ in
            for _ in 0..<2_000 {
                counter.add()
                histogram.observe(0.5)
            }
        }
        #expect(counter.value == 16_000)
        #expect(histogram.snapshot == HistogramSnapshot(cumulativeCounts: [16_000, 16_000], sum: 8_000))
    }
}
