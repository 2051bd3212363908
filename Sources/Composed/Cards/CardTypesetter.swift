package import CardPlan
package import TextEngine

/// Sets the texts of one card in fonts of the machine. Belongs to one thread.
package final class CardTypesetter: TextMeasure {
    private struct Key: Hashable {
        var text: [UInt32]
        var isBold: Bool
    }

    private static let emUnits = 24.0

    private let fonts: FontSet
    private let shaper: RunShaper
    private var known: [Key: [ShapedGlyph]] = [:]

    package init(fonts: FontSet) {
        self.fonts = fonts
        shaper = RunShaper(fonts: fonts)
    }

    package func advances(_ text: [UInt32], isBold: Bool) -> [Double] {
        var advances = [Double](repeating: 0, count: text.count)
        for glyph in glyphs(text, isBold: isBold) where advances.indices.contains(glyph.cluster) {
            advances[glyph.cluster] += glyph.advance / Self.emUnits
        }
        return advances
    }

    package func ink(_ text: [UInt32], isBold: Bool) -> CardRect? {
        var (left, right, top, bottom) = (Double.infinity, -Double.infinity, Double.infinity, -Double.infinity)
        var pen = 0.0
        for glyph in glyphs(text, isBold: isBold) {
            for edge in outline(glyph).edges {
                let (x, y) = (pen + glyph.offsetX + edge.start.x, glyph.offsetY + edge.start.y)
                (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
            }
            pen += glyph.advance
        }
        guard left < right, top < bottom else { return nil }
        return CardRect(
            x: left / Self.emUnits, y: top / Self.emUnits, width: (right - left) / Self.emUnits,
            height: (bottom - top) / Self.emUnits)
    }

    func outline(_ glyph: ShapedGlyph) -> Outline { fonts.outline(of: glyph) }

    /// From left to right, as one line.
    func glyphs(_ text: [UInt32], isBold: Bool) -> [ShapedGlyph] {
        let key = Key(text: text, isBold: isBold)
        if let known = known[key] { return known }
        let language = RunShaper.language(of: text)
        let glyphs = Bidi.visualRuns(text, ends: [text.count]).flatMap(\.self).flatMap { run in
            shaper.glyphs(text, run, fontStack: isBold ? "Noto Sans Bold" : "Noto Sans Regular", language: language)
        }
        known[key] = glyphs
        return glyphs
    }
}
