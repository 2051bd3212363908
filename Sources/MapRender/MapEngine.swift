package import MapStyle
package import MapText
import Raster

/// Draws maps of any style. What it has read and decoded is kept in bounded memory and shared by all pictures; any number of
/// threads may call it.
package final class MapEngine: Sendable {
    /// Changes whenever this module changes what a picture looks like: part of entity tags.
    package static let version = "1"

    /// Where the fonts are that labels are set in when a style names no glyphs.
    package static let fontFolders = FontSet.systemFolders

    private let resources: any MapResources
    private let caches: MapCaches
    private let fonts: FontSet

    /// An engine that gets what styles name from `resources`; the labels of styles without glyphs are set in `fonts`.
    package init(
        resources: any MapResources, fonts: FontSet = FontSet(),
        capacities: MapCaches.Capacities = MapCaches.Capacities()
    ) {
        self.resources = resources
        self.fonts = fonts
        caches = MapCaches(capacities)
    }

    /// The picture of `style` from `camera`. Blocks for reading and for tens of milliseconds of work.
    ///
    /// What cannot be had or read leaves a gap. `shouldStop` is asked again and again; throws `cancelled`.
    package func render(
        _ style: Style, _ camera: Camera, additions: MapAdditions = MapAdditions(),
        shouldStop: @escaping () -> Bool = { false }
    ) throws(MapError) -> RenderedMap {
        let clock = ContinuousClock()
        let start = clock.now
        let resources = NotedResources(base: resources, faults: FaultBook())
        var timings = MapTimings()
        let view = View(camera)
        let sources = try SourceLoader(
            style: style, view: view, resources: resources, caches: caches, shouldStop: shouldStop
        ).load()
        var images = try SpriteLoader(resources: resources, caches: caches).images(
            of: style, pixelRatio: camera.pixelRatio)
        for (name, image) in additions.images { images[name] = image }
        let frame = Frame(
            style: style, view: view, images: images, glyphs: glyphs(of: style, resources),
            shapedTexts: caches.shapedTexts,
            sources: sources, additions: additions, shouldStop: shouldStop)
        let loaded = clock.now
        timings.decode = start.duration(to: loaded)
        let symbols = try SymbolScene(frame)
        let placed = clock.now
        timings.place = loaded.duration(to: placed)
        for layer in style.layers where layer.isDrawn(frame.layerContext()) {
            if shouldStop() { throw .cancelled }
            try paint(layer, symbols, frame)
        }
        let prepared = clock.now
        timings.prepare = placed.duration(to: prepared)
        do throws(RasterError) {
            let picture = try Rasteriser().draw(
                frame.list, widthPx: camera.widthPx, heightPx: camera.heightPx, background: .transparent,
                shouldStop: shouldStop)
            timings.draw = prepared.duration(to: clock.now)
            return RenderedMap(
                pixels: picture.pixels, widthPx: picture.widthPx, heightPx: picture.heightPx, timings: timings,
                faults: resources.faults.faults)
        } catch {
            switch error {
            case .cancelled: throw .cancelled
            case .canvasOutOfRange: throw .canvasOutOfRange
            }
        }
    }

    /// Where the labels of a style get their glyphs from. A range that cannot be read leaves its characters out.
    private func glyphs(of style: Style, _ resources: NotedResources) -> any GlyphSource {
        guard let template = style.glyphs else { return LocalGlyphs(fonts: fonts, cache: caches.localGlyphs) }
        return RangeGlyphs(template: template) { [caches] address, first in
            guard let bytes = try? resources.bytes(at: address) else { return nil }
            return caches.glyphs.value(for: ContentKey(address: address, content: bytes)) {
                let range = GlyphRange(bytes, first: first)
                return SharedCache.Weighed(range, byteCount: range?.byteCount ?? 256)
            }
        }
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
