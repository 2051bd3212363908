package import Bytes
import Digest
package import MapRender
package import Raster
import Synchronization

/// All sources and styles of the service, by name, in their present state. Shared by threads.
///
/// ``refresh()`` looks whether a file has been replaced and takes over what has become of it; who draws pictures asks for a
/// ``snapshot`` or a style first and hands its resources to the engine, so that one picture is made of one state.
package final class MapLibrary: Sendable {
    let settings: MapLibrarySettings
    private let fonts: String
    private let world: (any SourceArchive)?
    private let present: Mutex<MapSnapshot>
    private let watched: Mutex<WatchedFile>
    private let isRefreshing = Atomic(false)

    /// What is known of the maps file.
    private struct WatchedFile: Sendable {
        var mark: FileMark?
        var file: MapsFile
    }

    /// Opens all that the settings name.
    ///
    /// - Throws: all that is wrong with it, at once.
    package init(_ settings: MapLibrarySettings) throws(MapLibraryFailure) {
        self.settings = settings
        fonts = Self.fontDigest()
        let mark = settings.maps.map { FileMark($0) }
        var file = MapsFile()
        if let path = settings.maps { file = try MapsFile.read(path, environment: settings.environment) }
        do throws(SourceProblem) {
            world = settings.showsWorld ? try SourceOpener.builtInWorld("the built-in world") : nil
        } catch {
            throw MapLibraryFailure(problems: [error])
        }
        var builder = SnapshotBuilder(settings: settings, file: file, previous: nil, fonts: fonts, world: world)
        let snapshot = builder.build()
        let problems = SourceList.problems(settings, file) + builder.problems
        guard problems.isEmpty, let snapshot else { throw MapLibraryFailure(problems: problems) }
        present = Mutex(snapshot)
        watched = Mutex(WatchedFile(mark: mark, file: file))
    }

    /// The present state of everything. Costs a lock held for a moment.
    package var snapshot: MapSnapshot { present.withLock { $0 } }

    /// The names of the styles, the default first.
    package var styleNames: [String] { snapshot.styleNames }

    /// The names of sources with tiles.
    package var sourceNames: [String] { snapshot.sourceNames }

    /// The style with a name; the default for nil.
    package func style(named name: String? = nil) -> MapStyleEntry? { snapshot.style(named: name) }

    /// The source with a name.
    package func source(named name: String) -> MapSourceEntry? { snapshot.source(named: name) }

    /// Takes over what has changed in the files: a new state for pictures that are begun from now on. What has become faulty
    /// stays as it was and is told to `report`, once.
    ///
    /// Some system calls when nothing has changed; as much as opening when something has. Blocks; while one thread is at it,
    /// others return at once. Returns whether there is a new state.
    @discardableResult
    package func refresh() -> Bool {
        guard isRefreshing.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
        else { return false }
        defer { isRefreshing.store(false, ordering: .releasing) }
        let file = refreshedFile()
        var builder = SnapshotBuilder(
            settings: settings, file: file, previous: snapshot, fonts: fonts, world: world)
        let next = builder.build()
        builder.problems.forEach(settings.report)
        guard let next else { return false }
        // The old state is let go outside of the lock: that may close archives.
        let old = present.withLock { present in
            let old = present
            present = next
            return old
        }
        withExtendedLifetime(old) {}
        return true
    }

    /// The maps file as it is now, or as it was when it was last good.
    private func refreshedFile() -> MapsFile {
        let known = watched.withLock { $0 }
        guard let path = settings.maps else { return known.file }
        let mark = FileMark(path)
        guard mark != known.mark else { return known.file }
        var file = known.file
        do throws(MapLibraryFailure) {
            let read = try MapsFile.read(path, environment: settings.environment)
            let problems = SourceList.problems(settings, read)
            guard problems.isEmpty else { throw MapLibraryFailure(problems: problems) }
            file = read
        } catch {
            error.problems.forEach(settings.report)
        }
        watched.withLock { $0 = WatchedFile(mark: mark, file: file) }
        return file
    }

    /// Machines with the same fonts draw the same; when these were installed has no part in it.
    private static func fontDigest() -> String {
        var hash = SHA256()
        for folder in MapEngine.fontFolders {
            hash.update(field: FolderState.digest(of: folder, hasTimes: false).base64URL())
        }
        return hash.digest().base64URL(byteCount: 18)
    }
}

/// For an engine whose pictures are not handed the resources of a style: those of the default style, as they are when asked.
extension MapLibrary: MapResources {
    package func bytes(at address: String) throws(ResourceError) -> SharedBytes? {
        try style()?.resources.bytes(at: address)
    }

    package func archive(at address: String) throws(ResourceError) -> (any TileArchive)? {
        try style()?.resources.archive(at: address)
    }

    package func picture(_ bytes: SharedBytes) -> Texture? { settings.picture(bytes) }
}
