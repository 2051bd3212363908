import Reactor
import Tiles

extension TileError {
    /// Words for the operator that continue "cannot be used: …".
    var words: String {
        switch self {
        case .cannotOpen(let code), .readFailed(let code): Errno(code: code).description
        case .notRegularFile: "it is not a regular file"
        case .notPMTiles: "it does not start like a PMTiles archive"
        case .unsupportedVersion(let version): "it has PMTiles version \(version); only version 3 is supported"
        case .unsupportedCompression(let code):
            "it is compressed with \(compression(code)); only gzip (2) and none (1) are supported"
        case .unsupportedTileType(let code):
            "its tiles have the type \(tileType(code)); only vector tiles (MVT, 1) and images (2 to 5) are supported"
        case .malformedHeader(let field): "its header is damaged (\(field))"
        case .truncatedArchive(let offset, let byteCount):
            "it is truncated: it ends before the \(byteCount) bytes at \(offset) are complete"
        case .malformedDirectory(let offset): "its directory at \(offset) is damaged"
        case .directoriesTooDeep: "its directories are nested too deeply"
        case .tooLarge(let limit): "a part of it is larger than \(limit) bytes"
        case .corruptCompression: "a part of it cannot be decompressed"
        case .malformedTile(let fault, let offset): "a tile is damaged (\(fault) at \(offset))"
        }
    }

    /// The method with a code of the header (PMTiles v3 §3.5).
    private func compression(_ code: Int) -> String {
        switch code {
        case 0: "an unknown method (0)"
        case 3: "brotli (3)"
        case 4: "zstd (4)"
        default: "method \(code)"
        }
    }

    private func tileType(_ code: Int) -> String { code == 6 ? "MLT (6)" : "\(code)" }
}
