import Bytes
import HTTPMessage
import HTTPServer
import ImageEngine
import ImageWorkers
import Logging
import MapGrammar
import MapOverlays
import MapRender
import MapSources
import MapStyle
import MapTiles
import Origin
import OriginCache
import Raster
import Renditions
import ServiceConfiguration
import Synchronization
import TextEngine

/// What maps are made with: sources and styles, the engines, and the styles as requests want them.
final class MapService: Sendable {
    let library: MapLibrary
    let engine: MapEngine
    let metatiles: MetatileRenderer
    /// Of the machine.
    let fonts = FontSet()
    /// Styles without labels, in other languages and so on.
    let variants = StyleVariants()
    /// For the content of `POST /map`, of all clients together.
    let contentMemory = ContentMemory(byteLimit: 64 << 20)
    private let sideLimitPx: Int
    private let mayHideAttribution: Bool
    /// Of the latest state of the library.
    private let known = Mutex(KnownRules())
    /// What is held of other servers for maps; nil where none may be asked.
    let remote: OriginCache?
    let origins: OriginList
    private let metrics: ServiceMetrics
    private let log: Logger

    private struct KnownRules {
        // An old state is released when the last map of it ends.
        weak var snapshot: MapSnapshot?
        var rules = MapRules()
    }

    /// What is wrong with sources is counted and logged.
    init(
        _ configuration: Configuration, _ library: MapLibrary, remote: OriginCache? = nil, metrics: ServiceMetrics,
        log: Logger
    ) {
        self.library = library
        self.remote = remote
        origins = configuration.mapOrigins
        sideLimitPx = configuration.mapSide
        mayHideAttribution = configuration.mapAttribution == .optional
        self.metrics = metrics
        self.log = log
        engine = MapEngine(resources: NoResources(), fonts: fonts)
        metatiles = MetatileRenderer(engine: engine)
    }

    /// Whether the request came through this server before.
    func isLoop(_ fields: Fields) -> Bool { remote != nil && fields.contains(.via) && Via.isLoop(Via.hops(fields)) }

    /// Maps of a place with something to see.
    var examples: MapExamples {
        let source = library.style()?.sourceNames.first.flatMap { library.source(named: $0) }
        return source.map { MapExamples($0.archive) } ?? MapExamples(bounds: nil, maxZoom: 14)
    }

    /// What requests may ask for now.
    var rules: MapRules {
        let snapshot = library.snapshot
        if let known = known.withLock({ $0.snapshot === snapshot ? $0.rules : nil }) { return known }
        let rules = rules(snapshot)
        known.withLock { $0 = KnownRules(snapshot: snapshot, rules: rules) }
        return rules
    }

    private func rules(_ snapshot: MapSnapshot) -> MapRules {
        var rules = MapRules(styles: snapshot.styleNames)
        rules.themes = [:]
        rules.sideLimitPx = sideLimitPx
        rules.mayHideAttribution = mayHideAttribution
        for name in rules.styles {
            guard let style = snapshot.style(named: name), let light = style.light, let dark = style.dark else {
                continue
            }
            rules.themes[name] = MapRules.Themes(light: light, dark: dark)
        }
        return rules
    }

    /// - Throws: where a style is gone that was there a moment ago.
    func style(_ name: String?) throws(RenditionError) -> MapStyleEntry {
        guard let entry = library.style(named: name) else { throw RenditionError(.styleGone) }
        return entry
    }

    /// Counts and logs faults of sources and missing glyphs.
    func report(_ faults: [MapFault], lacking glyphs: [MissingGlyph]) {
        if !glyphs.isEmpty {
            metrics.missingGlyphs(glyphs.count)
            let few = glyphs.prefix(8).map(\.text).joined(separator: ", ")
            log.warning(
                "labels need glyphs that are missing; add a font that has them, or add their ranges to the glyph folder of the style",
                metadata: ["glyphs": "\(few)", "count": "\(glyphs.count)"])
        }
        guard !faults.isEmpty else { return }
        metrics.corruptTiles(faults.count)
        for fault in faults.prefix(4) {
            log.warning("map source failed", metadata: ["source": "\(fault.source)", "cause": "\(fault.cause)"])
        }
    }
}

/// Every map brings resources of its own: one state of the library.
private struct NoResources: MapResources {
    func bytes(at address: String) throws(ResourceError) -> SharedBytes? { nil }
    func archive(at address: String) throws(ResourceError) -> (any TileArchive)? { nil }
    func picture(_ bytes: SharedBytes) -> Texture? { nil }
}

/// Decodes the images that maps are made of: tiles, sprites, images.
enum MapTextures {
    private static let byteLimit = 32 << 20

    /// nil for what the service does not read.
    static func decode(_ images: ImageProcessor) -> @Sendable (SharedBytes, PictureTerms) -> Texture? {
        { bytes, terms in
            let limits = ImageLimits(sourceByteCount: Self.byteLimit, pixelCount: terms.pixelLimit)
            let context = RenderContext(options: RenderOptions(limits: limits), shouldStop: terms.shouldStop)
            do throws(ImageError) {
                // Who draws them may be anybody's server.
                let pixels = try images.chosen(for: RenderSources(bytes), isTrusted: false)
                    .pixels(of: bytes, in: context)
                return Texture(widthPx: pixels.widthPx, heightPx: pixels.heightPx, format: .rgba, texels: pixels.rgba)
            } catch {
                return nil
            }
        }
    }
}

/// Styles as requests want them, compiled once each and kept, as layers remember what their filters accept.
final class StyleVariants: Sendable {
    private struct Key: Hashable, Sendable {
        let style: String
        let validator: String
        let look: MapLook
    }

    /// Some dozens of a style with many layers.
    static let byteCapacity = 16 << 20

    private let kept = SharedCache<Key, Style>(byteCapacity: byteCapacity)

    var byteCount: Int { kept.byteCount }

    /// `entry` in this look, or as it is where its document cannot be read any more.
    func style(_ entry: MapStyleEntry, _ look: MapLook) -> Style {
        guard look.changesStyle else { return entry.style }
        var look = look
        // The document does not depend on these.
        look.attribution = .bottomRight
        (look.below, look.scaleBar, look.north) = (nil, nil, nil)
        return kept.value(for: Key(style: entry.name, validator: entry.validator, look: look)) {
            let style = (try? MapAppearance.variant(of: entry.document, look)) ?? entry.style
            return .init(style, byteCount: style.layers.reduce(4096) { $0 + $1.byteCount })
        }
    }
}
