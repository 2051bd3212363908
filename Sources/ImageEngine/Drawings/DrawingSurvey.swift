// What an SVG asks for does not show in its size: elements use others again, lines have millions of dashes, filters walk over
// the canvas. The text is read once, without a tree of strings, before any library parses it.

import Bytes
import ImagePlan

/// Counts what there is to draw in an SVG, or finds that it is too much.
struct DrawingSurvey: MarkupReader {
    /// What an element comes to with all that it shows: elements, surfaces of their own, steps of filters, and length of
    /// lines in diagonals of the drawing.
    typealias Load = SIMD4<Double>

    struct Node {
        var own = Load(1, 0, 0, 0)
        /// What it shows of other elements, and how often.
        var references: [(name: ArraySlice<UInt8>, times: Double)] = []
        /// The elements inside it, as a list from the last to the first.
        var lastChild = -1
        var elderSibling = -1
        /// Whether it is only drawn where others refer to it.
        var isHidden = false
    }

    let text: [UInt8]
    var nodes: [Node] = [Node()]
    var open: [Int] = [0]
    var places: [ArraySlice<UInt8>: Int] = [:]
    var diagonal = 0.0
    var isInStyle = false
    /// Whether anything says that lines are drawn: areas cost little by their outlines.
    var isStroked = false
    /// The length of all lines, in units of the drawing, and the shortest dashes that a rule or a group gives to any of them.
    var lineLength = 0.0
    var sharedPeriod = Double.infinity
    var dashCount = 0.0

    /// Reads `bytes`. Throws `tooComplex`. O(bytes); memory for what stands in the tags.
    static func traits(of bytes: SharedBytes) throws(ImageError) -> DrawingTraits {
        guard bytes.count <= DrawingLimits.byteCount else {
            throw .tooComplex(.byteCount(limit: DrawingLimits.byteCount))
        }
        var survey = DrawingSurvey(text: unsafe bytes.withUnsafeBytes { unsafe Array($0) })
        try survey.read()
        return try survey.traits()
    }

    init(text: [UInt8]) {
        self.text = text
    }

    func traits() throws(ImageError) -> DrawingTraits {
        let dashes = dashCount + (sharedPeriod.isFinite ? lineLength / max(sharedPeriod, 1e-300) : 0)
        guard dashes <= Double(DrawingLimits.dashes) else { throw .tooComplex(.dashes(limit: DrawingLimits.dashes)) }
        let load = load()
        guard load.x <= Double(DrawingLimits.elements) else {
            throw .tooComplex(.elements(limit: DrawingLimits.elements))
        }
        func whole(_ number: Double) -> Int { Int(held: number.rounded(.up), in: 0...1_000_000_000) }
        return DrawingTraits(
            elementCount: whole(load.x + dashes / 8), layerCount: whole(load.y), filterCount: whole(load.z),
            lineLength: min(1e12, load.w) * (isStroked ? 1 : 0.07))
    }

    /// What the whole drawing comes to. Nodes are summed up after those that they show; what shows itself shows nothing.
    func load() -> Load {
        var known = [Load?](repeating: nil, count: nodes.count)
        var isEntered = [Bool](repeating: false, count: nodes.count)
        var stack = [0]
        while let index = stack.last {
            if known[index] != nil {
                stack.removeLast()
                continue
            }
            let parts = parts(of: nodes[index])
            if !isEntered[index] {
                isEntered[index] = true
                stack += parts.lazy.map(\.index).filter { known[$0] == nil && !isEntered[$0] }
                continue
            }
            let sum = parts.reduce(nodes[index].own) { $0 + (known[$1.index] ?? .zero) * $1.times }
            known[index] = pointwiseMin(sum, Load(repeating: 1e15))
            stack.removeLast()
        }
        return known[0] ?? .zero
    }

    func parts(of node: Node) -> [(index: Int, times: Double)] {
        var parts: [(index: Int, times: Double)] = []
        var child = node.lastChild
        while child >= 0 {
            if !nodes[child].isHidden { parts.append((child, 1)) }
            child = nodes[child].elderSibling
        }
        for reference in node.references {
            if let index = places[reference.name] { parts.append((index, reference.times)) }
        }
        return parts
    }
}
