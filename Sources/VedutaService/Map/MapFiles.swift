import Bytes
import ImageEngine
import MapRender
import Raster
import Reactor
import Synchronization
import Tiles

/// Where maps get what styles name: the archive of the service, and files below one folder.
///
/// Addresses are `veduta://map` for the service's archive, `pmtiles://FILE` for archives in the folder, and paths in it for
/// everything else. Names with `..`, and addresses of other servers, are not there.
final class MapFiles: MapResources {
    /// The address of the service's archive.
    static let archiveAddress = "veduta://map"
    /// Octets of a file that is read whole: glyphs, sprites, documents.
    private static let fileLimit = 32 << 20

    private let folder: String?
    private let archive: PMTilesTiles
    private let opened = Mutex<[String: PMTilesTiles]>([:])

    /// Files below `folder`, if there is one.
    init(folder: String?, archive: PMTilesTiles) {
        self.folder = folder
        self.archive = archive
    }

    func bytes(at address: String) throws(ResourceError) -> SharedBytes? {
        guard let folder, let path = Self.path(of: address) else { return nil }
        do throws(Errno) {
            let root = try FileDescriptor.openFolder(folder)
            let file = try root.openFile(RelativePath(path))
            let state = try file.state()
            if state.kind == .file, state.byteCount <= Self.fileLimit {
                return SharedBytes(try file.read(byteCount: state.byteCount, at: 0))
            }
        } catch {
            if error == .noSuchEntry { return nil }
            throw .failed("\(path): \(error)")
        }
        throw .failed("\(path) is no file of at most \(Self.fileLimit) octets")
    }

    func archive(at address: String) throws(ResourceError) -> (any TileArchive)? {
        if address == Self.archiveAddress { return archive }
        let prefix = "pmtiles://"
        guard address.hasPrefix(prefix), let folder, let path = Self.path(of: String(address.dropFirst(prefix.count)))
        else { return nil }
        if let known = opened.withLock({ $0[path] }) { return known }
        do throws(TileError) {
            let archive = PMTilesTiles(try PMTilesArchive(path: folder + "/" + path))
            return opened.withLock { opened in
                // Another thread may have been quicker; there is one for all.
                let kept = opened[path] ?? archive
                opened[path] = kept
                return kept
            }
        } catch {
            throw .failed("\(path): \(StartCause.text(error))")
        }
    }

    func picture(_ bytes: SharedBytes) -> Texture? {
        let limits = ImageLimits(sourceByteCount: Self.fileLimit, pixelCount: 4096 * 4096)
        do throws(ImageError) {
            let pixels = try ImageEngine.pixels(of: bytes, limits: limits, shouldStop: { false })
            return Texture(
                widthPx: pixels.widthPx, heightPx: pixels.heightPx, format: .rgba, texels: pixels.rgba)
        } catch {
            return nil
        }
    }

    /// The path in the folder; nil for what is none.
    private static func path(of address: String) -> String? {
        guard !address.contains("://"), !address.isEmpty, !address.hasPrefix("/"), !address.utf8.contains(0),
            !address.split(separator: "/").contains("..")
        else { return nil }
        return address
    }
}
