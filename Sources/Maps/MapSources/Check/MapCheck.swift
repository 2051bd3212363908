import JSON

/// Reports what sources and styles contain and lack, for `veduta map check`. Contacts no other servers.
package struct MapCheck {
    private var settings: MapLibrarySettings
    private let archives: ArchiveCheck

    package static let sampleCount = 300

    /// Looks at `sampleCount` tiles of each archive, 1...100 000.
    package init(_ settings: MapLibrarySettings, sampleCount: Int = MapCheck.sampleCount) {
        self.settings = settings
        self.settings.remote = OfflineSources()
        archives = ArchiveCheck(picture: settings.tilePicture, sampleCount: max(1, min(100_000, sampleCount)))
    }

    package func archive(_ path: String) -> MapReport {
        do throws(SourceProblem) {
            if let archive = try SourceOpener.archive(path, label: path) as? any SampledArchive {
                return archives.report(archive, name: path).report
            }
            throw SourceProblem(name: path, cause: "it cannot be checked")
        } catch {
            return MapReport(kind: "archive", name: path, fault: error.cause)
        }
    }

    /// Checks the style at `path` with the sources of the settings.
    package func style(_ path: String) -> [MapReport] {
        var settings = settings
        settings.style = path
        return reports(settings, only: path)
    }

    package func everything() -> [MapReport] { reports(settings) }

    /// Checks the style, maps file or archive at `path`.
    package func file(_ path: String) -> [MapReport] {
        guard path.lowercased().hasSuffix(".json") else { return [archive(path)] }
        let json = (try? LocalFile.bytes(at: path)).flatMap { try? JSONReader.read($0) }
        guard let json, json["version"] == nil, json["sources"] != nil || json["styles"] != nil else {
            return style(path)
        }
        var settings = settings
        settings.maps = path
        return reports(settings)
    }

    private func reports(_ settings: MapLibrarySettings, only path: String? = nil) -> [MapReport] {
        let snapshot: MapSnapshot
        do throws(MapLibraryFailure) {
            snapshot = try MapLibrary(settings).snapshot
        } catch {
            return error.problems.map { MapReport(kind: "configuration", name: $0.name, fault: $0.cause) }
        }
        let styles = snapshot.styles.filter { style in path.map { style.settings.location == .file(path: $0) } ?? true }
        let used = Set(styles.flatMap { $0.content?.sources.map(\.key) ?? [] })
        var inventories: [String: TileInventory] = [:]
        var reports: [MapReport] = []
        for (key, state) in snapshot.sources.sorted(by: { $0.key < $1.key }) where path == nil || used.contains(key) {
            let (report, inventory) = source(state)
            inventories[key] = inventory
            // The built-in world needs no report, but styles are compared with it.
            if path == nil, state.settings.location != .builtIn { reports.append(report) }
        }
        let check = StyleCheck(inventories: inventories, snapshot: snapshot)
        for style in styles {
            guard let content = style.content else { continue }
            if case .file = style.settings.location { reports.append(check.report(style, content)) }
        }
        return reports
    }

    private func source(_ state: SourceState) -> (MapReport, TileInventory?) {
        var name = state.settings.label
        if case .file(let path) = state.settings.location, path != name { name += ": \(path)" }
        if let named = state.entry?.archive as? NamedArchive, let archive = named.base as? any SampledArchive {
            return archives.report(archive, name: name, completed: named)
        }
        var report = MapReport(kind: "source", name: name)
        if state.isRemote { report.note(MapReport.notContacted) }
        return (report, nil)
    }
}
