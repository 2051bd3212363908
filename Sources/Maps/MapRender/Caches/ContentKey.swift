import Bytes
import JSON
import MapStyle

/// What something made of bytes is kept under: where they came from and what tells their states apart.
///
/// Bytes at an address are told apart by themselves, since addresses say nothing about their age; archives have a validator.
struct ContentKey: Hashable, Sendable {
    let address: String
    private let state: String
    private let digest: Int
    private let byteCount: Int

    /// The key of what is made of the bytes at an address. O(bytes), far less than decoding them.
    init(address: String, content: SharedBytes) {
        self.address = address
        state = ""
        byteCount = content.count
        var hasher = Hasher()
        content.withUnsafeBytes { hasher.combine(bytes: $0) }
        digest = hasher.finalize()
    }

    /// The key of what is made of a tile of the archive at an address.
    init(_ tile: TileCoordinate, of archive: any TileArchive, at address: String) {
        self.address = "\(address)#\(tile.z)/\(tile.x)/\(tile.y)"
        state = archive.validator
        byteCount = 0
        digest = 0
    }

    /// The key of what is made of a value that is written in a style. O(values).
    init(_ json: JSONValue) {
        address = ""
        state = ""
        byteCount = 0
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
