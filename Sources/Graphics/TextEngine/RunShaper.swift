import CText

/// Sets text in local fonts, each character in the first that has it. Belongs to one thread.
package final class RunShaper {
    private struct Stack {
        var fonts: [Font]
        var style: FontStyle
    }

    private static let common: UInt32 = 0x5A79_7979  // Zyyy
    private static let inherited: UInt32 = 0x5A69_6E68  // Zinh
    private static let unknown: UInt32 = 0x5A7A_7A7A  // Zzzz

    private let fonts: FontSet
    private var stacks: [String: Stack] = [:]

    package init(fonts: FontSet) { self.fonts = fonts }

    /// The language whose forms Chinese characters should have: told by the letters beside them.
    package static func language(of text: [UInt32]) -> String {
        var hasIdeographs = false
        for character in text {
            switch character {
            case 0x3041...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9D: return "ja"
            case 0x1100...0x11FF, 0x3131...0x318E, 0xAC00...0xD7A3: return "ko"
            case 0x3105...0x312F: return "zh-Hant"
            case 0x3400...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: hasIdeographs = true
            default: break
            }
        }
        return hasIdeographs ? "zh-Hans" : "en"
    }

    /// The glyphs of a run of one direction from left to right; characters in no font are left out. No glyph stands for
    /// characters on both sides of an index, within the run, that `isCut` accepts. Letters join even there.
    package func glyphs(
        _ text: [UInt32], _ run: Bidi.Run, fontStack: String, language: String, isCut: (Int) -> Bool = { _ in false }
    ) -> [ShapedGlyph] {
        let pieces = pieces(text, run.range, stack(fontStack), language: language, isCut: isCut)
        let ordered = run.isRightToLeft ? pieces.reversed() : pieces
        return ordered.flatMap { piece in
            piece.font.shape(
                text, piece.range, isRightToLeft: run.isRightToLeft, script: piece.script, language: language
            ).filter { $0.glyph != 0 }
        }
    }

    package func canSet(_ character: UInt32, fontStack: String) -> Bool {
        font(character, stack(fontStack), Self.language(of: [character])) != nil
    }

    private struct Piece {
        var range: Range<Int>
        var font: Font
        var script: UInt32
    }

    /// Runs of one font and script; characters in no font are left out.
    private func pieces(
        _ text: [UInt32], _ range: Range<Int>, _ stack: Stack, language: String, isCut: (Int) -> Bool
    ) -> [Piece] {
        let scripts = Self.scripts(text, range)
        var pieces: [Piece] = []
        var before: Font?
        for index in range {
            let character = text[index]
            let script = scripts[index - range.lowerBound]
            // Marks, joiners and blanks stay with the font of the letter that they follow, if that has them at all.
            let stays = Self.isInherited(character) || character == 0x20
            let font: Font?
            if stays, let before, Bidi.isControl(character) || before.has(character) {
                font = before
            } else {
                font = self.font(character, stack, language)
            }
            before = font
            guard let font else { continue }
            if let last = pieces.last, last.font === font, last.script == script, last.range.upperBound == index,
                !isCut(index)
            {
                pieces[pieces.count - 1].range = last.range.lowerBound..<(index + 1)
            } else {
                pieces.append(Piece(range: index..<(index + 1), font: font, script: script))
            }
        }
        return pieces
    }

    private func font(_ character: UInt32, _ stack: Stack, _ language: String) -> Font? {
        if character < 0x20 || Bidi.endsParagraph(character) { return nil }
        return stack.fonts.first { $0.has(character) }
            ?? fonts.fallback(character, style: stack.style, language: language)
    }

    private func stack(_ names: String) -> Stack {
        if let known = stacks[names] { return known }
        let first = names.split(separator: ",").first.map(String.init) ?? ""
        let style = FontStyle.split(first).style
        var found = fonts.fonts(ofStack: names)
        // The font with Latin letters stands in for one that is missing.
        if found.isEmpty, let font = fonts.fallback(0x61, style: style, language: "en") { found.append(font) }
        let stack = Stack(fonts: found, style: style)
        stacks[names] = stack
        return stack
    }

    private static func isInherited(_ character: UInt32) -> Bool {
        Bidi.isControl(character) || ctext_script(character) == inherited || (0xFE00...0xFE0F).contains(character)
    }

    /// Characters of several scripts have that of what they follow, at the start of what they precede.
    private static func scripts(_ text: [UInt32], _ range: Range<Int>) -> [UInt32] {
        var scripts = range.map { ctext_script(text[$0]) }
        func isOwn(_ script: UInt32) -> Bool { script != common && script != inherited && script != unknown }
        var last = scripts.first { isOwn($0) } ?? common
        for index in scripts.indices {
            if isOwn(scripts[index]) {
                last = scripts[index]
            } else {
                scripts[index] = last
            }
        }
        return scripts
    }
}
