import Bytes
import MapStyle
import Raster
import Synchronization

/// Something that a style names and that could not be had or read.
package struct MapFault: Equatable, Sendable {
    /// The address.
    package var source: String
    /// What happened.
    package var cause: String

    /// A fault.
    package init(source: String, cause: String) {
        self.source = source
        self.cause = cause
    }
}

/// Collects the faults of one picture.
final class FaultBook: Sendable {
    /// How many are kept.
    static let limit = 32

    private let kept = Mutex<[MapFault]>([])

    /// The faults, in the order in which they were found.
    var faults: [MapFault] { kept.withLock { $0 } }

    /// Adds a fault, unless it is known or there are too many.
    func add(_ source: String, _ cause: String) {
        let fault = MapFault(source: source, cause: cause)
        kept.withLock { kept in
            if kept.count < Self.limit, !kept.contains(fault) { kept.append(fault) }
        }
    }

    /// Adds what an error says, but for one that says that nobody waits any longer.
    func add(_ source: String, _ error: ResourceError) {
        if case .failed(let cause) = error { add(source, cause) }
    }
}

/// Resources whose failures are noted. What is merely not there is no failure.
struct NotedResources: MapResources {
    let base: any MapResources
    let faults: FaultBook

    func bytes(at address: String) throws(ResourceError) -> SharedBytes? {
        do throws(ResourceError) {
            return try base.bytes(at: address)
        } catch {
            faults.add(address, error)
            throw error
        }
    }

    func archive(at address: String) throws(ResourceError) -> (any TileArchive)? {
        do throws(ResourceError) {
            return try base.archive(at: address).map { NotedArchive(base: $0, address: address, faults: faults) }
        } catch {
            faults.add(address, error)
            throw error
        }
    }

    func picture(_ bytes: SharedBytes) -> Texture? {
        let texture = base.picture(bytes)
        if texture == nil { faults.add("picture", "\(bytes.count) octets that are no picture") }
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

    func tile(_ id: TileCoordinate) throws(ResourceError) -> SharedBytes? {
        do throws(ResourceError) {
            return try base.tile(id)
        } catch {
            faults.add(address, error)
            throw error
        }
    }
}
