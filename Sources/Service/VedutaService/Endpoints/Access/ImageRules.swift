import ImagePlan
import Parameters
import ServiceConfiguration

/// What the operator allows of `/asset`, `/srcset` and `/iiif`.
struct ImageRules: Sendable {
    var sizes = SizeRules()
    var presetsOnly = false

    init() {}

    init(_ configuration: Configuration) {
        sizes = SizeRules(
            sideLimitPx: configuration.imageSide, widthsPx: configuration.sizes,
            roundsUp: configuration.sizeRule == .round)
        presetsOnly = configuration.presetsOnly
    }

    /// With presets alone, `id` and `preset` are all there is.
    func check(_ items: [QueryItem]) throws(ParameterFaults) {
        guard presetsOnly else { return }
        let given = items.filter { !$0.value.isEmpty }
        var faults = given.filter { $0.name != "id" && $0.name != "preset" }.map { item in
            ParameterFault(
                parameter: item.name, value: item.value,
                reason: .malformed(allowed: "left out: this server takes only `id` and `preset`"))
        }
        if !given.contains(where: { $0.name == "preset" }) {
            faults.append(ParameterFault(parameter: "preset", value: "", reason: .missing))
        }
        guard faults.isEmpty else { throw ParameterFaults(faults) }
    }
}
