import MapStyle

/// Joins lines of the same text that meet at their ends, so that the name of a street in pieces finds more room.
struct LineMerger {
    private struct End: Hashable {
        /// Of the text, among all texts.
        var number: Int
        var vertex: TileVertex
    }

    /// A line that grows at both ends.
    private struct Chain {
        /// What stands before `line`, backwards.
        private var front: [TileVertex] = []
        private var line: [TileVertex]

        init(_ line: [TileVertex]) { self.line = line }

        var count: Int { front.count + line.count }
        var vertices: [TileVertex] {
            var vertices = Array(front.reversed())
            vertices += line
            return vertices
        }
        var last: TileVertex? { line.last }

        /// Its first vertex is the last of the chain.
        mutating func append(_ further: [TileVertex]) { line.append(contentsOf: further.dropFirst()) }

        /// Its last vertex is the first of the chain.
        mutating func prepend(_ further: [TileVertex]) { front.append(contentsOf: further.dropLast().reversed()) }
    }

    private(set) var merged: [SymbolFeature] = []
    /// How many vertices were moved to other lines.
    private(set) var movedCount = 0
    /// The lines that were joined, by their places in `merged`.
    private var chains: [Int: Chain] = [:]
    private var texts: [String: Int] = [:]
    private var starts: [End: Int] = [:]
    private var ends: [End: Int] = [:]

    /// Joins the first lines of features with texts. O(vertices · log vertices). Throws `cancelled`.
    static func merge(
        _ features: [SymbolFeature], shouldStop: () -> Bool = { false }
    ) throws(MapError) -> [SymbolFeature] {
        try LineMerger(features, shouldStop: shouldStop).merged
    }

    init(_ features: [SymbolFeature], shouldStop: () -> Bool = { false }) throws(MapError) {
        merged.reserveCapacity(features.count)
        for (count, feature) in features.enumerated() {
            if count % 1024 == 1023, shouldStop() { throw .cancelled }
            add(feature)
        }
        for (index, chain) in chains { merged[index].lines[0] = chain.vertices }
        merged.removeAll { $0.lines.isEmpty }
    }

    private mutating func add(_ feature: SymbolFeature) {
        guard let text = feature.text?.text, !text.isEmpty, let line = feature.lines.first, let first = line.first,
            let last = line.last
        else {
            merged.append(feature)
            return
        }
        let number = number(of: text)
        let start = End(number: number, vertex: first)
        let end = End(number: number, vertex: last)
        switch (ends[start], starts[end]) {
        case (let before?, let after?) where before != after:
            for place in [start, end] {
                starts[place] = nil
                ends[place] = nil
            }
            let chain = joined(takeChain(before), line, takeChain(after))
            chains[before] = chain
            merged[after].lines = []
            if let vertex = chain.last { ends[End(number: number, vertex: vertex)] = before }
        case (let before?, _):
            ends[start] = nil
            ends[end] = before
            var chain = takeChain(before)
            chain.append(line)
            chains[before] = chain
            movedCount += line.count
        case (nil, let after?):
            starts[end] = nil
            starts[start] = after
            var chain = takeChain(after)
            chain.prepend(line)
            chains[after] = chain
            movedCount += line.count
        case (nil, nil):
            merged.append(feature)
            starts[start] = merged.count - 1
            ends[end] = merged.count - 1
        }
    }

    private mutating func number(of text: String) -> Int {
        if let known = texts[text] { return known }
        texts[text] = texts.count
        return texts.count - 1
    }

    /// Out of `chains`, so that it grows in place.
    private mutating func takeChain(_ index: Int) -> Chain {
        chains.removeValue(forKey: index) ?? Chain(merged[index].lines[0])
    }

    /// Moves the shorter one.
    private mutating func joined(_ before: consuming Chain, _ line: [TileVertex], _ after: consuming Chain) -> Chain {
        movedCount += line.count + min(before.count, after.count)
        if before.count >= after.count {
            before.append(line)
            before.append(after.vertices)
            return before
        }
        after.prepend(line)
        after.prepend(before.vertices)
        return after
    }
}
