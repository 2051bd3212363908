package import Bytes
package import MapStyle
package import Raster

/// Why something that a style names is missing. The texts are for the log.
package enum ResourceError: Error, Equatable, Sendable {
    case failed(String)
    /// Another server does not answer; it may soon.
    case unavailable(String)
    case cancelled

    package var cause: String? {
        switch self {
        case .failed(let cause), .unavailable(let cause): cause
        case .cancelled: nil
        }
    }
}

extension MapError {
    /// nil for what is missing, which leaves a gap. Throws `cancelled`.
    static func orGap<Found>(_ body: () throws(ResourceError) -> Found?) throws(MapError) -> Found? {
        do throws(ResourceError) {
            return try body()
        } catch {
            if error == .cancelled { throw .cancelled }
            return nil
        }
    }
}

package protocol TileArchive: Sendable {
    /// Tells this state of the archive from others; part of keys of caches.
    var validator: String { get }
    var zooms: ClosedRange<Int> { get }
    var bounds: [Double]? { get }
    var attribution: String? { get }
    /// CSS pixels; when nil, the style or its default decides.
    var tileSize: Double? { get }
    /// Tiles stay as they are as long as `validator` does; else what is made of them is kept by their bytes.
    var hasFixedTiles: Bool { get }
    /// Decompressed; nil when there is no such tile.
    func tile(_ id: TileCoordinate) throws(ResourceError) -> SharedBytes?
    /// Several tiles, for `ratio` device pixels per CSS pixel: archives far away fetch all of them at once. Those left
    /// out are asked for by `tile`. Calls `shouldStop` often.
    func tiles(
        _ ids: [TileCoordinate], ratio: Double, shouldStop: () -> Bool
    ) -> [TileCoordinate: Result<SharedBytes?, ResourceError>]
    /// As `tiles`, but each may still be compressed (gzip, zlib): decompressed, many at once may be too much.
    func packedTiles(
        _ ids: [TileCoordinate], ratio: Double, shouldStop: () -> Bool
    ) -> [TileCoordinate: Result<SharedBytes?, ResourceError>]
}

extension TileArchive {
    /// One tile. Polls `shouldStop` while it waits for another server.
    package func tile(_ id: TileCoordinate, shouldStop: () -> Bool) throws(ResourceError) -> SharedBytes? {
        guard let found = tiles([id], ratio: 1, shouldStop: shouldStop)[id] else { return try tile(id) }
        return try found.get()
    }

    package var attribution: String? { nil }
    package var tileSize: Double? { nil }
    package var hasFixedTiles: Bool { true }

    /// None: a local archive reads tiles when they are needed.
    package func tiles(
        _ ids: [TileCoordinate], ratio: Double, shouldStop: () -> Bool
    ) -> [TileCoordinate: Result<SharedBytes?, ResourceError>] { [:] }

    package func packedTiles(
        _ ids: [TileCoordinate], ratio: Double, shouldStop: () -> Bool
    ) -> [TileCoordinate: Result<SharedBytes?, ResourceError>] {
        tiles(ids, ratio: ratio, shouldStop: shouldStop)
    }
}

/// Where a map gets what its style names: files, archives, other servers. Shared by threads; calls may block. Those that
/// ask other servers also poll `shouldStop` while they wait, and throw `cancelled`; what is at hand is given even so.
package protocol MapResources: Sendable {
    /// nil when there is nothing. A tile of no bytes exists and is empty: none stands in for it.
    func bytes(at address: String) throws(ResourceError) -> SharedBytes?
    func bytes(at address: String, shouldStop: () -> Bool) throws(ResourceError) -> SharedBytes?
    /// The archive that a source's `url` names; nil for the address of a TileJSON document.
    func archive(at address: String) throws(ResourceError) -> (any TileArchive)?
    func archive(at address: String, shouldStop: () -> Bool) throws(ResourceError) -> (any TileArchive)?
    /// Tiles at addresses by templates that are better fetched together; when nil, each is asked for by its address.
    func archive(of templates: TileTemplates) -> (any TileArchive)?
    /// Vector tiles to draw around what the archive at a source's `url` covers; nil for none.
    func surroundings(of address: String) -> (any TileArchive)?
    func picture(_ bytes: SharedBytes) -> Texture?
    /// nil also for an image of more pixels, and where the map is not wanted any more.
    func picture(_ bytes: SharedBytes, pixelLimit: Int) -> Texture?
}

/// For resources that wait for no other server.
extension MapResources {
    package func bytes(at address: String, shouldStop: () -> Bool) throws(ResourceError) -> SharedBytes? {
        try bytes(at: address)
    }

    package func archive(at address: String, shouldStop: () -> Bool) throws(ResourceError) -> (any TileArchive)? {
        try archive(at: address)
    }

    package func archive(of templates: TileTemplates) -> (any TileArchive)? { nil }
    package func surroundings(of address: String) -> (any TileArchive)? { nil }
    package func picture(_ bytes: SharedBytes, pixelLimit: Int) -> Texture? {
        guard let texture = picture(bytes), texture.widthPx * texture.heightPx <= pixelLimit else { return nil }
        return texture
    }
}
