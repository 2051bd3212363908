import Bytes
import TextEngine
import Raster

struct FontGlyphKey: Hashable, Sendable {
    var font: Int
    var glyph: UInt32
}

/// Glyphs of the machine's fonts, for styles without `glyphs`: shaped by the rules of their scripts, every cluster whole.
final class LocalGlyphs: GlyphSource {
    /// From the baseline to the line through the ascenders in common glyph ranges. Local glyphs stand on the same baseline.
    private static let ascent = 26.0

    private struct ShapedItem {
        var glyph: ShapedGlyph?
        var index: Int
    }

    private struct ShapedKey: Equatable {
        var characters: [UInt32]
        var sectionIndexes, ends: [Int]
        var fontStacks: [String]
        var scales: [Double]
    }

    private let setter: RunShaper
    private let cache: SharedCache<FontGlyphKey, GlyphImage>
    private var glyphs: [FontGlyphKey: GlyphImage] = [:]
    private var last: (key: ShapedKey, lines: [[ShapedItem]])?

    /// `cache` is for this set of fonts alone.
    init(fonts: FontSet, cache: SharedCache<FontGlyphKey, GlyphImage>) {
        setter = RunShaper(fonts: fonts)
        self.cache = cache
    }

    func canSet(_ text: String) -> Bool { true }

    func has(_ character: UInt32, of text: TaggedText, fontStack: String) -> Bool {
        setter.canSet(character, fontStack: fontStack)
    }

    func glyph(_ character: UInt32, fontStack: String) -> GlyphImage? {
        setter.glyphs(
            [character], Bidi.Run(range: 0..<1, isRightToLeft: false), fontStack: fontStack,
            language: RunShaper.language(of: [character])
        ).first.map(image)
    }

    /// Does nothing: fonts have the forms of letters themselves.
    func prepare(_ text: inout TaggedText) {}

    func measure(_ text: TaggedText) -> TextMeasure {
        var measure = TextMeasure(
            advances: [Double?](repeating: nil, count: text.characters.count),
            joins: [Bool](repeating: true, count: text.characters.count))
        for item in shape(text, ends: [text.characters.count]).joined() {
            guard let glyph = item.glyph else { continue }
            measure.advances[glyph.cluster] = (measure.advances[glyph.cluster] ?? 0) + glyph.advance
            measure.joins[glyph.cluster] = false
        }
        // A character without any glyph is not part of the cluster before it.
        for index in measure.joins.indices where measure.advances[index] == nil && !isPartOfCluster(text, index) {
            measure.joins[index] = false
        }
        return measure
    }

    func lines(_ text: TaggedText, ends: [Int]) -> [[LineGlyph]] {
        shape(text, ends: ends).map { line in
            var glyphs: [LineGlyph] = []
            glyphs.reserveCapacity(line.count)
            for item in line {
                var made = LineGlyph(
                    character: text.characters[item.index], sectionIndex: text.sectionIndexes[item.index])
                if let glyph = item.glyph {
                    // A cluster of several glyphs is spaced out as one letter.
                    if let last = glyphs.last, last.cluster == glyph.cluster {
                        glyphs[glyphs.count - 1].takesSpacing = false
                    }
                    (made.glyph, made.advance, made.cluster) = (image(glyph), glyph.advance, glyph.cluster)
                    (made.offsetX, made.offsetY) = (glyph.offsetX, glyph.offsetY)
                }
                glyphs.append(made)
            }
            return glyphs
        }
    }

    private func isPartOfCluster(_ text: TaggedText, _ index: Int) -> Bool {
        guard index > 0, isSetInOne(text, index - 1, index), !changesSize(text, at: index) else { return false }
        return !Script.isWhitespace(text.characters[index]) && text.characters[index] != 0x200B
    }

    /// Lines from left to right. Returns what was shaped last if it is the same: most labels stay the one line measured.
    private func shape(_ text: TaggedText, ends: [Int]) -> [[ShapedItem]] {
        let key = ShapedKey(
            characters: text.characters, sectionIndexes: text.sectionIndexes, ends: ends,
            fontStacks: text.sections.map(\.fontStack), scales: text.sections.map(\.scale))
        if let last, last.key == key { return last.lines }
        let language = RunShaper.language(of: text.characters)
        let lines = Bidi.visualRuns(text.characters, ends: ends).map { runs in
            var items: [ShapedItem] = []
            for run in runs {
                let parts = parts(of: text, run.range)
                for part in run.isRightToLeft ? parts.reversed() : parts {
                    if text.isImage(at: part.lowerBound) || text.characters[part.lowerBound] < 0x20 {
                        items += part.map { ShapedItem(glyph: nil, index: $0) }
                        continue
                    }
                    let glyphs = setter.glyphs(
                        text.characters, Bidi.Run(range: part, isRightToLeft: run.isRightToLeft),
                        fontStack: text.section(at: part.lowerBound).fontStack, language: language,
                        isCut: { changesSize(text, at: $0) })
                    items += glyphs.map { ShapedItem(glyph: $0, index: $0.cluster) }
                }
            }
            return items
        }
        last = (key, lines)
        return lines
    }

    /// The parts of one font stack, even across sections. Images and control characters stand alone.
    private func parts(of text: TaggedText, _ range: Range<Int>) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        for index in range {
            if let last = parts.last, isSetInOne(text, index - 1, index) {
                parts[parts.count - 1] = last.lowerBound..<(index + 1)
            } else {
                parts.append(index..<(index + 1))
            }
        }
        return parts
    }

    private func isSetInOne(_ text: TaggedText, _ first: Int, _ second: Int) -> Bool {
        guard text.characters[first] >= 0x20, text.characters[second] >= 0x20, !text.isImage(at: first),
            !text.isImage(at: second)
        else { return false }
        let (one, other) = (text.sectionIndexes[first], text.sectionIndexes[second])
        return one == other || text.sections[one].fontStack == text.sections[other].fontStack
    }

    /// Whether the size changes before `index`: no glyph can stand for both letters.
    private func changesSize(_ text: TaggedText, at index: Int) -> Bool {
        text.sections[text.sectionIndexes[index]].scale != text.sections[text.sectionIndexes[index - 1]].scale
    }

    private func image(_ shaped: ShapedGlyph) -> GlyphImage {
        let key = FontGlyphKey(font: shaped.font.id, glyph: shaped.glyph)
        if let glyph = glyphs[key] { return glyph }
        let glyph = cache.value(for: key) {
            let glyph = Self.draw(shaped)
            return SharedCache.Weighed(glyph, byteCount: glyph.byteCount)
        }
        glyphs[key] = glyph
        return glyph
    }

    private static func draw(_ shaped: ShapedGlyph) -> GlyphImage {
        guard let field = DistanceField(shaped.glyph, of: shaped.font) else {
            let metrics = GlyphMetrics(width: 0, height: 0, left: 0, top: -ascent, advance: shaped.advance)
            return GlyphImage(texture: nil, metrics: metrics)
        }
        let texture = Texture(
            widthPx: field.width + 2 * DistanceField.border, heightPx: field.height + 2 * DistanceField.border,
            format: .alpha, texels: SharedBytes(field.texels))
        let metrics = GlyphMetrics(
            width: Double(field.width), height: Double(field.height), left: Double(field.left),
            top: Double(field.top) - ascent, advance: shaped.advance)
        return GlyphImage(texture: texture, metrics: metrics)
    }
}
