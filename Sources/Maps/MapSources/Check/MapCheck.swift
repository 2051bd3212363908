import Bytes
import JSON
import MapRender

/// Explains what sources and styles hold and lack, for `veduta map check`. Asks no other servers.
package struct MapCheck {
    /// The maps, archive, style and files of the service, by which styles are judged.
    private let settings: MapLibrarySettings
    private let archives: ArchiveCheck

    /// How many tiles of an archive are looked at unless said otherwise.
    package static let sampleCount = 300

    /// A check with these settings; `sampleCount`: 1...100 000 tiles of each archive are looked at.
    package init(_ settings: MapLibrarySettings, sampleCount: Int = MapCheck.sampleCount) {
        var settings = settings
        settings.remote = UnaskedServers()
        self.settings = settings
        archives = ArchiveCheck(picture: settings.picture, sampleCount: max(1, min(100_000, sampleCount)))
    }

    /// The report on the archive at `path`.
    package func archive(_ path: String) -> MapReport {
        do throws(SourceProblem) {
            if let archive = try SourceOpener.archive(path, label: path) as? any SampledArchive {
                return archives.report(archive, name: path).report
            }
            throw SourceProblem(name: path, cause: "it cannot be checked")
        } catch {
            var report = MapReport(kind: "archive", name: path)
            report.fault("", error.cause)
            return report
        }
    }

    /// The report on the style at `path` with the sources of the settings.
    package func style(_ path: String) -> [MapReport] {
        var settings = settings
        settings.style = path
        return reports(settings, only: path)
    }

    /// Reports on all sources and styles of the settings.
    package func everything() -> [MapReport] { reports(settings, only: nil) }

    /// What the file at `path` is and the reports on it: a style, a maps file, or else an archive.
    package func file(_ path: String) -> [MapReport] {
        guard path.lowercased().hasSuffix(".json") else { return [archive(path)] }
        let json = (try? LocalFile.bytes(at: path)).flatMap { try? JSONReader.read($0) }
        guard let json, json["version"] == nil, json["sources"] != nil || json["styles"] != nil else {
            return style(path)
        }
        var settings = settings
        settings.maps = path
        return reports(settings, only: nil)
    }

    private func reports(_ settings: MapLibrarySettings, only path: String?) -> [MapReport] {
        let library: MapLibrary
        do throws(MapLibraryFailure) {
            library = try MapLibrary(settings)
        } catch {
            return error.problems.map { problem in
                var report = MapReport(kind: "configuration", name: problem.name)
                report.fault("", problem.cause)
                return report
            }
        }
        let snapshot = library.snapshot
        let styles = snapshot.styles.filter { style in path.map { style.settings.place == .file(path: $0) } ?? true }
        let used = Set(styles.flatMap { $0.content?.sources.map(\.key) ?? [] })
        var inventories: [String: TileInventory] = [:]
        var reports: [MapReport] = []
        for (key, state) in snapshot.sources.sorted(by: { $0.key < $1.key }) where path == nil || used.contains(key) {
            let (report, inventory) = source(state)
            inventories[key] = inventory
            // What is built in is sound; styles are held against it all the same.
            if path == nil, state.settings.place != .builtIn { reports.append(report) }
        }
        let check = StyleCheck(inventories: inventories, snapshot: snapshot)
        for style in styles {
            guard let content = style.content else { continue }
            if case .file = style.settings.place { reports.append(check.report(style, content)) }
        }
        return reports
    }

    private func source(_ state: SourceState) -> (MapReport, TileInventory?) {
        var name = state.settings.label
        if case .file(let path) = state.settings.place, path != name { name += ": \(path)" }
        if let named = state.entry?.archive as? NamedArchive, let archive = named.base as? any SampledArchive {
            return archives.report(archive, name: name, completed: named)
        }
        var report = MapReport(kind: "source", name: name)
        if state.isRemote { report.notice("", "it is on another server, which was not contacted") }
        return (report, nil)
    }
}
