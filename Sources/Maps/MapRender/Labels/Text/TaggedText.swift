import MapStyle

struct TaggedText {
    struct Section {
        var scale = 1.0
        var verticalAlign = FormattedText.VerticalAlign.bottom
        var fontStack = ""
        var imageName: String?
        var color: StyleColor?
    }

    /// Longer labels are cut off: the search for the best lines grows with the square.
    static let characterLimit = 4096

    private static let firstImageCharacter: UInt32 = 0xE000
    private static let lastImageCharacter: UInt32 = 0xF8FF

    private(set) var characters: [UInt32] = []
    private(set) var sectionIndexes: [Int] = []
    private(set) var sections: [Section] = []
    private(set) var string = ""
    /// All of it is set in fonts of the machine, though the style names glyphs.
    var isLocal = false

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
                // As in the reference, images keep their size.
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

    @inline(__always) func isImage(at index: Int) -> Bool { sections[sectionIndexes[index]].imageName != nil }

    mutating func verticalizePunctuation() { VerticalPunctuation.apply(to: &characters) }

    mutating func replaceCharacters(_ characters: [UInt32], sectionIndexes: [Int]) {
        guard characters.count == sectionIndexes.count else { return }
        (self.characters, self.sectionIndexes) = (characters, sectionIndexes)
    }
}
