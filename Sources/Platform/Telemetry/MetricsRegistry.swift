import Synchronization

/// Counting touches an atomic, never this registry, whose lock guards declaring and listing alone.
package final class MetricsRegistry: Sendable {
    private let families = Mutex<[any ExposedFamily]>([])

    package init() {}

    /// By custom `name` ends in `_total`. Declare a name once; a second family of the same name counts but is not shown.
    package func counters(_ name: String, help: String, labels: [Label] = []) -> MetricFamily<Counter> {
        declare(MetricFamily(name: name, help: help, labels: labels, make: Counter.init))
    }

    package func gauges(_ name: String, help: String, labels: [Label] = []) -> MetricFamily<Gauge> {
        declare(MetricFamily(name: name, help: help, labels: labels, make: Gauge.init))
    }

    package func histograms(
        _ name: String, help: String, labels: [Label] = [], bounds: [Double] = Histogram.secondsBounds
    ) -> MetricFamily<Histogram> {
        let sorted = Set(bounds.filter(\.isFinite)).sorted()
        return declare(MetricFamily(name: name, help: help, labels: labels) { Histogram(sorted: sorted) })
    }

    package func counter(_ name: String, help: String) -> Counter { counters(name, help: help).series() }
    package func gauge(_ name: String, help: String) -> Gauge { gauges(name, help: help).series() }

    /// By custom `name` ends in `_seconds_total`.
    package func secondsCounter(_ name: String, help: String) -> SecondsCounter {
        declare(MetricFamily(name: name, help: help, labels: [], make: SecondsCounter.init)).series()
    }

    /// By custom `name` ends in `_seconds`.
    package func secondsGauge(_ name: String, help: String) -> SecondsGauge {
        declare(MetricFamily(name: name, help: help, labels: [], make: SecondsGauge.init)).series()
    }

    /// By custom `name` ends in `_ratio`.
    package func shareGauge(_ name: String, help: String) -> ShareGauge {
        declare(MetricFamily(name: name, help: help, labels: [], make: ShareGauge.init)).series()
    }

    package func histogram(_ name: String, help: String, bounds: [Double] = Histogram.secondsBounds) -> Histogram {
        histograms(name, help: help, bounds: bounds).series()
    }

    /// By custom `name` ends in `_info`.
    package func info(_ name: String, help: String, labels: [(name: String, value: String)]) {
        list(InfoFamily(name: MetricText.name(name), help: help, labels: labels))
    }

    private func list(_ family: some ExposedFamily) {
        families.withLock { families in
            if !families.contains(where: { $0.name == family.name }) { families.append(family) }
        }
    }

    private func declare<Metric: ExposedMetric>(_ family: MetricFamily<Metric>) -> MetricFamily<Metric> {
        list(family)
        return family
    }

    package func text(_ format: MetricFormat = .prometheus) -> String {
        var text = ""
        for family in families.withLock({ $0 }).sorted(by: { $0.name < $1.name }) { family.write(format, to: &text) }
        return text + format.end
    }
}
