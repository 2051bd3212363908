import MapStyle

/// Joins lines of the same text that meet at their ends, so that the name of a street in pieces finds more room.
struct LineMerger {
    private struct End: Hashable {
        var text: String
        var vertex: TileVertex
    }

    private var merged: [SymbolFeature] = []
    private var starts: [End: Int] = [:]
    private var ends: [End: Int] = [:]

    /// Joins the first lines of features with texts. O(vertices) end to end, more for lines that grow from their start.
    static func merge(_ features: consuming [SymbolFeature]) -> [SymbolFeature] {
        var merger = LineMerger()
        merger.merged.reserveCapacity(features.count)
        for feature in features { merger.add(feature) }
        return merger.merged.filter { !$0.lines.isEmpty }
    }

    private mutating func add(_ feature: SymbolFeature) {
        guard let text = feature.text?.text, !text.isEmpty, let line = feature.lines.first, let first = line.first,
            let last = line.last
        else {
            merged.append(feature)
            return
        }
        let start = End(text: text, vertex: first)
        let end = End(text: text, vertex: last)
        switch (ends[start], starts[end]) {
        case (let before?, let after?) where before != after:
            for place in [start, end] {
                starts[place] = nil
                ends[place] = nil
            }
            let rest = merged[after].lines[0].dropFirst()
            merged[before].lines[0].append(contentsOf: line.dropFirst())
            merged[before].lines[0].append(contentsOf: rest)
            merged[after].lines = []
            if let vertex = merged[before].lines[0].last { ends[End(text: text, vertex: vertex)] = before }
        case (let before?, _):
            ends[start] = nil
            ends[end] = before
            merged[before].lines[0].append(contentsOf: line.dropFirst())
        case (nil, let after?):
            starts[end] = nil
            starts[start] = after
            merged[after].lines[0] = line + merged[after].lines[0].dropFirst()
        case (nil, nil):
            merged.append(feature)
            starts[start] = merged.count - 1
            ends[end] = merged.count - 1
        }
    }
}
