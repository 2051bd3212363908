import MapStyle

/// Joins lines of the same text that meet at their ends: a street comes in many pieces, and its name finds more room on all of
/// them together.
struct LineMerger {
    private struct End: Hashable {
        var text: String
        var vertex: TileVertex
    }

    private var merged: [SymbolFeature] = []
    // Where in `merged` the line is that begins or ends with a vertex.
    private var starts: [End: Int] = [:]
    private var ends: [End: Int] = [:]

    /// The features with those joined that meet; only the first line of a feature counts. Features without text stay as they
    /// are. O(vertices) for lines that are joined end to end, more where they grow from their start.
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
            // The line closes the gap between two others.
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
