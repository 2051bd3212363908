import Bytes
import Digest
import MapRender
import MapStyle
import Raster

/// One state of all sources and styles. Immutable; archives are closed when the last image that uses it is finished.
package final class MapSnapshot: Sendable {
    /// The sources by their keys: names, or addresses of archives that only a style names.
    let sources: [String: SourceState]
    package let sourceNames: [String]
    /// The built-in world, if it is drawn around what the default archive covers.
    let world: (any SourceArchive)?
    /// What is wrong with the list of styles, if anything.
    let listProblem: SourceProblem?
    /// All styles of the configuration, also those that never had good content.
    let allStyles: [StyleState]
    /// The styles that can be used, the default first.
    let styles: [StyleState]
    let remote: (any RemoteSources)?
    let picture: @Sendable (SharedBytes, PictureTerms) -> Texture?
    /// The part of the styles' validators that never changes within this state.
    private let fixedValidators: [String: String]
    /// The styles that show content of other servers that has no validator.
    private let stylesOfServers: Set<String>

    init(
        sources: [String: SourceState], order: [String], styles: [StyleState], listProblem: SourceProblem?,
        remote: (any RemoteSources)?, world: (any SourceArchive)?,
        picture: @escaping @Sendable (SharedBytes, PictureTerms) -> Texture?
    ) {
        self.sources = sources
        // The built-in world is listed once.
        let isWorldDefault = sources[SourceAddress.standardName]?.settings.location == .builtIn
        self.world = isWorldDefault ? nil : world
        sourceNames = order.filter { name in
            guard MapName.isValid(name), sources[name]?.entry != nil else { return false }
            return !isWorldDefault || name == SourceAddress.standardName || sources[name]?.settings.location != .builtIn
        }
        allStyles = styles
        self.listProblem = listProblem
        self.styles = styles.filter { $0.content != nil }
        self.remote = remote
        self.picture = picture
        var validators: [String: String] = [:]
        var stylesOfServers: Set<String> = []
        for style in styles {
            guard let content = style.content else { continue }
            validators[style.settings.name] = Self.fixedValidator(content, sources)
            if StyleState.Content.namesServers(content.compiled.document.head)
                || content.sources.contains(where: { sources[$0.key]?.isRemoteGeoJSON ?? false })
            {
                stylesOfServers.insert(style.settings.name)
            }
        }
        fixedValidators = validators
        self.stylesOfServers = stylesOfServers
    }

    /// The default first.
    package var styleNames: [String] { styles.map(\.settings.name) }

    package func style(named name: String? = nil) -> MapStyleEntry? {
        let found = name.map { name in styles.first { $0.settings.name == name } } ?? styles.first
        guard let state = found, let content = state.content else { return nil }
        let name = state.settings.name
        let known = styles.map(\.settings)
        let dark = state.settings.dark.flatMap { dark in known.contains { $0.name == dark } ? dark : nil }
        let light = known.first { $0.dark == name }?.name
        return MapStyleEntry(
            name: name, compiled: content.compiled, validator: validator(name, content),
            resources: StyleResources(snapshot: self, content: content),
            sourceNames: content.sources.compactMap { use in
                content.outline.surroundings[use.id] == nil ? sources[use.key]?.entry?.name : nil
            }, world: basemap(of: content),
            light: light ?? (dark == nil ? nil : name), dark: dark ?? (light == nil ? nil : name))
    }

    /// The declared sibling of `style` for a theme, or `style` itself.
    package func style(_ style: MapStyleEntry, for theme: MapTheme) -> MapStyleEntry {
        let name = theme == .light ? style.light : style.dark
        return name.flatMap { self.style(named: $0) } ?? style
    }

    package func source(named name: String) -> MapSourceEntry? { MapName.isValid(name) ? sources[name]?.entry : nil }

    private func basemap(of content: StyleState.Content) -> WorldBasemap? {
        guard let world else { return nil }
        let ids = content.sources.filter { $0.key == SourceAddress.standardName }.map(\.id)
        let state = sources[SourceAddress.standardName]
        return WorldBasemap(world, around: ids, of: content.outline, state?.entry, isRemote: state?.isRemote ?? false)
    }

    /// Includes the validators of sources on other servers, which may have changed since this state was made.
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

    private static func fixedValidator(_ content: StyleState.Content, _ sources: [String: SourceState]) -> String {
        var hash = SHA256()
        hash.update(field: content.digest)
        hash.update(field: content.dependencies)
        for use in content.sources {
            guard let source = sources[use.key], !source.isRemote else { continue }
            hash.update(field: source.validator)
        }
        hash.update(field: MapEngine.version)
        return hash.digest().base64URL(byteCount: 18)
    }
}

extension MapSnapshot {
    /// The zoom of the 256-pixel world, at most 14, at which the deepest tiles at a place are drawn at their own size;
    /// 14 if no source can tell. Blocks: opens the sources and reads at most one tile per level. For tiles by templates
    /// the last level counts. Polls `shouldStop`; once it is true, the result is arbitrary.
    package func defaultZoom(
        _ style: MapStyleEntry, latitude: Double, longitude: Double, shouldStop: @escaping () -> Bool = { false }
    ) -> Double {
        let point = GroundPlace(longitude: longitude, latitude: latitude)
        let drawn = style.sourceNames.compactMap { name in
            sources[name].flatMap { state in state.entry.map { (state: state, entry: $0) } }
        }
        // Vector tiles end where there is nothing to see; images and heights go on anywhere.
        let vector = drawn.filter { $0.entry.kind == .vector }
        var zooms = (vector.isEmpty ? drawn : vector).compactMap { state, entry -> Double? in
            let (archive, isByTemplates) = (entry.archive, state.isByTemplates)
            let isVector = entry.kind == .vector
            let zoom = Self.closestZoom(
                of: archive, isVector: isVector, isByTemplates: isByTemplates, at: point, shouldStop)
            // Within the world, a tile counts only if the archive's bounds contain the place.
            let isCovered =
                style.world == nil || TileBounds(archive.bounds).contains(latitude: latitude, longitude: longitude)
            return isCovered ? zoom : nil
        }
        if let world = style.world, !zooms.contains(where: { $0 >= 14 }) {
            let zoom = Self.closestZoom(of: world.archive, isVector: true, isByTemplates: false, at: point, shouldStop)
            zooms += [zoom].compactMap(\.self)
        }
        return zooms.max() ?? 14
    }

    private static func closestZoom(
        of archive: any SourceArchive, isVector: Bool, isByTemplates: Bool, at point: GroundPlace,
        _ shouldStop: () -> Bool
    ) -> Double? {
        // The levels of an archive on another server are known only once it is open.
        guard (try? archive.open(shouldStop: shouldStop)) != nil else { return nil }
        let tileSize = isVector ? 512 : (try? archive.details(shouldStop: shouldStop))?.tileSize ?? 512
        // A tile of 512 pixels is drawn at its own size one level closer than one of 256.
        let offset = tileSize > 256 ? 1 : 0
        let zooms = archive.zooms
        var level = min(zooms.upperBound, 14 - offset)
        while !isByTemplates, level > zooms.lowerBound, level > 0, !shouldStop() {
            let tile = TileCoordinate(latitude: point.latitude, longitude: point.longitude, z: level)
            if hasTile(tile, archive, shouldStop) { break }
            // The date line belongs to the tiles on both its sides.
            let last = TileCoordinate(z: level, x: (1 << level) - 1, y: tile.y)
            if abs(point.longitude) == 180, hasTile(last, archive, shouldStop) { break }
            level -= 1
        }
        return Double(min(14, max(0, level) + offset))
    }

    /// True also for a tile that cannot be read.
    private static func hasTile(
        _ tile: TileCoordinate, _ archive: any SourceArchive, _ shouldStop: () -> Bool
    ) -> Bool {
        do throws(ResourceError) {
            return try archive.storedTile(tile, shouldStop: shouldStop) != nil
        } catch {
            return true
        }
    }
}
