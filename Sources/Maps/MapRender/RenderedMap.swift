package import Bytes

package struct RenderedMap: Sendable {
    /// RGBA8, premultiplied, row-major without padding, origin at the top left.
    package let pixels: SharedBytes
    /// Device pixels.
    package let widthPx: Int, heightPx: Int
    package let timings: MapTimings
    /// Whether something is missing that may be there later.
    package var isIncomplete: Bool { hasPassingFaults || !missingGlyphs.isEmpty }
    /// Whether something could not be had that may be there soon.
    package var hasPassingFaults: Bool { faults.contains(where: \.isPassing) }
    /// What could not be had or read, each once and at most 32 of them; gaps are there instead. For the log.
    package let faults: [MapFault]
    /// The glyphs that names which are shown lack, and labels in the picture that lack all of theirs, each once and at most 32 of
    /// them: no range of glyphs and no font has them.
    package let missingGlyphs: [MissingGlyph]
    /// How much of what it shows its sources have, without what is drawn around them.
    package let coverage: MapCoverage
    /// The squares of tiles that could not be had now and that no other source makes up for.
    let unreached: [WorldBounds]
    /// Who has to be named for what the picture was made from, as plain text, each once.
    package let attribution: [String]
}

extension RenderedMap {
    /// What there is of the part of the picture that `camera` sees, without a tilt, where the sources say to have `stated` of it.
    package func coverage(of stated: MapCoverage, seenFrom camera: Camera) -> MapCoverage {
        guard stated != .none, !unreached.isEmpty else { return stated }
        var split = GroundSplit(TileBounds(nil), TileCover(maxZoom: 0), View(camera))
        split.uncover(unreached)
        return split.coverage == .full ? stated : split.coverage
    }
}

package struct MapTimings: Sendable {
    /// Reading and decoding tiles, sprites and documents.
    package var decode = Duration.zero
    package var place = Duration.zero
    package var prepare = Duration.zero
    package var draw = Duration.zero
}
