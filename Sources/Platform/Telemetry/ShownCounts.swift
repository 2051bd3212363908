/// Numbers that somebody else keeps, shown as metrics when these are asked for.
package struct ShownCounts<Source>: Sendable {
    private let shows: [@Sendable (Source) -> Void]

    /// Rows whose names end in `_total` are counters, the others gauges.
    package init(_ registry: MetricsRegistry, _ rows: [(name: String, help: String, read: @Sendable (Source) -> Int)]) {
        shows = rows.map { name, help, read in
            if name.hasSuffix("_total") {
                let counter = registry.counter(name, help: help)
                return { counter.raise(to: UInt64(max(0, read($0)))) }
            }
            let gauge = registry.gauge(name, help: help)
            return { gauge.set(Int64(read($0))) }
        }
    }

    package func show(_ source: Source) {
        for show in shows { show(source) }
    }
}
