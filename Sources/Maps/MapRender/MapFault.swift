import Bytes
import MapStyle
import Raster
import Synchronization

/// Something that a style names and that could not be had or read.
package struct MapFault: Equatable, Sendable {
    /// The address; of another server its origin (``place(of:)``).
    package var source: String
    package var cause: String
    /// Whether it may be gone soon: the picture is not worth keeping.
    package var isPassing: Bool

    package init(source: String, cause: String, isPassing: Bool = false) {
        self.source = source
        self.cause = cause
        self.isPassing = isPassing
    }

    /// What faults and the log call an address: of one of another server its origin alone, `scheme://host:port`, since keys
    /// stand in paths, in queries and before the host; of others all but the query.
    package static func place(of address: String) -> String {
        let inner = ["pmtiles://", "mbtiles://"].first(where: address.hasPrefix).map { address.dropFirst($0.count) }
        let text = inner ?? address[...]
        guard let scheme = ["http://", "https://"].first(where: text.lowercased().hasPrefix) else {
            return String(address.prefix { $0 != "?" })
        }
        let authority = text.dropFirst(scheme.count).prefix { !"/?#\\".contains($0) }
        return scheme + (authority.split(separator: "@", omittingEmptySubsequences: false).last ?? "")
    }
}

final class FaultBook: Sendable {
    /// How many are kept.
    static let limit = 32

    private let kept = Mutex<[MapFault]>([])

    /// The faults, in the order in which they were found.
    var faults: [MapFault] { kept.withLock { $0 } }

    /// Adds a fault of what is at an address, unless it is known or there are too many. What may be a key is left out.
    func add(_ source: String, _ cause: String, isPassing: Bool = false) {
        let fault = MapFault(source: MapFault.place(of: source), cause: cause, isPassing: isPassing)
        kept.withLock { kept in
            if kept.count < Self.limit, !kept.contains(fault) { kept.append(fault) }
        }
    }

    /// Adds what an error says, but for one that says that nobody waits any longer.
    func add(_ source: String, _ error: ResourceError) {
        switch error {
        case .failed(let cause): add(source, cause)
        case .unavailable(let cause): add(source, cause, isPassing: true)
        case .cancelled: break
        }
    }
}

extension FaultBook {
    fileprivate func noting<Found>(
        _ address: String, _ body: () throws(ResourceError) -> Found
    ) throws(ResourceError) -> Found {
        do throws(ResourceError) {
            return try body()
        } catch {
            add(address, error)
            throw error
        }
    }
}

/// Resources whose failures are noted. What is merely not there is no failure.
struct NotedResources: MapResources {
    let base: any MapResources
    let faults: FaultBook

    func bytes(at address: String) throws(ResourceError) -> SharedBytes? {
        try faults.noting(address) { () throws(ResourceError) in try base.bytes(at: address) }
    }

    func archive(at address: String) throws(ResourceError) -> (any TileArchive)? {
        try faults.noting(address) { () throws(ResourceError) in try base.archive(at: address) }
            .map { NotedArchive(base: $0, address: address, faults: faults) }
    }

    func archive(of templates: TileTemplates) -> (any TileArchive)? {
        base.archive(of: templates).map {
            NotedArchive(base: $0, address: templates.addresses.first ?? "", faults: faults)
        }
    }

    func surroundings(of address: String) -> (any TileArchive)? {
        base.surroundings(of: address).map { NotedArchive(base: $0, address: "the built-in world", faults: faults) }
    }

    func picture(_ bytes: SharedBytes) -> Texture? {
        let texture = base.picture(bytes)
        if texture == nil { faults.add("picture", "\(bytes.count) bytes that are not an image") }
        return texture
    }
}

/// An archive whose failures are noted.
private struct NotedArchive: TileArchive {
    let base: any TileArchive
    let address: String
    let faults: FaultBook

    var validator: String { base.validator }
    var zooms: ClosedRange<Int> { base.zooms }
    var bounds: [Double]? { base.bounds }
    var attribution: String? { base.attribution }
    var tileSize: Double? { base.tileSize }
    var hasFixedTiles: Bool { base.hasFixedTiles }

    func tiles(
        _ ids: [TileCoordinate], ratio: Double, shouldStop: () -> Bool
    ) -> [TileCoordinate: Result<SharedBytes?, ResourceError>] {
        let found = base.tiles(ids, ratio: ratio, shouldStop: shouldStop)
        // In the order of the tiles, so that the same failures are told the same way.
        for id in ids {
            if case .failure(let error)? = found[id] { faults.add(address, error) }
        }
        return found
    }

    func tile(_ id: TileCoordinate) throws(ResourceError) -> SharedBytes? {
        try faults.noting(address) { () throws(ResourceError) in try base.tile(id) }
    }
}
