import MapText

/// Glyphs from the ranges that a style's `glyphs` names. Characters without a glyph are left out, as in MapLibre.
final class RangeGlyphs: GlyphSource {
    /// The ranges of one font stack that the picture has asked for.
    private final class Stack {
        let name: String
        var ranges = [GlyphRange?](repeating: nil, count: 256)
        var isAsked = [Bool](repeating: false, count: 256)
        /// The number of the last text that had a glyph of the range.
        var lastUses = [Int](repeating: 0, count: 256)

        init(name: String) {
            self.name = name
        }
    }

    private let template: String
    private let load: (_ address: String, _ first: UInt32) -> GlyphRange?
    private var stacks: [String: Stack] = [:]
    private var textNumber = 1
    private(set) var witnesses: [GlyphWitness] = []

    /// Glyphs at the addresses that `template` makes of `{fontstack}` and `{range}`. `load` gets a range by its address; it is
    /// asked once per picture and range.
    init(template: String, load: @escaping (_ address: String, _ first: UInt32) -> GlyphRange?) {
        self.template = template
        self.load = load
    }

    var name: String { template }

    func forgetWitnesses() {
        textNumber += 1
        witnesses.removeAll(keepingCapacity: true)
    }

    func holds(_ witnesses: [GlyphWitness]) -> Bool {
        witnesses.allSatisfy { range($0.index, stack($0.fontStack)) === $0.range }
    }

    func canSet(_ text: String) -> Bool { Script.isLegibleLetterByLetter(text) }

    /// Ranges hold Arabic letters in the forms that they have beside each other; letters of different sections are not joined.
    func prepare(_ text: inout TaggedText) {
        var (characters, sectionIndexes): ([UInt32], [Int]) = ([], [])
        var isChanged = false
        guard text.characters.contains(where: { (0x0600...0x06FF).contains($0) }) else { return }
        for section in text.sections.indices {
            let indexes = text.characters.indices.filter { text.sectionIndexes[$0] == section }
            let before = indexes.map { text.characters[$0] }
            let after = Bidi.arabicForms(before)?.map(\.character)
            isChanged = isChanged || after != nil
            characters += after ?? before
            sectionIndexes += [Int](repeating: section, count: after?.count ?? before.count)
        }
        if isChanged { text.replaceCharacters(characters, sectionIndexes: sectionIndexes) }
    }

    func measure(_ text: TaggedText) -> TextMeasure {
        let stacks = stacks(of: text)
        return TextMeasure(
            advances: text.characters.indices.map { index in
                stacks[text.sectionIndexes[index]].flatMap { glyph(text.characters[index], $0)?.metrics.advance }
            })
    }

    func lines(_ text: TaggedText, ends: [Int]) -> [[LineGlyph]] {
        let stacks = stacks(of: text)
        return Bidi.visualLines(text.characters, ends: ends).map { line in
            line.map { visual in
                let section = text.sectionIndexes[visual.index]
                return LineGlyph(
                    character: visual.character, sectionIndex: section,
                    glyph: stacks[section].flatMap { glyph(visual.character, $0) })
            }
        }
    }

    /// The glyph of a character.
    func glyph(_ character: UInt32, fontStack: String) -> GlyphImage? { glyph(character, stack(fontStack)) }

    /// The stacks of sections; nil for images.
    private func stacks(of text: TaggedText) -> [Stack?] {
        text.sections.map { $0.imageName == nil ? stack($0.fontStack) : nil }
    }

    private func stack(_ name: String) -> Stack {
        if let known = stacks[name] { return known }
        let stack = Stack(name: name)
        stacks[name] = stack
        return stack
    }

    /// Only characters of the first plane are in ranges.
    private func glyph(_ character: UInt32, _ stack: Stack) -> GlyphImage? {
        guard character <= 0xFFFF else { return nil }
        let index = Int(character >> 8)
        let range = range(index, stack)
        if stack.lastUses[index] != textNumber {
            stack.lastUses[index] = textNumber
            witnesses.append(GlyphWitness(fontStack: stack.name, index: index, range: range))
        }
        return range?[character]
    }

    private func range(_ index: Int, _ stack: Stack) -> GlyphRange? {
        if !stack.isAsked[index] {
            stack.isAsked[index] = true
            let first = UInt32(index) << 8
            let last = first + UInt32(GlyphRange.count) - 1
            let address = Self.filled(template, ["{fontstack}": stack.name, "{range}": "\(first)-\(last)"])
            stack.ranges[index] = load(address, first)
        }
        return stack.ranges[index]
    }

    /// `template` with names in braces replaced by their values; values are not looked into.
    private static func filled(_ template: String, _ values: [String: String]) -> String {
        var result = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[open...close])
            result += rest[..<open]
            result += values[name] ?? name
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}
