import Parameters

/// A scale bar in a corner of a map, written `UNITS,CORNER`.
package struct ScaleBar: Hashable, Sendable {
    package enum Units: String, CaseIterable, Sendable { case metric, imperial, both, nautical }

    package var units = Units.metric
    package var corner = MapLook.Corner.bottomLeft

    package init() {}

    private static let none = "none"
    private static let allowed =
        "none, or units (\(ParameterReader.list(Units.allCases.map(\.rawValue)))), a corner (\(ParameterReader.list(MapLook.Corner.allCases.map(\.rawValue)))), or both such as metric,bottom-left"

    /// Units and corner come in any order, and one of them may be left out.
    static func parse(_ text: String) throws(Fault) -> ScaleBar? {
        if text == none { return nil }
        var (units, corner) = (Units?.none, MapLook.Corner?.none)
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let word = String(part)
            if units == nil, let found = Units(rawValue: word) {
                units = found
            } else if corner == nil, let found = MapLook.Corner(rawValue: word) {
                corner = found
            } else {
                let words = [none] + Units.allCases.map(\.rawValue) + MapLook.Corner.allCases.map(\.rawValue)
                let hint = words.contains(word) ? "" : Suggestion.hint(for: word, among: words)
                throw .malformed(allowed: allowed + hint)
            }
        }
        var bar = ScaleBar()
        bar.units = units ?? bar.units
        bar.corner = corner ?? bar.corner
        return bar
    }

    /// The shortest text that `parse` accepts, with the units.
    var canonical: String { units.rawValue + (corner == ScaleBar().corner ? "" : ",\(corner.rawValue)") }
}

extension MapLook.Corner {
    /// A corner; nil for `none`.
    static func parse(_ text: String) throws(Fault) -> MapLook.Corner? {
        if text == "none" { return nil }
        guard let corner = MapLook.Corner(rawValue: text) else {
            throw ParameterReader.unlisted(text, among: allCases.map(\.rawValue) + ["none"])
        }
        return corner
    }
}
