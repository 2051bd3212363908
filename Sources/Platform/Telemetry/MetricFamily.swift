package struct Label: Sendable, Equatable {
    /// For undeclared values.
    package static let other = "other"

    let name: String
    let values: [String]

    /// Values never come from requests.
    package init(_ name: String, _ values: [String]) {
        self.name = MetricText.name(name)
        var unique: [String] = []
        for value in values where value != Label.other && !unique.contains(value) { unique.append(value) }
        self.values = unique + [Label.other]
    }
}

/// All series exist from the start, so finding one takes no lock; memory is the product of the numbers of values.
package final class MetricFamily<Metric: ExposedMetric>: Sendable {
    let name: String
    private let help: String
    private let labels: [Label]
    private let metrics: [Metric]

    init(name: String, help: String, labels: [Label], make: () -> Metric) {
        self.name = MetricText.name(name)
        self.help = help
        self.labels = labels
        metrics = (0..<labels.reduce(1) { $0 * $1.values.count }).map { _ in make() }
    }

    /// Undeclared and missing values count as ``Label/other``. O(values): keep the result where it is used often.
    package func series(_ values: String...) -> Metric {
        var index = 0
        for (position, label) in labels.enumerated() {
            let value = position < values.count ? values[position] : Label.other
            index = index * label.values.count + (label.values.firstIndex(of: value) ?? label.values.count - 1)
        }
        return metrics[index]
    }
}

extension MetricFamily: ExposedFamily {
    /// Without series of labelled families that never counted anything.
    func write(_ format: MetricFormat, to text: inout String) {
        text += format.head(of: name, help, Metric.typeName)
        for index in metrics.indices where labels.isEmpty || !metrics[index].isUntouched {
            metrics[index].write(SeriesName(name: name, labelText: labelText(index)), to: &text)
        }
    }

    private func labelText(_ index: Int) -> String {
        var rest = index
        var pairs: [String] = []
        for label in labels.reversed() {
            pairs.append("\(label.name)=\"\(MetricText.labelValue(label.values[rest % label.values.count]))\"")
            rest /= label.values.count
        }
        return pairs.reversed().joined(separator: ",")
    }
}

/// Always 1.
struct InfoFamily: ExposedFamily {
    let name: String
    let help: String
    let labels: [(name: String, value: String)]

    func write(_ format: MetricFormat, to text: inout String) {
        let pairs = labels.map { "\(MetricText.name($0.name))=\"\(MetricText.labelValue($0.value))\"" }
        text += format.head(of: name, help, "gauge")
        SeriesName(name: name, labelText: pairs.joined(separator: ",")).write("1", to: &text)
    }
}

protocol ExposedFamily: Sendable {
    var name: String { get }
    func write(_ format: MetricFormat, to text: inout String)
}
