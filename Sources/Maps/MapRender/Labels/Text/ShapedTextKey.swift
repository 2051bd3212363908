import MapStyle

struct ShapedTextKey: Hashable, Sendable {
    /// A template of addresses; empty for local fonts.
    var source: String
    var text: FormattedText
    var layout: TextLayout

    var textByteCount: Int { text.sections.reduce(0) { $0 + $1.text.utf8.count } }

    /// Not a number equals nothing, not even itself.
    var isFindable: Bool { self == self }
}

struct GlyphWitness: Sendable {
    var fontStack: String
    var index: Int
    var range: GlyphRange?
}

struct KeptText: Sendable {
    /// nil when nothing of it has a glyph.
    var text: ShapedText?
    var witnesses: [GlyphWitness]
    var missing: [MissingGlyph]

    var byteCount: Int { 512 + (text?.byteCount ?? 0) + (witnesses.count + missing.count) * 48 }
}

/// What texts were made of, each once. Belongs to one thread.
final class WitnessBook {
    private struct Place: Hashable {
        var fontStack: String
        var index: Int
    }

    private var places: Set<Place> = []
    private(set) var witnesses: [GlyphWitness] = []

    func note(_ others: [GlyphWitness]) {
        for witness in others
        where places.insert(Place(fontStack: witness.fontStack, index: witness.index)).inserted {
            witnesses.append(witness)
        }
    }

    func forget() {
        places.removeAll(keepingCapacity: true)
        witnesses.removeAll()
    }
}
