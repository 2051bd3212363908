package import Bytes
package import MapStyle
package import Raster

/// Why something that a style names could not be had.
package enum ResourceError: Error, Equatable, Sendable {
    /// It could not be read; the text is for the log.
    case failed(String)
    /// The picture is no longer wanted.
    case cancelled
}

/// An archive of tiles that a source's `url` names.
package protocol TileArchive: Sendable {
    /// Tells this state of the archive from another; part of the keys of caches.
    var validator: String { get }
    /// The levels there are.
    var zooms: ClosedRange<Int> { get }
    /// West, south, east and north in degrees, if it says.
    var bounds: [Double]? { get }
    /// The octets of a tile, decompressed; nil when there is none.
    func tile(_ id: TileCoordinate) throws(ResourceError) -> SharedBytes?
}

/// Where a map gets what its style names: files, archives, other servers. Shared by threads; calls may block.
package protocol MapResources: Sendable {
    /// The octets at an address; nil when there is nothing. A tile of no octets is there and empty: none stands in for it.
    func bytes(at address: String) throws(ResourceError) -> SharedBytes?
    /// The archive that a source's `url` names, or nil when the address is one of a TileJSON document.
    func archive(at address: String) throws(ResourceError) -> (any TileArchive)?
    /// The pixels of a PNG, JPEG or WebP file; nil when they cannot be read.
    func picture(_ bytes: SharedBytes) -> Texture?
}
