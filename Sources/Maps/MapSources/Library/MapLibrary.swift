package import Bytes
import Digest
package import MapRender
package import Raster
import Synchronization

/// All named sources and styles, in their present state; ``refresh()`` takes over changed files. Shared by threads. To
/// draw an image from one state, take a ``snapshot`` or a style first and hand its resources to the engine.
package final class MapLibrary: Sendable {
    let settings: MapLibrarySettings
    /// Changes with the fonts of the machine.
    package let fonts: String
    private let world: (any SourceArchive)?
    private let present: Mutex<MapSnapshot>
    private let mapsFile: Mutex<KnownFile>
    private let isRefreshing = Atomic(false)

    /// The maps file in its last good state, and its mark at the last attempt.
    private struct KnownFile: Sendable {
        var mark: FileMark?
        var file: MapsFile
    }

    /// Opens everything that the settings name; throws all problems at once.
    package init(_ settings: MapLibrarySettings) throws(MapLibraryFailure) {
        self.settings = settings
        fonts = Self.fontDigest()
        let mark = settings.maps.map { FileMark($0) }
        var file = MapsFile()
        if let path = settings.maps { file = try MapsFile.read(path, environment: settings.environment) }
        world = try Result { () throws(SourceProblem) in
            settings.showsWorld ? try SourceOpener.builtInWorld("the built-in world") : nil
        }.mapError { MapLibraryFailure(problems: [$0]) }.get()
        var builder = SnapshotBuilder(settings: settings, file: file, previous: nil, fonts: fonts, world: world)
        let snapshot = builder.build()
        let problems = SourceList.problems(settings, file) + builder.problems
        guard problems.isEmpty, let snapshot else { throw MapLibraryFailure(problems: problems) }
        present = Mutex(snapshot)
        mapsFile = Mutex(KnownFile(mark: mark, file: file))
    }

    package var snapshot: MapSnapshot { present.withLock { $0 } }
    package var styleNames: [String] { snapshot.styleNames }
    package var sourceNames: [String] { snapshot.sourceNames }
    package func style(named name: String? = nil) -> MapStyleEntry? { snapshot.style(named: name) }
    package func source(named name: String) -> MapSourceEntry? { snapshot.source(named: name) }

    /// Makes a new state if files have changed, and returns whether it did. If a file has become faulty, its last good
    /// version stays in use, and the fault is reported once. Costs a few system calls if nothing has changed; does nothing
    /// while another thread refreshes.
    @discardableResult
    package func refresh() -> Bool {
        guard isRefreshing.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
        else { return false }
        defer { isRefreshing.store(false, ordering: .releasing) }
        let file = refreshedFile()
        var builder = SnapshotBuilder(settings: settings, file: file, previous: snapshot, fonts: fonts, world: world)
        let next = builder.build()
        builder.problems.forEach(settings.report)
        guard let next else { return false }
        // Released outside of the lock, since that may close archives.
        let old = present.withLock { present in
            let old = present
            present = next
            return old
        }
        withExtendedLifetime(old) {}
        return true
    }

    /// The maps file as it is now, or as it last was without faults.
    private func refreshedFile() -> MapsFile {
        var known = mapsFile.withLock { $0 }
        guard let path = settings.maps else { return known.file }
        let mark = FileMark(path)
        guard mark != known.mark else { return known.file }
        known.mark = mark
        do throws(MapLibraryFailure) {
            let read = try MapsFile.read(path, environment: settings.environment)
            let problems = SourceList.problems(settings, read)
            guard problems.isEmpty else { throw MapLibraryFailure(problems: problems) }
            known.file = read
        } catch {
            error.problems.forEach(settings.report)
        }
        mapsFile.withLock { $0 = known }
        return known.file
    }

    /// Of the names and sizes of fonts, not their times: machines with the same fonts draw the same.
    private static func fontDigest() -> String {
        var hash = SHA256()
        for folder in MapEngine.fontFolders {
            hash.update(field: FolderState.digest(of: folder, hasTimes: false).base64URL())
        }
        return hash.digest().base64URL(byteCount: 18)
    }
}

/// For an engine that is not given the resources of a style: those of the default style, in its present state.
extension MapLibrary: MapResources {
    package func bytes(at address: String) throws(ResourceError) -> SharedBytes? {
        try bytes(at: address, shouldStop: { false })
    }

    package func bytes(at address: String, shouldStop: () -> Bool) throws(ResourceError) -> SharedBytes? {
        try style()?.resources.bytes(at: address, shouldStop: shouldStop)
    }

    package func archive(at address: String) throws(ResourceError) -> (any TileArchive)? {
        try archive(at: address, shouldStop: { false })
    }

    package func archive(at address: String, shouldStop: () -> Bool) throws(ResourceError) -> (any TileArchive)? {
        try style()?.resources.archive(at: address, shouldStop: shouldStop)
    }

    package func picture(_ bytes: SharedBytes) -> Texture? { settings.picture(bytes, PictureTerms()) }

    package func picture(_ bytes: SharedBytes, pixelLimit: Int) -> Texture? {
        settings.picture(bytes, PictureTerms(pixelLimit: pixelLimit))
    }
}
