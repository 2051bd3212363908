import Colors
package import MapStyle
package import TextEngine
import Raster

package final class MapEngine: Sendable {
    /// Part of entity tags: changes whenever pictures come to look different.
    package static let version = "6"

    /// The bytes that the tiles of one map may decode to, unless its price says more.
    package static let heldByteLimit = 256 << 20

    package static let fontFolders = FontSet.systemFolders

    let resources: any MapResources
    let caches: MapCaches
    private let fonts: FontSet
    private let fillsGlyphGaps: Bool

    /// Labels of styles without glyphs are set in `fonts`, as are gaps in a style's glyphs if `fillsGlyphGaps`.
    package init(
        resources: any MapResources, fonts: FontSet = FontSet(), fillsGlyphGaps: Bool = true,
        capacities: MapCaches.Capacities = MapCaches.Capacities()
    ) {
        (self.resources, self.fonts, self.fillsGlyphGaps) = (resources, fonts, fillsGlyphGaps)
        caches = MapCaches(capacities)
    }

    /// Draws `style` from `camera`. Blocks for reading and for tens of milliseconds of work. `resources` replace the engine's
    /// own: one state of these, so that a picture is never made of two. What is missing or unreadable leaves a gap. Calls
    /// `shouldStop` often; throws `cancelled`, and `tilesTooLarge` beyond `heldByteLimit`.
    package func render(
        _ style: Style, _ camera: Camera, additions: MapAdditions = MapAdditions(),
        resources: (any MapResources)? = nil, heldByteLimit: Int = MapEngine.heldByteLimit,
        shouldStop: @escaping () -> Bool = { false }
    ) throws(MapError) -> RenderedMap {
        let clock = ContinuousClock()
        let start = clock.now
        let resources = NotedResources(base: resources ?? self.resources, faults: FaultBook())
        var timings = MapTimings()
        let view = View(camera, grid: additions.grid)
        let loader = SourceLoader(
            style: style, view: view, resources: resources, caches: caches, shouldStop: shouldStop,
            held: HeldBytes(limit: heldByteLimit))
        let sources = try loader.load()
        let attribution = loader.attributions.lines
        var images = try SpriteLoader(resources: resources, caches: caches, shouldStop: shouldStop).images(
            of: style, pixelRatio: camera.pixelRatio)
        images.addStanding(BuiltInImages.images)
        for (name, image) in additions.images { images[name] = image }
        let wait = GlyphWait(resources, shouldStop: shouldStop)
        let frame = Frame(
            style: style, view: view, images: images, glyphs: glyphs(of: style, wait),
            ownGlyphs: ownGlyphs, shapedTexts: caches.shapedTexts,
            sources: sources, additions: additions, shouldStop: shouldStop)
        let loaded = clock.now
        timings.decode = start.duration(to: loaded)
        var zones = try OverlayPainter.exclusionZones(additions.drawings, frame)
        let corners = CornerBoxes(attribution, additions, frame)
        if frame.keepsNamesInside { zones += corners.zones }
        let symbols = try SymbolScene(frame, clearOf: zones, keptIn: caches.symbols)
        let placed = clock.now
        timings.place = loaded.duration(to: placed)
        try paint(symbols, additions, frame)
        corners.paint(frame)
        let prepared = clock.now
        timings.prepare = placed.duration(to: prepared)
        do throws(RasterError) {
            let picture = try Rasteriser.draw(
                frame.list, widthPx: camera.widthPx, heightPx: camera.heightPx, background: .transparent,
                shouldStop: shouldStop)
            timings.draw = prepared.duration(to: clock.now)
            frame.missing.add(frame.ownShaper.missing.takeNoted())
            return RenderedMap(
                pixels: picture.pixels, widthPx: picture.widthPx, heightPx: picture.heightPx, timings: timings,
                faults: resources.faults.faults, missingGlyphs: frame.missing.shown,
                coverage: loader.coverages.coverage,
                unreached: loader.coverages.coverage == .full ? [] : loader.unreached.squares, attribution: attribution)
        } catch {
            switch error {
            case .cancelled: throw .cancelled
            case .canvasOutOfRange(let limit): throw .canvasOutOfRange(limit: limit)
            }
        }
    }

    /// In the machine's fonts.
    var ownGlyphs: LocalGlyphs { LocalGlyphs(fonts: fonts, cache: caches.localGlyphs) }

    /// Characters of a range that cannot be read are set in the machine's fonts.
    private func glyphs(of style: Style, _ wait: GlyphWait) -> any GlyphSource {
        let local = ownGlyphs
        guard let template = style.glyphs else { return local }
        return RangeGlyphs(template: template, local: fillsGlyphGaps ? local : nil) { [caches] address, first in
            guard let bytes = wait.bytes(at: address) else { return nil }
            return caches.glyphs.value(for: ContentKey(address: address, content: bytes)) {
                let range = GlyphRange(bytes, first: first)
                return SharedCache.Weighed(range, byteCount: range?.byteCount ?? 256)
            }
        }
    }

    private func paint(_ symbols: SymbolScene, _ additions: MapAdditions, _ frame: Frame) throws(MapError) {
        let layers = frame.style.layers
        let ceiling = layers.firstIndex { $0.id == additions.drawingsBelow } ?? layers.endIndex
        for (index, layer) in layers.enumerated() {
            if index == ceiling { try OverlayPainter.paint(additions.drawings, frame) }
            guard layer.isDrawn(frame.layerContext()) else { continue }
            if frame.shouldStop() { throw .cancelled }
            try paint(layer, symbols, frame)
        }
        if ceiling == layers.endIndex { try OverlayPainter.paint(additions.drawings, frame) }
    }

    private func paint(_ layer: StyleLayer, _ symbols: SymbolScene, _ frame: Frame) throws(MapError) {
        switch layer.kind {
        case .background: BackgroundPainter.paint(layer, frame)
        case .fill: try FillPainter.paint(layer, frame)
        case .line: try LinePainter.paint(layer, frame)
        case .raster: RasterPainter.paint(layer, frame)
        case .hillshade: try HillshadePainter.paint(layer, frame)
        case .colorRelief: ColorReliefPainter.paint(layer, frame)
        case .heatmap: try HeatmapPainter.paint(layer, frame)
        case .circle: try CirclePainter.paint(layer, frame)
        case .fillExtrusion: try ExtrusionPainter.paint(layer, frame)
        case .symbol: try SymbolPainter.paint(layer, symbols, frame)
        }
    }
}
