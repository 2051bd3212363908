// The text exposition format 0.0.4 of Prometheus.

/// A metric that can be shown: ``Counter``, ``Gauge``, ``Histogram``.
package protocol ExposedMetric: Sendable {
    /// The word after `# TYPE`.
    static var typeName: String { get }
    var isUntouched: Bool { get }
    /// Appends the sample lines of this series.
    func write(_ series: SeriesName, to text: inout String)
}

/// The name and labels of a series.
package struct SeriesName: Sendable {
    let name: String
    /// `a="x",b="y"`, escaped already; may be empty.
    let labelText: String

    func write(_ value: String, suffix: String = "", bound: String? = nil, to text: inout String) {
        text += name + suffix
        let all = [labelText, bound.map { "le=\"\($0)\"" } ?? ""].filter { !$0.isEmpty }
        if !all.isEmpty { text += "{" + all.joined(separator: ",") + "}" }
        text += " " + value + "\n"
    }
}

/// The escapes of the format.
enum MetricText {
    /// `text` with what is not allowed in a metric or label name replaced by `_`.
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

    /// `0.005`, `1`, `10`, `1e-07`: whole numbers without a fraction.
    static func number(_ value: Double) -> String {
        if let whole = Int64(exactly: value) { return "\(whole)" }
        return "\(value)"
    }
}

extension Counter: ExposedMetric {
    /// `counter`.
    package static var typeName: String { "counter" }
    /// Whether it is 0.
    package var isUntouched: Bool { value == 0 }
    package func write(_ series: SeriesName, to text: inout String) {
        series.write("\(value)", to: &text)
    }
}

extension Gauge: ExposedMetric {
    /// `gauge`.
    package static var typeName: String { "gauge" }
    /// Never: the level 0 says something.
    package var isUntouched: Bool { false }
    package func write(_ series: SeriesName, to text: inout String) {
        series.write("\(value)", to: &text)
    }
}

extension SecondsCounter: ExposedMetric {
    /// `counter`.
    package static var typeName: String { "counter" }
    /// Whether it is 0.
    package var isUntouched: Bool { seconds == 0 }
    package func write(_ series: SeriesName, to text: inout String) {
        series.write(MetricText.number(seconds), to: &text)
    }
}

extension ShareGauge: ExposedMetric {
    /// `gauge`.
    package static var typeName: String { "gauge" }
    /// Never: the share 0 says something.
    package var isUntouched: Bool { false }
    package func write(_ series: SeriesName, to text: inout String) {
        series.write(MetricText.number(share), to: &text)
    }
}

extension Histogram: ExposedMetric {
    /// `histogram`.
    package static var typeName: String { "histogram" }
    package var isUntouched: Bool { snapshot.count == 0 }
    /// A line a bucket, the sum and the count.
    package func write(_ series: SeriesName, to text: inout String) {
        let snapshot = snapshot
        for (bound, count) in zip(bounds, snapshot.cumulativeCounts) {
            series.write("\(count)", suffix: "_bucket", bound: MetricText.number(bound), to: &text)
        }
        series.write("\(snapshot.count)", suffix: "_bucket", bound: "+Inf", to: &text)
        series.write(MetricText.number(snapshot.sum), suffix: "_sum", to: &text)
        series.write("\(snapshot.count)", suffix: "_count", to: &text)
    }
}
