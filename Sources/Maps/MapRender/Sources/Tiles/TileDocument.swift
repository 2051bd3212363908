import Bytes
import JSON

/// What a TileJSON document says about its tiles, as far as it is used.
struct TileDocument: Sendable {
    /// Larger ones count as unreadable.
    static let byteLimit = 1 << 20
    /// Templates beyond it are left out, as are those that are too long.
    static let templateLimit = 16
    static let templateByteLimit = 8_192

    let templates: [String]
    let isTMS: Bool
    let minZoom, maxZoom, tileSize: Double?
    let bounds: [Double]?
    let attribution: String?

    /// The document at an address. One of another server leads to no local file. nil for what is no JSON object.
    init?(_ bytes: SharedBytes, at address: String) {
        guard bytes.count <= Self.byteLimit,
            let document = (try? JSONReader.read(bytes.withUnsafeBytes { [UInt8]($0) }))?.object
        else { return nil }
        let mayBeLocal = !Self.isOnServer(address)
        let named = document["tiles"]?.elements?.compactMap(\.text) ?? []
        let usable = named.filter {
            $0.utf8.count <= Self.templateByteLimit && (mayBeLocal || Self.isOnServer($0))
        }
        templates = Array(usable.prefix(Self.templateLimit))
        isTMS = document["scheme"] == .string("tms")
        minZoom = document["minzoom"]?.number
        maxZoom = document["maxzoom"]?.number
        tileSize = document["tileSize"]?.number
        // More than four are no bounds.
        bounds = document["bounds"]?.elements.map { Array($0.compactMap(\.number).prefix(5)) }
        attribution = document["attribution"]?.text.map {
            String(decoding: $0.utf8.prefix(AttributionText.byteLimit), as: UTF8.self)
        }
    }

    var byteCount: Int { templates.reduce(512 + (attribution?.utf8.count ?? 0)) { $0 + 32 + $1.utf8.count } }

    private static func isOnServer(_ address: String) -> Bool {
        let start = address.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }
}
