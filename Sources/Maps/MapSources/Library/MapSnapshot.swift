import Bytes
import Digest
import MapRender
import MapStyle
import Raster

/// One state of all sources and styles. It never changes; archives are closed when the last picture that holds it ends.
package final class MapSnapshot: Sendable {
    /// The states of the sources by their keys: names, or addresses of archives that a style names by itself.
    let sources: [String: SourceState]
    /// The names of sources with tiles, in the order of the configuration.
    package let sourceNames: [String]
    /// The built-in world, where it is drawn around what the default archive covers; nil: it is not.
    let world: (any SourceArchive)?
    /// What is wrong with the list of the styles, if anything.
    let listProblem: SourceProblem?
    /// All styles of the configuration, also those of which nothing good has been found yet.
    let allStyles: [StyleState]
    /// The styles that there are, the default first.
    let styles: [StyleState]
    let remote: (any RemoteSources)?
    let picture: @Sendable (SharedBytes) -> Texture?
    /// What of the validators of styles stays as it is as long as this state.
    private let fixedValidators: [String: String]
    /// The styles that show what is at addresses of other servers and has no validator of its own.
    private let stylesOfServers: Set<String>

    init(
        sources: [String: SourceState], order: [String], styles: [StyleState], listProblem: SourceProblem?,
        remote: (any RemoteSources)?, world: (any SourceArchive)? = nil,
        picture: @escaping @Sendable (SharedBytes) -> Texture?
    ) {
        self.sources = sources
        // The built-in world is told of once.
        let isWorldDefault = sources[SourceAddress.standardName]?.settings.place == .builtIn
        self.world = isWorldDefault ? nil : world
        sourceNames = order.filter { name in
            guard MapName.isValid(name), sources[name]?.entry != nil else { return false }
            return !isWorldDefault || name == SourceAddress.standardName || sources[name]?.settings.place != .builtIn
        }
        allStyles = styles
        self.listProblem = listProblem
        self.styles = styles.filter { $0.content != nil }
        self.remote = remote
        self.picture = picture
        var validators: [String: String] = [:]
        for style in self.styles { validators[style.settings.name] = Self.fixedValidator(style, sources) }
        fixedValidators = validators
        stylesOfServers = Set(
            self.styles.filter { style in
                style.content.map { content in
                    ServerAddresses.areNamed(by: content.document)
                        || content.sources.contains { sources[$0.key]?.isRemoteGeoJSON ?? false }
                } ?? false
            }.map(\.settings.name))
    }

    /// The settings of all styles that were tried.
    var tried: [StyleSettings] { allStyles.map(\.settings) }

    /// The names of the styles, the default first.
    package var styleNames: [String] { styles.map(\.settings.name) }

    /// The style with a name; the default for nil.
    package func style(named name: String? = nil) -> MapStyleEntry? {
        let found = name.map { name in styles.first { $0.settings.name == name } } ?? styles.first
        guard let state = found, let content = state.content else { return nil }
        let name = state.settings.name
        let known = styles.map(\.settings)
        let dark = state.settings.dark.flatMap { dark in known.contains { $0.name == dark } ? dark : nil }
        let light = known.first { $0.dark == name }?.name
        return MapStyleEntry(
            name: name, document: content.document, style: content.style, validator: validator(name, content),
            resources: StyleResources(snapshot: self, content: content),
            sourceNames: content.sources.compactMap { use in
                content.style.surroundings[use.id] == nil ? sources[use.key]?.entry?.name : nil
            }, world: surroundings(of: content),
            light: light ?? (dark == nil ? nil : name), dark: dark ?? (light == nil ? nil : name))
    }

    /// The style that `style` is in surroundings: its declared sibling, or itself.
    package func style(_ style: MapStyleEntry, for theme: MapTheme) -> MapStyleEntry {
        let name = theme == .light ? style.light : style.dark
        return name.flatMap { self.style(named: $0) } ?? style
    }

    /// The source with a name.
    package func source(named name: String) -> MapSourceEntry? {
        MapName.isValid(name) ? sources[name]?.entry : nil
    }

    /// The built-in world, where a style has it drawn around the default archive.
    private func surroundings(of content: StyleState.Content) -> MapSurroundings? {
        guard let world else { return nil }
        let ids = content.sources.filter { $0.key == SourceAddress.standardName }.map(\.id)
        let state = sources[SourceAddress.standardName]
        return MapSurroundings(
            world, around: ids, of: content.style, state?.entry, isRemote: state?.isRemote ?? false)
    }

    /// Sources of other servers may have changed since, and say so when they are asked.
    private func validator(_ name: String, _ content: StyleState.Content) -> String {
        let fixed = fixedValidators[name] ?? ""
        let remote = content.sources.compactMap { sources[$0.key] }.filter(\.isRemote)
        let hasEpoch = stylesOfServers.contains(name)
        guard !remote.isEmpty || hasEpoch else { return fixed }
        var hash = SHA256()
        hash.update(field: fixed)
        if hasEpoch { hash.update(field: self.remote?.epoch ?? "") }
        for source in remote { hash.update(field: source.validator) }
        return hash.digest().base64URL(byteCount: 18)
    }

    private static func fixedValidator(_ style: StyleState, _ sources: [String: SourceState]) -> String {
        var hash = SHA256()
        hash.update(field: style.content?.digest ?? "")
        hash.update(field: style.content?.surroundings ?? "")
        for use in style.content?.sources ?? [] {
            guard let source = sources[use.key], !source.isRemote else { continue }
            hash.update(field: source.validator)
        }
        hash.update(field: MapEngine.version)
        return hash.digest().base64URL(byteCount: 18)
    }
}

extension MapSnapshot {
    /// The closest zoom of the 256-pixel world, at most 14, that the sources of a style still fill with detail at a place:
    /// where the tiles of the last level with one there have their own size.
    ///
    /// Opens the sources and reads at most a tile a level of archives; blocks. Tiles by templates are asked for nothing, since
    /// each level would be a request: their last level counts. A source that cannot be opened says nothing; 14 without any.
    /// `shouldStop` is asked again and again; once it says so, any zoom will do.
    package func defaultZoom(
        _ style: MapStyleEntry, latitude: Double, longitude: Double, shouldStop: @escaping () -> Bool = { false }
    ) -> Double {
        let drawn = style.sourceNames.compactMap { name in
            sources[name].flatMap { state in state.entry.map { (state: state, entry: $0) } }
        }
        // Streets say more of what is worth seeing than pictures and heights, which go on anywhere.
        let vector = drawn.filter { $0.entry.kind == .vector }
        var zooms = (vector.isEmpty ? drawn : vector).compactMap { state, entry -> Double? in
            let zoom = Self.closestZoom(
                of: entry.archive, entry, isByTemplates: state.isByTemplates, latitude: latitude, longitude: longitude,
                shouldStop)
            // Where the world stands in, a tile that only begins somewhere else is nothing to see.
            guard style.world == nil || Self.holds(entry.archive, latitude, longitude) else { return nil }
            return zoom
        }
        if let world = style.world, !zooms.contains(where: { $0 >= 14 }) {
            let zoom = Self.closestZoom(
                of: world.archive, nil, isByTemplates: false, latitude: latitude, longitude: longitude, shouldStop)
            zooms += [zoom].compactMap(\.self)
        }
        return zooms.max() ?? 14
    }

    /// Whether a place lies within the bounds of an archive.
    private static func holds(_ archive: any SourceArchive, _ latitude: Double, _ longitude: Double) -> Bool {
        TileBounds(archive.bounds).contains(latitude: latitude, longitude: longitude)
    }

    private static func closestZoom(
        of archive: any SourceArchive, _ source: MapSourceEntry?, isByTemplates: Bool, latitude: Double,
        longitude: Double, _ shouldStop: () -> Bool
    ) -> Double? {
        // The levels of an archive of another server are known once it was opened.
        guard (try? archive.open(shouldStop: shouldStop)) != nil else { return nil }
        let isVector = source.map { $0.kind == .vector } ?? true
        let tileSize = isVector ? 512 : ((try? source?.details())?.tileSize ?? 512)
        // A tile of 512 pixels has its own size a level further on than one of 256.
        let offset = tileSize > 256 ? 1 : 0
        let zooms = archive.zooms
        var level = min(zooms.upperBound, 14 - offset)
        while !isByTemplates, level > zooms.lowerBound, level > 0, !shouldStop() {
            let tile = TileCoordinate(latitude: latitude, longitude: longitude, z: level)
            if hasTile(tile, archive) { break }
            // The date line belongs to the tiles on both its sides.
            let last = TileCoordinate(z: level, x: (1 << level) - 1, y: tile.y)
            if abs(longitude) == 180, hasTile(last, archive) { break }
            level -= 1
        }
        return Double(min(14, max(0, level) + offset))
    }

    /// A tile that cannot be read counts: it was meant to be there.
    private static func hasTile(_ tile: TileCoordinate, _ archive: any SourceArchive) -> Bool {
        do throws(ResourceError) {
            return try archive.storedTile(tile) != nil
        } catch {
            return true
        }
    }
}
