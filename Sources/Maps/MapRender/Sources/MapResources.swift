package import Bytes
package import MapStyle
package import Raster

/// Why something that a style names could not be had.
package enum ResourceError: Error, Equatable, Sendable {
    /// It could not be read; the text is for the log.
    case failed(String)
    /// It cannot be had now, and may be soon: another server does not answer; the text is for the log.
    case unavailable(String)
    /// The picture is no longer wanted.
    case cancelled

    /// What happened; nil where nobody wants to know.
    package var cause: String? {
        switch self {
        case .failed(let cause), .unavailable(let cause): cause
        case .cancelled: nil
        }
    }
}

extension MapError {
    /// What `body` finds; nil where it cannot be had, which leaves a gap. Throws `cancelled`.
    static func orGap<Found>(_ body: () throws(ResourceError) -> Found?) throws(MapError) -> Found? {
        do throws(ResourceError) {
            return try body()
        } catch {
            if error == .cancelled { throw .cancelled }
            return nil
        }
    }
}

/// An archive of tiles that a source's `url` names.
package protocol TileArchive: Sendable {
    /// Tells this state of the archive from another; part of the keys of caches.
    var validator: String { get }
    /// The levels there are.
    var zooms: ClosedRange<Int> { get }
    /// West, south, east and north in degrees, if it says.
    var bounds: [Double]? { get }
    /// Who has to be named beside a picture of it, as text or HTML; nil: nobody.
    var attribution: String? { get }
    /// CSS pixels of a tile's side; nil: what the style says, or its default.
    var tileSize: Double? { get }
    /// Whether a tile stays what it is as long as `validator` does; else what is made of tiles is kept by their bytes.
    var hasFixedTiles: Bool { get }
    /// The bytes of a tile, decompressed; nil when there is none.
    func tile(_ id: TileCoordinate) throws(ResourceError) -> SharedBytes?
    /// The bytes of several tiles, for `ratio` device pixels of a CSS pixel: archives far away ask for all of them at once.
    /// What is left out has to be asked for by `tile`; `shouldStop` is asked again and again meanwhile.
    func tiles(
        _ ids: [TileCoordinate], ratio: Double, shouldStop: () -> Bool
    ) -> [TileCoordinate: Result<SharedBytes?, ResourceError>]
}

extension TileArchive {
    package var attribution: String? { nil }
    package var tileSize: Double? { nil }
    package var hasFixedTiles: Bool { true }

    /// Nothing: an archive at hand reads a tile when it is needed.
    package func tiles(
        _ ids: [TileCoordinate], ratio: Double, shouldStop: () -> Bool
    ) -> [TileCoordinate: Result<SharedBytes?, ResourceError>] { [:] }
}

/// Where a map gets what its style names: files, archives, other servers. Shared by threads; calls may block.
package protocol MapResources: Sendable {
    /// The bytes at an address; nil when there is nothing. A tile of no bytes is there and empty: none stands in for it.
    func bytes(at address: String) throws(ResourceError) -> SharedBytes?
    /// The archive that a source's `url` names, or nil when the address is one of a TileJSON document.
    func archive(at address: String) throws(ResourceError) -> (any TileArchive)?
    /// The tiles at addresses by templates, where they are better had together; nil: each is asked for by its address.
    func archive(of templates: TileTemplates) -> (any TileArchive)?
    /// The archive of vector tiles that is drawn around what the one at a source's `url` covers; nil: nothing is.
    func surroundings(of address: String) -> (any TileArchive)?
    /// The pixels of a PNG, JPEG or WebP file; nil when they cannot be read.
    func picture(_ bytes: SharedBytes) -> Texture?
}

extension MapResources {
    package func archive(of templates: TileTemplates) -> (any TileArchive)? { nil }
    package func surroundings(of address: String) -> (any TileArchive)? { nil }
}
