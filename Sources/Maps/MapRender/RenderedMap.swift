package import Bytes

package struct RenderedMap: Sendable {
    /// RGBA8, premultiplied, row-major without padding, origin at the top left.
    package let pixels: SharedBytes
    package let widthPx: Int, heightPx: Int
    package let timings: MapTimings
    package var isIncomplete: Bool { hasPassingFaults || !missingGlyphs.isEmpty }
    package var hasPassingFaults: Bool { faults.contains(where: \.isPassing) }
    /// What left gaps, each once and at most 32. For the log.
    package let faults: [MapFault]
    /// Glyphs in no range and no font that shown names lack, or labels that lack all of theirs; each once and at most 32.
    package let missingGlyphs: [MissingGlyph]
    /// How much of the picture its sources cover, without what is drawn around them.
    package let coverage: MapCoverage
    let unreached: [WorldBounds]
    /// Whom to credit, as plain text, each once.
    package let attribution: [String]

    package func coverage(of stated: MapCoverage, seenFrom camera: Camera) -> MapCoverage {
        guard stated != .none, !unreached.isEmpty else { return stated }
        var split = GroundSplit(TileBounds(nil), TileCover(maxZoom: 0), View(camera))
        split.uncover(unreached)
        return split.coverage == .full ? stated : split.coverage
    }
}

package struct MapTimings: Sendable {
    package var decode = Duration.zero
    package var place = Duration.zero
    package var prepare = Duration.zero
    package var draw = Duration.zero
}
