import TextEngine

// A glyph server has one range for a whole stack of fonts, a folder one for each font. So the range of the stack is
// asked for first, and if there is none those of its fonts; the first with the character counts.

final class RangeGlyphs: GlyphSource {
    private final class Stack {
        let name: String
        let parts: [Stack]
        var ranges = [GlyphRange?](repeating: nil, count: 256)
        var isAsked = [Bool](repeating: false, count: 256)
        var lastUses = [Int](repeating: 0, count: 256)

        init(name: String, parts: [Stack]) { (self.name, self.parts) = (name, parts) }
    }

    private static let partLimit = 8

    private struct LocalKey: Hashable {
        var character: UInt32
        var fontStack: String
    }

    private let template: String
    private let local: LocalGlyphs?
    private var localGlyphs: [LocalKey: GlyphImage?] = [:]
    private let load: (_ address: String, _ first: UInt32) -> GlyphRange?
    private var stacks: [String: Stack] = [:]
    private var textNumber = 1
    private(set) var witnesses: [GlyphWitness] = []

    /// `template` makes addresses of `{fontstack}` and `{range}`. `load` gets the range at an address, once per picture.
    init(
        template: String, local: LocalGlyphs? = nil, load: @escaping (_ address: String, _ first: UInt32) -> GlyphRange?
    ) {
        (self.template, self.local, self.load) = (template, local, load)
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

    func has(_ character: UInt32, of text: TaggedText, fontStack: String) -> Bool {
        if text.isLocal, let local { return local.has(character, of: text, fontStack: fontStack) }
        return glyph(character, stack(fontStack)) != nil
    }

    func prepare(_ text: inout TaggedText) {
        let letters = text
        joinArabic(&text)
        // Letters whose form depends on neighbours cannot be taken from a font one by one: all of the text is set in it.
        guard local != nil, !text.characters.allSatisfy({ $0 < 0x0590 }) else { return }
        let lacks = text.characters.indices.contains { index in
            let character = text.characters[index]
            guard !text.isImage(at: index), Script.needsShaping(character) else { return false }
            return ready(character, stack(text.section(at: index).fontStack)) == nil
        }
        guard lacks else { return }
        text = letters
        text.isLocal = true
    }

    /// Ranges hold Arabic letters in the forms that they have beside each other. Unlike in the reference, letters of
    /// different sections are joined too. Lam and alef are of the section of lam.
    private func joinArabic(_ text: inout TaggedText) {
        guard let joined = Bidi.arabicForms(text.characters) else { return }
        let sectionIndexes = joined.map { text.sectionIndexes[$0.index] }
        text.replaceCharacters(joined.map(\.character), sectionIndexes: sectionIndexes)
    }

    func measure(_ text: TaggedText) -> TextMeasure {
        if text.isLocal, let local { return local.measure(text) }
        let stacks = stacks(of: text)
        return TextMeasure(
            advances: text.characters.indices.map { index in
                stacks[text.sectionIndexes[index]].flatMap { glyph(text.characters[index], $0)?.metrics.advance }
            })
    }

    func lines(_ text: TaggedText, ends: [Int]) -> [[LineGlyph]] {
        if text.isLocal, let local { return local.lines(text, ends: ends) }
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

    func glyph(_ character: UInt32, fontStack: String) -> GlyphImage? { glyph(character, stack(fontStack)) }

    private func stacks(of text: TaggedText) -> [Stack?] {
        text.sections.map { $0.imageName == nil ? stack($0.fontStack) : nil }
    }

    private func stack(_ name: String) -> Stack {
        if let known = stacks[name] { return known }
        let fonts = name.split(separator: ",").map(String.init)
        let parts = fonts == [name] ? [] : fonts.prefix(Self.partLimit).map { self.stack($0) }
        let stack = Stack(name: name, parts: parts)
        stacks[name] = stack
        return stack
    }

    private func glyph(_ character: UInt32, _ stack: Stack) -> GlyphImage? {
        if let glyph = ready(character, stack) { return glyph }
        guard let local, !Script.isInvisible(character) else { return nil }
        let key = LocalKey(character: character, fontStack: stack.name)
        if let known = localGlyphs[key] { return known }
        let glyph = local.glyph(character, fontStack: stack.name)
        localGlyphs[key] = .some(glyph)
        return glyph
    }

    private func ready(_ character: UInt32, _ stack: Stack) -> GlyphImage? {
        guard character <= 0xFFFF else { return nil }
        let index = Int(character >> 8)
        let range = range(index, stack)
        if stack.lastUses[index] != textNumber {
            stack.lastUses[index] = textNumber
            witnesses.append(GlyphWitness(fontStack: stack.name, index: index, range: range))
        }
        if let range { return range[character] }
        for part in stack.parts { if let glyph = ready(character, part) { return glyph } }
        return nil
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
