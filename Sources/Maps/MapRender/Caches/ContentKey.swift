import Bytes
import JSON
import MapStyle

/// The cache key of what is made of bytes: those at an address are told apart by hash, archives by their validator.
struct ContentKey: Hashable, Sendable {
    let address: String
    private var state = ""
    private var digest = 0
    private var byteCount = 0

    /// O(bytes), far less than decoding them.
    init(address: String, content: SharedBytes) {
        self.address = address
        byteCount = content.count
        var hasher = Hasher()
        content.withUnsafeBytes { hasher.combine(bytes: $0) }
        digest = hasher.finalize()
    }

    init(_ tile: TileCoordinate, of archive: any TileArchive, at address: String) {
        self.address = "\(address)#\(tile.z)/\(tile.x)/\(tile.y)"
        state = archive.validator
    }

    init(_ json: JSONValue) {
        address = ""
        var hasher = Hasher()
        Self.combine(json, &hasher)
        digest = hasher.finalize()
    }

    private static func combine(_ json: JSONValue, _ hasher: inout Hasher) {
        switch json {
        case .null: hasher.combine(UInt8(0))
        case .boolean(let boolean): hasher.combine(boolean)
        case .number(let number): hasher.combine(number)
        case .string(let text): hasher.combine(text)
        case .array(let elements):
            hasher.combine(UInt8(1))
            hasher.combine(elements.count)
            for element in elements { combine(element, &hasher) }
        case .object(let object):
            hasher.combine(UInt8(2))
            hasher.combine(object.members.count)
            for member in object.members {
                hasher.combine(member.name)
                combine(member.value, &hasher)
            }
        }
    }
}
