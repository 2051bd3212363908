import MapStyle

/// Text as characters, each with the section that it belongs to. An image is one character for private use.
struct TaggedText {
    /// What the characters of a section share.
    struct Section {
        /// The size relative to the label's.
        var scale = 1.0
        /// How it stands beside taller ones.
        var verticalAlign = FormattedText.VerticalAlign.bottom
        /// The fonts, joined by commas.
        var fontStack = ""
        var imageName: String?
        /// The color of its own.
        var color: StyleColor?
    }

    /// Longer labels are cut off: nobody reads them, and the search for the best lines grows with the square.
    static let characterLimit = 4096

    private static let firstImageCharacter: UInt32 = 0xE000
    private static let lastImageCharacter: UInt32 = 0xF8FF

    /// The characters in the order of reading.
    private(set) var characters: [UInt32] = []
    private(set) var sectionIndexes: [Int] = []
    /// The sections of the text, in its order.
    private(set) var sections: [Section] = []
    /// The text as it was given, with images as characters, to tell labels apart.
    private(set) var string = ""
    /// Whether all of it is set in the fonts of the machine, though the style names glyphs.
    var isLocal = false

    /// The characters of `text`; sections without fonts of their own get `fontStack`.
    init(_ text: FormattedText, fontStack: String) {
        var imageCharacter = Self.firstImageCharacter
        for section in text.sections {
            let index = sections.count
            sections.append(
                Section(
                    scale: section.scale.map { $0 == 0 ? 1 : Self.held($0) } ?? 1,
                    verticalAlign: section.verticalAlign ?? .bottom, fontStack: section.fontStack ?? fontStack,
                    imageName: section.image?.name, color: section.color))
            if section.image != nil {
                // As in the reference, images keep the size that they have.
                sections[index].scale = 1
                guard imageCharacter <= Self.lastImageCharacter, characters.count < Self.characterLimit else {
                    continue
                }
                append(imageCharacter, section: index)
                if let scalar = Unicode.Scalar(imageCharacter) { string.unicodeScalars.append(scalar) }
                imageCharacter += 1
                continue
            }
            string += section.text
            for scalar in section.text.unicodeScalars {
                guard characters.count < Self.characterLimit else { break }
                append(scalar.value, section: index)
            }
        }
    }

    private static func held(_ scale: Double) -> Double { scale.isFinite ? max(-100, min(100, scale)) : 1 }

    private mutating func append(_ character: UInt32, section: Int) {
        characters.append(character)
        sectionIndexes.append(section)
    }

    func section(at index: Int) -> Section { sections[sectionIndexes[index]] }

    @inline(__always)
    func isImage(at index: Int) -> Bool { sections[sectionIndexes[index]].imageName != nil }

    /// Puts forms for vertical lines in the place of punctuation.
    mutating func verticalizePunctuation() {
        VerticalPunctuation.apply(to: &characters)
    }

    /// Puts other characters in the place of these; `sectionIndexes` are theirs.
    mutating func replaceCharacters(_ characters: [UInt32], sectionIndexes: [Int]) {
        guard characters.count == sectionIndexes.count else { return }
        self.characters = characters
        self.sectionIndexes = sectionIndexes
    }

    /// The range without the white space at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, Script.isWhitespace(characters[start]) { start += 1 }
        while end > start, Script.isWhitespace(characters[end - 1]) { end -= 1 }
        return start..<end
    }
}
