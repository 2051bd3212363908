import Reactor
package import Tiles

/// Why an archive or a tile cannot be used, in the words of the operator who named it. Exhaustive.
package enum TileErrorText {
    /// Words that continue "cannot be used: …".
    package static func words(_ error: TileError) -> String {
        switch error {
        case .cannotOpen(let code), .readFailed(let code): Errno(code: code).description
        case .notRegularFile: "it is not a regular file"
        case .notPMTiles: "it does not begin as a PMTiles archive does"
        case .unsupportedVersion(let version): "it is of PMTiles version \(version), and only version 3 is read"
        case .unsupportedCompression(let code):
            "it is compressed by \(compression(code)), and only gzip (2) and none (1) are read"
        case .unsupportedTileType(let code):
            "its tiles are of type \(tileType(code)), and only vector tiles (MVT, 1) and pictures (2 to 5) are read"
        case .malformedHeader(let field): "its header is damaged (\(field))"
        case .truncatedArchive(let offset, let byteCount):
            "it has been cut off: \(byteCount) octets at \(offset) are not all there"
        case .malformedDirectory(let offset): "its directory at \(offset) is damaged"
        case .directoriesTooDeep: "its directories are nested too deeply"
        case .tooLarge(let limit): "a part of it has more than \(limit) octets"
        case .corruptCompression: "a part of it does not decompress"
        case .malformedTile(let fault, let offset): "a tile is damaged (\(fault) at \(offset))"
        }
    }

    /// The method with a code of the header (PMTiles v3 §3.5).
    private static func compression(_ code: Int) -> String {
        switch code {
        case 0: "an unknown method (0)"
        case 3: "brotli (3)"
        case 4: "zstd (4)"
        default: "method \(code)"
        }
    }

    /// The kind of tiles with a code of the header.
    private static func tileType(_ code: Int) -> String {
        switch code {
        case 6: "MLT (6)"
        default: "\(code)"
        }
    }
}
