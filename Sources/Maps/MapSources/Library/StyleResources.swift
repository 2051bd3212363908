import Bytes
import MapRender
import Raster
import Reactor

/// Where a picture in a style gets what the style names, of one state of the library.
///
/// Addresses are `veduta://NAME` for sources of the service, `pmtiles://FILE` and `mbtiles://FILE` for archives beside the
/// style, `https://…` where other servers may be asked, and relative paths for everything else. Names with `..` are not there.
struct StyleResources: MapResources {
    let snapshot: MapSnapshot
    let content: StyleState.Content

    func bytes(at address: String) throws(ResourceError) -> SharedBytes? {
        if address.hasPrefix(SourceAddress.ownPrefix) { return try geoJSON(at: address) }
        if SourceReader.isRemote(address) { return try snapshot.remote?.bytes(at: address) }
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
        guard let archive = key(of: address).flatMap({ snapshot.sources[$0]?.entry?.archive }) else { return nil }
        try archive.open()
        return archive
    }

    func archive(of templates: TileTemplates) -> (any TileArchive)? { snapshot.remote?.archive(of: templates) }

    func surroundings(of address: String) -> (any TileArchive)? {
        key(of: address) == SourceAddress.standardName ? snapshot.world : nil
    }

    func picture(_ bytes: SharedBytes) -> Texture? { snapshot.picture(bytes) }

    /// The key of the source at an address: one of the style, or one that was added to it by name.
    private func key(of address: String) -> String? {
        if let use = content.sources.first(where: { $0.address == address }) { return use.key }
        return address.hasPrefix(SourceAddress.ownPrefix)
            ? String(address.dropFirst(SourceAddress.ownPrefix.count)) : nil
    }

    private func geoJSON(at address: String) throws(ResourceError) -> SharedBytes? {
        switch key(of: address).flatMap({ snapshot.sources[$0]?.content }) {
        case .geoJSON(let bytes, _)?: return bytes
        case .remoteGeoJSON(let address)?: return try snapshot.remote?.bytes(at: address)
        case .tiles?, nil: return nil
        }
    }
}

/// The addresses that sources of styles have.
enum SourceAddress {
    /// Before the name of a source of the service.
    static let ownPrefix = "veduta://"
    /// Before an archive's path or address.
    static let archivePrefixes = ["pmtiles://", "mbtiles://"]
    /// The source that is the default archive.
    static let standardName = "map"
    /// The source that is the built-in world, unless the maps file has one of this name: then it has another.
    static let worldName = "world"

    /// The path below a folder that an address is; nil for what is none.
    static func relativePath(_ address: String) -> String? {
        guard !address.contains("://"), !address.isEmpty, !address.hasPrefix("/"), !address.utf8.contains(0),
            !address.split(separator: "/").contains("..")
        else { return nil }
        return address
    }

    /// What stands behind the prefix of an archive's address; nil for other addresses.
    static func archive(_ address: String) -> String? {
        archivePrefixes.first(where: address.hasPrefix).map { String(address.dropFirst($0.count)) }
    }
}
