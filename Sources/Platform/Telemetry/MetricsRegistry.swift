import Synchronization

/// The metrics of a process and their text for Prometheus.
///
/// Families are declared at start and handed out as objects: counting touches an atomic, never this registry. Its lock
/// guards declaring and listing alone and is not held while the text is written.
package final class MetricsRegistry: Sendable {
    private let families = Mutex<[any ExposedFamily]>([])

    package init() {}

    /// Declares a family of counters; by custom `name` ends in `_total`.
    ///
    /// In names and label names, characters that Prometheus does not allow become `_`. Declare a name once; a second
    /// family of the same name counts but is not shown.
    package func counters(_ name: String, help: String, labels: [Label] = []) -> MetricFamily<Counter> {
        declare(MetricFamily(name: name, help: help, labels: labels, make: Counter.init))
    }

    /// Declares a family of gauges; see ``counters(_:help:labels:)``.
    package func gauges(_ name: String, help: String, labels: [Label] = []) -> MetricFamily<Gauge> {
        declare(MetricFamily(name: name, help: help, labels: labels, make: Gauge.init))
    }

    /// Declares a family of histograms, all with the bounds `bounds`; see ``counters(_:help:labels:)``.
    package func histograms(
        _ name: String, help: String, labels: [Label] = [], bounds: [Double] = Histogram.secondsBounds
    ) -> MetricFamily<Histogram> {
        declare(MetricFamily(name: name, help: help, labels: labels) { Histogram(bounds: bounds) })
    }

    package func counter(_ name: String, help: String) -> Counter {
        counters(name, help: help).series()
    }

    package func gauge(_ name: String, help: String) -> Gauge {
        gauges(name, help: help).series()
    }

    /// Declares a sum of durations without labels; by custom `name` ends in `_seconds_total`.
    package func secondsCounter(_ name: String, help: String) -> SecondsCounter {
        declare(MetricFamily(name: name, help: help, labels: [], make: SecondsCounter.init)).series()
    }

    /// Declares a share without labels; by custom `name` ends in `_ratio`.
    package func shareGauge(_ name: String, help: String) -> ShareGauge {
        declare(MetricFamily(name: name, help: help, labels: [], make: ShareGauge.init)).series()
    }

    package func histogram(_ name: String, help: String, bounds: [Double] = Histogram.secondsBounds) -> Histogram {
        histograms(name, help: help, bounds: bounds).series()
    }

    /// Declares a metric that is always 1, for what its labels say; by custom `name` ends in `_info`.
    package func info(_ name: String, help: String, labels: [(name: String, value: String)]) {
        let family = InfoFamily(name: MetricText.name(name), help: help, labels: labels)
        families.withLock { families in
            if !families.contains(where: { $0.name == family.name }) { families.append(family) }
        }
    }

    private func declare<Metric: ExposedMetric>(_ family: MetricFamily<Metric>) -> MetricFamily<Metric> {
        families.withLock { families in
            if !families.contains(where: { $0.name == family.name }) { families.append(family) }
        }
        return family
    }

    /// Everything in the text exposition format 0.0.4: families by name, series by label values, always in the same order.
    ///
    /// Serve it as `text/plain; version=0.0.4; charset=utf-8`.
    package func prometheusText() -> String {
        var text = ""
        for family in families.withLock({ $0 }).sorted(by: { $0.name < $1.name }) { family.write(to: &text) }
        return text
    }
}
