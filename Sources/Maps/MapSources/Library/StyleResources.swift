import Bytes
import MapRender
import Raster
import Reactor

/// Gives a style what it names, from one state of the library: `veduta://NAME` for sources of the service,
/// `pmtiles://FILE` and `mbtiles://FILE` for archives, `https://…` if that is allowed, else paths without `..`.
struct StyleResources: MapResources {
    let snapshot: MapSnapshot
    let content: StyleState.Content
    /// Ends the decoding of pictures of the map.
    var shouldStop: @Sendable () -> Bool = { false }

    func bytes(at address: String) throws(ResourceError) -> SharedBytes? {
        try bytes(at: address, shouldStop: { false })
    }

    func bytes(at address: String, shouldStop: () -> Bool) throws(ResourceError) -> SharedBytes? {
        if address.hasPrefix(SourceAddress.ownPrefix) { return try geoJSON(at: address, shouldStop) }
        if SourceAddress.isRemote(address) {
            return try snapshot.remote?.bytes(at: address, shouldStop: shouldStop)
        }
        guard let folder = content.folder, let path = SourceAddress.relativePath(address) else { return nil }
        do throws(Errno) {
            let root = try FileDescriptor.openFolder(folder)
            let file = try root.openFile(RelativePath(path))
            let state = try file.state()
            if state.kind == .file, state.byteCount <= LocalFile.byteLimit {
                return SharedBytes(try file.read(byteCount: state.byteCount, at: 0))
            }
        } catch {
            if error == .noSuchEntry { return nil }
            throw .failed("\(path): \(error)")
        }
        throw .failed("\(path) is not a file of at most \(LocalFile.byteLimit) bytes")
    }

    func archive(at address: String) throws(ResourceError) -> (any TileArchive)? {
        try archive(at: address, shouldStop: { false })
    }

    func archive(at address: String, shouldStop: () -> Bool) throws(ResourceError) -> (any TileArchive)? {
        guard let archive = source(at: address)?.entry?.archive else { return nil }
        try archive.open(shouldStop: shouldStop)
        return archive
    }

    func archive(of templates: TileTemplates) -> (any TileArchive)? { snapshot.remote?.archive(of: templates) }

    func surroundings(of address: String) -> (any TileArchive)? {
        key(of: address) == SourceAddress.standardName ? snapshot.world : nil
    }

    /// Sprites are kept for other maps too, so that no map stops them.
    func picture(_ bytes: SharedBytes) -> Texture? { snapshot.picture(bytes, PictureTerms()) }

    func picture(_ bytes: SharedBytes, pixelLimit: Int) -> Texture? {
        snapshot.picture(bytes, PictureTerms(pixelLimit: pixelLimit, shouldStop: shouldStop))
    }

    /// The key of a source of the style, or of one that was added to it by name.
    private func key(of address: String) -> String? {
        content.sources.first { $0.address == address }?.key ?? SourceAddress.ownName(address)
    }

    func source(at address: String) -> SourceState? { key(of: address).flatMap { snapshot.sources[$0] } }

    private func geoJSON(at address: String, _ shouldStop: () -> Bool) throws(ResourceError) -> SharedBytes? {
        switch source(at: address)?.content {
        case .geoJSON(let bytes, _)?: return bytes
        case .remoteGeoJSON(let address)?: return try snapshot.remote?.bytes(at: address, shouldStop: shouldStop)
        case .tiles?, nil: return nil
        }
    }
}

enum SourceAddress {
    /// Before the name of a source of the service.
    static let ownPrefix = "veduta://"
    private static let archivePrefixes = ["pmtiles://", "mbtiles://"]
    /// The source that is the default archive.
    static let standardName = "map"
    /// The source that is the built-in world, unless the maps file has one of this name.
    static let worldName = "world"

    /// Whether it is on another server; which ones may be asked is up to the settings of the service.
    static func isRemote(_ address: String) -> Bool { address.hasPrefix("https://") || address.hasPrefix("http://") }

    /// The name of the service's source at an address; nil for other addresses.
    static func ownName(_ address: String) -> String? {
        address.hasPrefix(ownPrefix) ? String(address.dropFirst(ownPrefix.count)) : nil
    }

    /// The address as a path below a folder; nil if it is not one.
    static func relativePath(_ address: String) -> String? {
        guard !address.contains("://"), !address.isEmpty, !address.hasPrefix("/"), !address.utf8.contains(0),
            !address.split(separator: "/").contains("..")
        else { return nil }
        return address
    }

    /// An archive's address without its prefix; nil for other addresses.
    static func archive(_ address: String) -> String? {
        archivePrefixes.first(where: address.hasPrefix).map { String(address.dropFirst($0.count)) }
    }
}
