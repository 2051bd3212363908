import Bytes

/// The labels of the pages of a PDF, such as `iv` or `A-2` (ISO 32000-1 §12.4.2). A faulty tree gives no labels.
struct PDFPageLabels {
    private struct Section {
        /// From 0; the section ends where the next begins.
        let start: Int
        let label: PDFValue
    }

    /// The names of the pages in `pages`, from 0. Throws `cancelled` alone. O(unpacked bytes), as ``PDFInspector``.
    static func labels(
        of bytes: SharedBytes, _ pages: Range<Int>, in context: RenderContext
    ) throws(ImageError) -> [String?] {
        defer { withExtendedLifetime(bytes) {} }
        do throws(ImageError) {
            return try unsafe bytes.withUnsafeBytes { (file) throws(ImageError) in
                var inspector = unsafe PDFInspector(file, for: .labels, in: context)
                return try inspector.pageLabels(pages)
            }
        } catch {
            if case .cancelled = error { throw error }
            return [String?](repeating: nil, count: pages.count)
        }
    }

    private let inspector: PDFInspector
    private var sections: [Section] = []
    private var visited: Set<Int> = []

    private static let depthLimit = 32
    private static let sectionLimit = 10_000

    /// Nil for a tree that is too deep or too long, or that leads back to itself.
    fileprivate init?(_ tree: PDFValue, _ inspector: PDFInspector) {
        self.inspector = inspector
        guard collect(tree, depth: 0) else { return nil }
        sections.sort { $0.start < $1.start }
    }

    private mutating func collect(_ node: PDFValue, depth: Int) -> Bool {
        guard depth < Self.depthLimit else { return false }
        if case .reference(let number) = node, !visited.insert(number).inserted { return false }
        let node = inspector.target(node)
        if case .array(let entries)? = node?["Nums"].flatMap(inspector.target) {
            guard sections.count + entries.count / 2 <= Self.sectionLimit else { return false }
            for index in stride(from: 0, to: entries.count - 1, by: 2) {
                guard case .number(let start) = entries[index] else { return false }
                sections.append(Section(start: start, label: entries[index + 1]))
            }
        }
        if case .array(let kids)? = node?["Kids"].flatMap(inspector.target) {
            for kid in kids { guard collect(kid, depth: depth + 1) else { return false } }
        }
        return true
    }

    fileprivate func label(ofPage page: Int) -> String? {
        guard let section = sections.last(where: { $0.start <= page }), let label = inspector.target(section.label),
            let number = number(of: page, in: section, label), let prefix = prefix(label)
        else { return nil }
        let text = prefix + number
        return text.isEmpty ? nil : text
    }

    /// The number of a page as its section writes it; empty for a section without numbers.
    private func number(of page: Int, in section: Section, _ label: PDFValue) -> String? {
        guard let style = label["S"] else { return "" }
        guard case .name(let style)? = inspector.target(style) else { return nil }
        var first = 1
        if let start = label["St"] {
            guard case .number(let number)? = inspector.target(start), number >= 1 else { return nil }
            first = number
        }
        let number = first + page - section.start
        return switch style {
        case "D": "\(number)"
        case "R": Self.roman(number)
        case "r": Self.roman(number)?.lowercased()
        case "A": Self.letters(number)
        case "a": Self.letters(number)?.lowercased()
        default: nil
        }
    }

    private func prefix(_ label: PDFValue) -> String? {
        guard let prefix = label["P"] else { return "" }
        guard case .text(let bytes)? = inspector.target(prefix), bytes.count < PDFReader.textLimit else { return nil }
        return PDFText.text(bytes)
    }

    /// Digits or letters of a number, beyond which it is none that somebody reads.
    private static let digitLimit = 32

    private static func roman(_ number: Int) -> String? {
        let digits: [(Int, String)] = [
            (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
            (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
        ]
        guard number / 1000 < digitLimit else { return nil }
        var (left, text) = (number, "")
        for (value, digit) in digits {
            text += String(repeating: digit, count: left / value)
            left %= value
        }
        return text
    }

    /// A to Z, then AA to ZZ, AAA to ZZZ.
    private static func letters(_ number: Int) -> String? {
        let (round, letter) = (number - 1).quotientAndRemainder(dividingBy: 26)
        guard round < digitLimit else { return nil }
        return String(repeating: String(UnicodeScalar(UInt8(ascii: "A") + UInt8(letter))), count: round + 1)
    }
}

/// Text strings of a PDF (§7.9.2.2).
enum PDFText {
    /// In UTF-16 or UTF-8 if the bytes begin as such, else in PDFDocEncoding. Without control characters.
    static func text(_ bytes: [UInt8]) -> String {
        let text =
            if bytes.starts(with: [0xfe, 0xff]) {
                String(
                    decoding: stride(from: 2, to: bytes.count - 1, by: 2).map {
                        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
                    }, as: UTF16.self)
            } else if bytes.starts(with: [0xef, 0xbb, 0xbf]) {
                String(decoding: bytes.dropFirst(3), as: UTF8.self)
            } else {
                String(String.UnicodeScalarView(bytes.map(scalar)))
            }
        return String(text.unicodeScalars.filter { $0.properties.generalCategory != .control })
    }

    /// Latin-1 but for 0x18 to 0x1f and 0x80 to 0xa0 (annex D.2).
    private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        switch byte {
        case 0x18...0x1f: accents[Int(byte) - 0x18]
        case 0x80...0x9e: signs[Int(byte) - 0x80]
        case 0xa0: "€"
        default: Unicode.Scalar(byte)
        }
    }

    private static let accents = Array("˘ˇˆ˙˝˛˚˜".unicodeScalars)
    private static let signs = Array("•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž".unicodeScalars)
}

extension PDFInspector {
    fileprivate mutating func pageLabels(_ pages: Range<Int>) throws(ImageError) -> [String?] {
        let none = [String?](repeating: nil, count: pages.count)
        // Packed objects hide the word.
        guard find("/PageLabels", from: 0) != nil || find("/ObjStm", from: 0) != nil else { return none }
        try readFile()
        // The texts of an encrypted file are unreadable.
        guard !isEncrypted, let catalogue = try catalogue(), let tree = catalogue["PageLabels"],
            let labels = PDFPageLabels(tree, self)
        else { return none }
        return pages.map { labels.label(ofPage: $0) }
    }

    /// The root of the last trailer, or of the last stream that takes its place (§7.5.5, §7.5.8).
    private mutating func catalogue() throws(ImageError) -> PDFValue? {
        var root = streams.last { $0.dictionary["Root"] != nil }.map { (start: $0.start, value: $0.dictionary["Root"]) }
        var index = 0
        while let place = find("trailer", from: index) {
            index = place + 7
            var reader = unsafe PDFReader(file, at: index, for: .labels)
            let trailer = reader.value()
            try spend(7 + reader.readByteCount)
            if let value = trailer?["Root"], place > root?.start ?? 0 { root = (place, value) }
        }
        return root?.value.flatMap(target)
    }

    /// The object that a reference stands for, in the last version; any other value itself.
    fileprivate func target(_ value: PDFValue) -> PDFValue? {
        if case .reference(let number) = value { objects[number]?.last } else { value }
    }
}
