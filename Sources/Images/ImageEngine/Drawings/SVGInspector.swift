// An SVG's size says little of its cost: elements use others, lines have millions of dashes, filters walk over the
// canvas. The text is read once, without a tree of strings, before any library parses it.

import Bytes
import ImagePlan

/// Counts what an SVG draws, or finds that it is too much.
struct SVGInspector: MarkupReader {
    /// The cost of an element with all it shows. By index: 0 elements, 1 layers, 2 filter steps, 3 length of lines in
    /// diagonals of the drawing, 4 shapes and 5 vertices, which may inherit paint and markers, 6 dashes, 7 length of
    /// all outlines, which may inherit dashes.
    typealias Load = SIMD8<Double>

    struct Node {
        var own = Load(1, 0, 0, 0, 0, 0, 0, 0)
        var references: [Reference] = []
        /// The children as a list from the last to the first.
        var lastChild = -1
        var elderSibling = -1
        var childCount = 0
        var isHidden = false
    }

    let text: [UInt8]
    var nodes: [Node] = [Node()]
    var open: [Int] = [0]
    var places: [ArraySlice<UInt8>: Int] = [:]
    var diagonal = 0.0
    /// The depth at which a style sheet, and a text, was opened.
    var styleDepth = Int.max
    var isInStyle: Bool { open.count >= styleDepth }
    var textDepth = Int.max
    var isInText: Bool { open.count >= textDepth }
    /// Rules may follow the elements they match: they are collected first, then the text is read again.
    var sheet = StyleSheet()
    let readsSheets: Bool
    /// What the rule for all elements says of those that are no shapes.
    let ruleForOthers: Marks?
    /// References that elements have or rules give them.
    private var referenceCount = 0
    /// Ancestors and elder siblings of all elements.
    var ancestorCount = 0.0
    var siblingCount = 0.0
    var picturePixelCount = 0
    var pictureCount = 0
    /// Pixels of each embedded image, in the order of the text. The second reading takes them from the first.
    var picturePixelCounts: [Int] = []
    /// Whether any line is drawn: fills cost little by the length of their outlines.
    var isStroked = false
    /// The shortest dash period that a group or a text passes on, in units of the drawing.
    var sharedPeriod = Double.infinity
    var lengths = SVGLengths()
    /// Bytes of the longest entity, and of all entities used.
    var longestEntity = 0
    var entityByteCount = 0
    /// Bytes of the longest text laid out in one piece, and of the longest path.
    var longestText = 0
    var longestPath = 0
    private let context: RenderContext

    /// Throws `tooComplex`, and `cancelled` after a stop, checked every few thousand elements. O(bytes).
    static func complexity(
        of bytes: SharedBytes, in context: RenderContext = RenderContext()
    ) throws(ImageError) -> DrawingComplexity {
        guard bytes.count <= DrawingLimits.byteCount else {
            throw .tooComplex(.byteCount(limit: DrawingLimits.byteCount))
        }
        let text = unsafe bytes.withUnsafeBytes { unsafe Array($0) }
        var inspector = SVGInspector(text: text, in: context)
        try inspector.read()
        guard !inspector.sheet.rules.isEmpty else { return try inspector.complexity() }
        _ = try inspector.stylingNanoseconds()
        inspector = SVGInspector(text: text, after: inspector, in: context)
        try inspector.read()
        return try inspector.complexity()
    }

    /// After a `first` reading that collected the rules of `text`, they are skipped.
    private init(text: [UInt8], after first: SVGInspector? = nil, in context: RenderContext) {
        self.context = context
        self.text = text
        let known = first?.sheet ?? StyleSheet()
        sheet = known
        lengths = known.lengths
        ruleForOthers = known.rules[.all]?.withoutInherited
        picturePixelCounts = first?.picturePixelCounts ?? []
        readsSheets = first == nil
    }

    /// The time librsvg needs to match rules, which cannot be stopped.
    private func stylingNanoseconds() throws(ImageError) -> Double {
        let found = sheet.nanoseconds(elementCount: nodes.count, depth: ancestorCount, siblings: siblingCount)
        guard found <= DrawingLimits.stylingNanoseconds else { throw .tooComplex(.styles) }
        return found
    }

    func complexity() throws(ImageError) -> DrawingComplexity {
        let load = try load()
        let inherited = sharedPeriod.isFinite ? load[7] / max(sharedPeriod, 1e-300) : 0
        let dashes = (load[6] + inherited) * lengths.relativeShare
        guard dashes <= Double(DrawingLimits.dashes) else { throw .tooComplex(.dashes(limit: DrawingLimits.dashes)) }
        let styling = try stylingNanoseconds() / Self.nanosecondsPerElement
        guard load[0] <= Double(DrawingLimits.elements) else {
            throw .tooComplex(.elements(limit: DrawingLimits.elements))
        }
        func whole(_ number: Double) -> Int { Int(held: number.rounded(.up), in: 0...1_000_000_000) }
        var complexity = DrawingComplexity(
            elementCount: whole(load[0] + dashes / 8 + styling), layerCount: whole(load[1]),
            filterCount: whole(load[2]), lineLength: min(1e12, load[3]) * (isStroked ? 1 : 0.07))
        complexity.picturePixelCount = picturePixelCount
        complexity.heldByteCount = heldByteCount(dashes: dashes)
        return complexity
    }

    /// Approximate memory of librsvg 2.54: its tree, path numbers, glyphs of the longest text, a dashed line.
    private func heldByteCount(dashes: Double) -> Int {
        1200 * nodes.count + 24 * (text.count + entityByteCount) + 10_000 * longestText
            + (isStroked ? DrawingLimits.heldBytesPerPathByte * longestPath : 0)
            + 150 * Int(held: dashes, in: 0...DrawingLimits.dashes)
    }

    func checkStop() throws(ImageError) {
        if nodes.count % 4096 == 0 { try context.checkStop() }
    }

    /// Adds references, and checks for a stop every few thousand of them; throws `tooComplex` over the limit.
    mutating func note(referenceCount count: Int) throws(ImageError) {
        let before = referenceCount
        referenceCount += count
        guard referenceCount <= DrawingLimits.references else {
            throw .tooComplex(.elements(limit: DrawingLimits.elements))
        }
        if referenceCount / 4096 > before / 4096 { try context.checkStop() }
    }

    /// The node that each name refers to, by its number.
    private func targets() throws(ImageError) -> [Int?] {
        var targets = [Int?](repeating: nil, count: sheet.names.all.count)
        for (name, number) in sheet.names.all {
            if number % 4096 == 4095 { try context.checkStop() }
            targets[number] = places[name]
        }
        return targets
    }

    /// Approximate time to draw one element, as in `CostTable`.
    static let nanosecondsPerElement = 22_000.0

    /// The cost of the whole drawing. A node is summed up after those that it shows; a cycle adds nothing.
    func load() throws(ImageError) -> Load {
        let targets = try targets()
        var stepCount = 0
        var known = [Load?](repeating: nil, count: nodes.count)
        var isEntered = [Bool](repeating: false, count: nodes.count)
        var stack = [0]
        while let index = stack.last {
            if known[index] != nil {
                stack.removeLast()
                continue
            }
            let node = nodes[index]
            let children = children(of: node)
            let shown = node.references.compactMap { one in targets[one.name].map { ($0, one.isFor) } }
            stepCount += 1 + children.count + node.references.count
            if stepCount >= 4096 {
                stepCount = 0
                try context.checkStop()
            }
            if !isEntered[index] {
                isEntered[index] = true
                stack += (children + shown.map(\.0)).filter { known[$0] == nil && !isEntered[$0] }
                continue
            }
            var sum = children.reduce(node.own) { $0 + (known[$1] ?? .zero) }
            for case (let index, .itself) in shown { sum += known[index] ?? .zero }
            for (index, use) in shown where use != .itself {
                var painted = known[index] ?? .zero
                (painted[4], painted[5]) = (0, 0)
                sum += painted * (use == .vertices ? sum[5] : sum[4])
            }
            known[index] = pointwiseMin(sum, Load(repeating: 1e15))
            stack.removeLast()
        }
        return known[0] ?? .zero
    }

    private func children(of node: Node) -> [Int] {
        var children: [Int] = []
        var child = node.lastChild
        while child >= 0 {
            if !nodes[child].isHidden { children.append(child) }
            child = nodes[child].elderSibling
        }
        return children
    }
}
