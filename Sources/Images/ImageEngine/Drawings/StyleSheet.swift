/// The rules of an SVG that affect the cost. Only the last part of a selector counts, a class, an id or a name: this
/// matches at least what a browser or librsvg matches.
struct StyleSheet {
    enum Subject: Hashable {
        case all
        case name(ArraySlice<UInt8>)
        case className(ArraySlice<UInt8>)
        case id(ArraySlice<UInt8>)
    }

    /// The union of all rules for each subject.
    var rules: [Subject: SVGInspector.Marks] = [:]
    private(set) var lengths = SVGLengths()
    /// Of all that rules and elements refer to.
    var names = NameNumbers()
    /// Simple selectors and declarations of all rules, and parts of selectors that look at ancestors and siblings.
    private(set) var selectorCount = 0.0
    private(set) var declarationCount = 0.0
    private(set) var ancestorPartCount = 0.0
    private(set) var siblingPartCount = 0.0
    private(set) var countingPartCount = 0.0

    /// References that rules give to their subjects.
    private var referenceCount = 0

    /// `depth` and `siblings` are sums over all elements. Measured with librsvg 2.54.
    func nanoseconds(elementCount: Int, depth: Double, siblings: Double) -> Double {
        Double(elementCount) * (30 * selectorCount + 20 * declarationCount) + depth * 16 * ancestorPartCount
            + siblings * (13 * siblingPartCount + 4 * countingPartCount)
    }

    /// Adds the rules of normalised `text`.
    mutating func add(_ text: ArraySlice<UInt8>) throws(ImageError) {
        var prelude = text.prefix { $0 != UInt8(ascii: "{") }
        var start = prelude.endIndex
        while start < text.endIndex {
            let block = text[(start + 1)...].prefix { $0 != UInt8(ascii: "{") }
            start = block.endIndex
            let end = block.firstIndex(of: UInt8(ascii: "}")) ?? block.endIndex
            try add(prelude, block[..<end])
            // Rules may be nested, as in `@media`.
            prelude = block.lastIndex(of: UInt8(ascii: "}")).map { block[($0 + 1)...] } ?? block
        }
    }

    private mutating func add(_ selectors: ArraySlice<UInt8>, _ declarations: ArraySlice<UInt8>) throws(ImageError) {
        let selectors = TextParts(selectors) { $0 == UInt8(ascii: ",") }
        // `count` refuses more than these.
        let isOutlined = selectors.prefix(DrawingLimits.selectors).contains { Self.mayBeOutlined(Self.subject(of: $0)) }
        let marks = try SVGInspector.Marks(declarations: declarations, isOutlined: isOutlined, &lengths, &names)
        declarationCount += Double(declarations.count { $0 == UInt8(ascii: ";") } + 1)
        for selector in selectors {
            count(selector)
            guard selectorCount <= Double(DrawingLimits.selectors) else { throw .tooComplex(.styles) }
            guard marks.counts else { continue }
            referenceCount += marks.references.count
            guard referenceCount <= DrawingLimits.references else {
                throw .tooComplex(.elements(limit: DrawingLimits.elements))
            }
            let subject = Self.subject(of: selector)
            var known = rules[subject] ?? SVGInspector.Marks()
            try known.join(marks)
            rules[subject] = known
        }
    }

    private static func mayBeOutlined(_ subject: Subject) -> Bool {
        if case .name(let name) = subject { ShapeOutline.isOutlined(name) } else { true }
    }

    private mutating func count(_ selector: ArraySlice<UInt8>) {
        selectorCount += Double(1 + selector.count { ".#[:".utf8.contains($0) })
        let partCount = TextParts(selector, separator: Self.isCombinator).reduce(0) { count, _ in count + 1 }
        ancestorPartCount += Double(max(0, partCount - 1))
        siblingPartCount += Double(selector.count { $0 == UInt8(ascii: "~") })
        let text = String(decoding: selector, as: UTF8.self).lowercased()
        countingPartCount += Double(text.ranges(of: "nth-").count + text.ranges(of: "-of-type").count)
    }

    private static func isCombinator(_ byte: UInt8) -> Bool {
        byte.isBlank || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "~")
    }

    /// The elements that `selector` may match.
    private static func subject(of selector: ArraySlice<UInt8>) -> Subject {
        // Brackets are not parsed.
        guard !selector.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "(") }) else { return .all }
        guard let end = selector.lastIndex(where: { !isCombinator($0) }) else { return .all }
        let start = selector[..<end].lastIndex(where: isCombinator).map { $0 + 1 } ?? selector.startIndex
        let last = selector[start...end]
        func part(after mark: UInt8) -> ArraySlice<UInt8>? {
            last.firstIndex(of: mark).map { start in last[(start + 1)...].prefix { !".#:".utf8.contains($0) } }
        }
        if let name = part(after: UInt8(ascii: ".")) { return .className(name) }
        if let name = part(after: UInt8(ascii: "#")) { return .id(name) }
        let name = last.prefix { $0 != UInt8(ascii: ":") }
        let local = name.lastIndex(of: UInt8(ascii: "|")).map { name[($0 + 1)...] } ?? name
        return local.isEmpty || local.elementsEqual("*".utf8) ? .all : .name(local)
    }
}

enum StyleText {
    /// `text` without comments, and with separators inside quotes replaced. Throws `tooComplex` for escaped names and
    /// style sheets in a `data:` URL.
    static func normalised(_ text: ArraySlice<UInt8>) throws(ImageError) -> ArraySlice<UInt8> {
        var isPlain = true
        for byte in text where isPlain { isPlain = !"\\/\"'@".utf8.contains(byte) }
        guard !isPlain else { return text }
        var kept: [UInt8] = []
        kept.reserveCapacity(text.count)
        var (index, quote, isAddress) = (text.startIndex, UInt8(0), false)
        while index < text.endIndex {
            let byte = text[index]
            let next = index + 1 < text.endIndex ? text[index + 1] : 0
            if quote == 0, byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
                index = end(ofCommentIn: text, from: index + 2)
                kept.append(UInt8(ascii: " "))
                continue
            }
            if byte == UInt8(ascii: "\\") {
                guard quote != 0, !isAddress else { throw .tooComplex(.expansion) }
                // An escaped character ends nothing.
                index += 2
                continue
            }
            if quote == 0, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
                isAddress = endsInAddress(kept)
            } else if byte == quote {
                quote = 0
            }
            kept.append(quote != 0 && "{};,".utf8.contains(byte) ? UInt8(ascii: "_") : byte)
            index += 1
        }
        let words = String(decoding: kept, as: UTF8.self).lowercased()
        if words.contains("@import"), words.contains("data:") || text.contains(UInt8(ascii: "\\")) {
            throw .tooComplex(.expansion)
        }
        return kept[...]
    }

    private static func end(ofCommentIn text: ArraySlice<UInt8>, from start: Int) -> Int {
        var index = min(start, text.endIndex)
        while let star = text[index...].firstIndex(of: UInt8(ascii: "*")) {
            if star + 1 < text.endIndex, text[star + 1] == UInt8(ascii: "/") { return star + 2 }
            index = star + 1
        }
        return text.endIndex
    }

    /// Whether a quote after `kept` belongs to `url("…")`.
    private static func endsInAddress(_ kept: [UInt8]) -> Bool {
        let end = kept.suffix(16).filter { !$0.isBlank }.suffix(4)
        return String(decoding: end, as: UTF8.self).lowercased() == "url("
    }
}
