import Bytes

package enum TilePathFault: Error, Equatable, Sendable {
    /// `allowed` describes well-formed paths.
    case malformed(allowed: String)
    case noSuchTile
}

/// A path below `/tiles/` or `/data/`, without its escapes.
package enum TilePath: Equatable, Sendable {
    /// `NAME.json`
    case description(name: String)
    /// `NAME/Z/X/Y.EXTENSION`, with `@2x` and the like before the dot.
    case tile(TileAddress)

    private static let lengthLimit = 512

    /// Takes what follows `/tiles/` or `/data/`; `mayScale`: `@2x` has a meaning there.
    package init(_ path: String, mayScale: Bool) throws(TilePathFault) {
        let shape = "NAME/{z}/{x}/{y}\(mayScale ? "[@2x]" : "").{extension} with whole numbers, or NAME.json"
        guard path.utf8.count <= Self.lengthLimit else { throw .malformed(allowed: shape) }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 1, path.hasSuffix(".json"), path.utf8.count > 5 {
            self = .description(name: String(path.dropLast(5)))
            return
        }
        guard parts.count == 4, !parts[0].isEmpty, let dot = parts[3].lastIndex(of: ".") else {
            throw .malformed(allowed: shape)
        }
        var last = parts[3][..<dot]
        let fileExtension = String(parts[3][parts[3].index(after: dot)...])
        var ratio = 1
        if let at = last.firstIndex(of: "@") {
            guard mayScale, let times = Self.ratio(last[at...]) else {
                throw .malformed(allowed: mayScale ? "@1x to @\(MapTile.ratioLimit)x" : shape)
            }
            ratio = times
            last = last[..<at]
        }
        guard let z = Self.number(parts[1]), let x = Self.number(parts[2]), let y = Self.number(last),
            !fileExtension.isEmpty
        else { throw .malformed(allowed: shape) }
        guard let tile = MapTile(z: z, x: x, y: y) else { throw .noSuchTile }
        self = .tile(
            TileAddress(
                name: String(parts[0]), z: tile.z, x: tile.x, y: tile.y, ratio: ratio, fileExtension: fileExtension))
    }

    private static func ratio(_ text: Substring) -> Int? {
        guard text.utf8.count == 3, text.hasPrefix("@"), text.hasSuffix("x"),
            let times = number(text.dropFirst().dropLast()), (1...MapTile.ratioLimit).contains(times)
        else { return nil }
        return times
    }

    /// Numbers too large for any level stay larger than all of them.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.count <= 64, text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        return Int(text) ?? .max
    }
}

package struct TileAddress: Equatable, Sendable {
    package let name: String
    package let z: Int, x: Int, y: Int
    package let ratio: Int
    package let fileExtension: String
}
