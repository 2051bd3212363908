import Bytes
import HTTPMessage
import HTTPServer
import Logging
import MapGrammar
import MapRender
import MapSources
import MapTiles
import OriginCache
import Raster
import Renditions
import ServiceConfiguration
import Synchronization

/// All that maps are made with: sources and styles, the engines, and the styles as requests want them.
final class MapService: Sendable {
    /// What there is to draw.
    let library: MapLibrary
    let engine: MapEngine
    /// Draws tiles of web maps.
    let metatiles: MetatileRenderer
    /// The styles without labels, in other languages and so on.
    let variants = StyleVariants()
    /// Holds the content of `POST /map`, of all clients together.
    let contentMemory = ContentMemory(byteLimit: 64 << 20)
    private let sideLimitPx: Int
    private let mayHideAttribution: Bool
    /// The rules of the latest state of the library.
    private let known = Mutex(KnownRules())
    private let maps: OpenedMaps
    private let metrics: ServiceMetrics
    private let log: Logger

    private struct KnownRules {
        // An old state is let go of when the last picture that is made of it ends.
        weak var snapshot: MapSnapshot?
        var rules = MapRules()
    }

    /// Maps of `library`; what is wrong with its sources is counted and logged.
    init(_ configuration: Configuration, _ maps: OpenedMaps, metrics: ServiceMetrics, log: Logger) {
        library = maps.library
        self.maps = maps
        sideLimitPx = configuration.mapSide
        mayHideAttribution = configuration.mapAttribution == .optional
        self.metrics = metrics
        self.log = log
        engine = MapEngine(resources: NoResources())
        metatiles = MetatileRenderer(engine: engine)
    }

    /// Whether an answer to a request with these fields would be made of itself.
    func isLoop(_ fields: Fields) -> Bool {
        maps.remote != nil && fields.contains(.via) && Via.isLoop(Via.hops(fields))
    }

    /// What was fetched for maps from other servers; nil where none may be asked.
    var remote: OriginCache? { maps.remote }

    /// Looks at no file and asks no other server any more.
    func close() { maps.stop() }

    /// Where there is something to see.
    var place: MapPlace {
        let source = library.style()?.sourceNames.first.flatMap { library.source(named: $0) }
        return source.map { MapPlace($0.archive) } ?? MapPlace(bounds: nil, maxZoom: 14)
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

    /// The style with a name, or the default one. Throws where it is gone that was there a moment ago.
    func style(_ name: String?) throws(RenditionError) -> MapStyleEntry {
        guard let entry = library.style(named: name) else { throw RenditionError(.styleGone) }
        return entry
    }

    /// Counts and logs what was wrong with sources, and what texts lacked.
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

/// Every picture brings resources of its own: one state of the library.
private struct NoResources: MapResources {
    func bytes(at address: String) throws(ResourceError) -> SharedBytes? { nil }
    func archive(at address: String) throws(ResourceError) -> (any TileArchive)? { nil }
    func picture(_ bytes: SharedBytes) -> Texture? { nil }
}
