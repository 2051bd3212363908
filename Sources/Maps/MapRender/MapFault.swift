import Bytes
import MapStyle
import Raster
import Synchronization

package struct MapFault: Equatable, Sendable {
    /// The address; for another server its origin alone (``place(of:)``).
    package var source: String
    package var cause: String
    /// Whether it may soon be over: the picture is not worth keeping.
    package var isPassing: Bool

    package init(source: String, cause: String, isPassing: Bool = false) {
        (self.source, self.cause, self.isPassing) = (source, cause, isPassing)
    }

    /// How faults and logs name an address: of another server only `scheme://host:port`, since keys stand in paths, in
    /// queries and before the host; otherwise all but the query.
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
    static let limit = 32

    private let kept = Mutex<[MapFault]>([])

    var faults: [MapFault] { kept.withLock { $0 } }

    /// Adds a fault unless it is known or there are too many. What may be a key is left out.
    func add(_ source: String, _ cause: String, isPassing: Bool = false) {
        let fault = MapFault(source: MapFault.place(of: source), cause: cause, isPassing: isPassing)
        kept.withLock { if $0.count < Self.limit, !$0.contains(fault) { $0.append(fault) } }
    }

    func add(_ source: String, _ error: ResourceError) {
        switch error {
        case .failed(let cause): add(source, cause)
        case .unavailable(let cause): add(source, cause, isPassing: true)
        case .cancelled: break
        }
    }

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

struct NotedResources: MapResources {
    let base: any MapResources
    let faults: FaultBook

    func bytes(at address: String) throws(ResourceError) -> SharedBytes? {
        try bytes(at: address, shouldStop: { false })
    }

    func bytes(at address: String, shouldStop: () -> Bool) throws(ResourceError) -> SharedBytes? {
        try faults.noting(address) { () throws(ResourceError) in try base.bytes(at: address, shouldStop: shouldStop) }
    }

    func archive(at address: String) throws(ResourceError) -> (any TileArchive)? {
        try archive(at: address, shouldStop: { false })
    }

    func archive(at address: String, shouldStop: () -> Bool) throws(ResourceError) -> (any TileArchive)? {
        let found = try faults.noting(address) { () throws(ResourceError) -> (any TileArchive)? in
            try base.archive(at: address, shouldStop: shouldStop)
        }
        return found.map { NotedArchive(base: $0, address: address, faults: faults) }
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

    func picture(_ bytes: SharedBytes, pixelLimit: Int) -> Texture? {
        let texture = base.picture(bytes, pixelLimit: pixelLimit)
        if texture == nil {
            faults.add("picture", "\(bytes.count) bytes that are not an image of at most \(pixelLimit) pixels")
        }
        return texture
    }
}

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
        noting(base.tiles(ids, ratio: ratio, shouldStop: shouldStop), of: ids)
    }

    func packedTiles(
        _ ids: [TileCoordinate], ratio: Double, shouldStop: () -> Bool
    ) -> [TileCoordinate: Result<SharedBytes?, ResourceError>] {
        noting(base.packedTiles(ids, ratio: ratio, shouldStop: shouldStop), of: ids)
    }

    private func noting(
        _ found: [TileCoordinate: Result<SharedBytes?, ResourceError>], of ids: [TileCoordinate]
    ) -> [TileCoordinate: Result<SharedBytes?, ResourceError>] {
        // In the order of the tiles, so that the same failures are told the same way.
        for id in ids { if case .failure(let error)? = found[id] { faults.add(address, error) } }
        return found
    }

    func tile(_ id: TileCoordinate) throws(ResourceError) -> SharedBytes? {
        try faults.noting(address) { () throws(ResourceError) in try base.tile(id) }
    }
}
