/// How metrics are written. The lines of samples are the same in both, so that a series has one identity.
package enum MetricFormat: CaseIterable, Sendable {
    /// The text exposition format 0.0.4 of Prometheus.
    case prometheus
    /// OpenMetrics 1.0.0.
    case openMetrics

    package var mediaType: String {
        switch self {
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// In OpenMetrics, a counter's family has no `_total`, and its help escapes quotes.
    func head(of name: String, _ help: String, _ typeName: String) -> String {
        let isOpen = self == .openMetrics
        let isTotal = isOpen && typeName == Counter.typeName && name.hasSuffix("_total")
        let family = isTotal ? String(name.dropLast("_total".count)) : name
        let help = isOpen ? MetricText.labelValue(help) : MetricText.help(help)
        return "# HELP \(family) \(help)\n# TYPE \(family) \(typeName)\n"
    }

    var end: String { self == .openMetrics ? "# EOF\n" : "" }
}

package protocol ExposedMetric: Sendable {
    /// The word after `# TYPE`.
    static var typeName: String { get }
    /// It never counted anything.
    var isUntouched: Bool { get }
    func write(_ series: SeriesName, to text: inout String)
}

package struct SeriesName: Sendable {
    let name: String
    /// `a="x",b="y"`, escaped.
    let labelText: String

    func write(_ value: String, suffix: String = "", bound: String? = nil, to text: inout String) {
        text += name + suffix
        let all = [labelText, bound.map { "le=\"\($0)\"" } ?? ""].filter { !$0.isEmpty }
        if !all.isEmpty { text += "{" + all.joined(separator: ",") + "}" }
        text += " " + value + "\n"
    }
}

enum MetricText {
    static func name(_ text: String) -> String {
        var name = ""
        for (index, scalar) in text.unicodeScalars.enumerated() {
            switch scalar {
            case "a"..."z", "A"..."Z", "_": name.unicodeScalars.append(scalar)
            case "0"..."9" where index > 0: name.unicodeScalars.append(scalar)
            default: name += "_"
            }
        }
        return name.isEmpty ? "_" : name
    }

    static func help(_ text: String) -> String { escaped(text, quote: false) }
    static func labelValue(_ text: String) -> String { escaped(text, quote: true) }

    private static func escaped(_ text: String, quote: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quote: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// `0.005`, `1`, `1e-07`.
    static func number(_ value: Double) -> String { Int64(exactly: value).map { "\($0)" } ?? "\(value)" }

    /// `0.005`, `1.0`: OpenMetrics wants the point.
    static func bound(_ value: Double) -> String { "\(value)" }
}

extension Counter: ExposedMetric {
    package static var typeName: String { "counter" }
    package var isUntouched: Bool { value == 0 }
    package func write(_ series: SeriesName, to text: inout String) { series.write("\(value)", to: &text) }
}

extension Gauge: ExposedMetric {
    package static var typeName: String { "gauge" }
    /// 0 says something.
    package var isUntouched: Bool { false }
    package func write(_ series: SeriesName, to text: inout String) { series.write("\(value)", to: &text) }
}

extension SecondsCounter: ExposedMetric {
    package static var typeName: String { "counter" }
    package var isUntouched: Bool { seconds == 0 }
    package func write(_ series: SeriesName, to text: inout String) {
        series.write(MetricText.number(seconds), to: &text)
    }
}

extension SecondsGauge: ExposedMetric {
    package static var typeName: String { "gauge" }
    /// 0 says something.
    package var isUntouched: Bool { false }
    package func write(_ series: SeriesName, to text: inout String) {
        series.write(MetricText.number(seconds), to: &text)
    }
}

extension ShareGauge: ExposedMetric {
    package static var typeName: String { "gauge" }
    /// 0 says something.
    package var isUntouched: Bool { false }
    package func write(_ series: SeriesName, to text: inout String) {
        series.write(MetricText.number(share), to: &text)
    }
}

extension Histogram: ExposedMetric {
    package static var typeName: String { "histogram" }
    package func write(_ series: SeriesName, to text: inout String) {
        let snapshot = snapshot
        for (bound, count) in zip(bounds, snapshot.cumulativeCounts) {
            series.write("\(count)", suffix: "_bucket", bound: MetricText.bound(bound), to: &text)
        }
        series.write("\(snapshot.count)", suffix: "_bucket", bound: "+Inf", to: &text)
        series.write(MetricText.number(snapshot.sum), suffix: "_sum", to: &text)
        series.write("\(snapshot.count)", suffix: "_count", to: &text)
    }
}
