package import MapStyle

extension MapEngine {
    /// Where the picture of `style` from `camera` has what lies over the map; reads no tile. `attribution`: as ``summary`` tells it.
    /// Throws `cancelled`.
    package func boxes(
        of style: Style, _ camera: Camera, _ additions: MapAdditions, attribution: [String],
        shouldStop: @escaping () -> Bool
    ) throws(MapError) -> MapBoxes {
        let frame = Frame(
            style: style, view: View(camera, grid: additions.grid), images: ImageSet(), glyphs: ownGlyphs,
            shapedTexts: caches.shapedTexts, sources: [:], additions: additions, shouldStop: shouldStop)
        let corners = CornerBoxes(attribution, additions, frame)
        return MapBoxes(
            attribution: corners.attribution?.zone, scaleBar: corners.scaleBar?.zone,
            northArrow: corners.northArrow?.zone, titles: try OverlayPainter.titles(additions.drawings, frame))
    }
}
