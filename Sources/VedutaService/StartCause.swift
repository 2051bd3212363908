import AssetLibrary
import Reactor
import Tiles

/// Why a folder or an archive cannot be used, in the words of the operator who named it. Exhaustive, as the words for
/// clients in `Problem+Mapping.swift` are.
enum StartCause {
    static func text(_ error: LibraryError) -> String {
        switch error {
        case .rootUnavailable(let code), .io(let code): words(code)
        case .accessDenied: words(13)
        case .notFound, .notRegularFile, .invalidID, .tooLarge, .changedWhileReading: "it cannot be opened"
        }
    }

    static func text(_ error: UploadError) -> String {
        switch error {
        case .inUse: "another process has it"
        case .newerCatalogue(let version): "its catalogue is of version \(version), which a later release wrote"
        case .damagedCatalogue:
            "its catalogue is damaged; `veduta library check --repair` makes it anew from the files"
        case .noRoom: "there is no room"
        case .busy: "another process has its catalogue"
        case .catalogue(let code, let log): "its catalogue fails: \(log) (\(code))"
        case .io(let code): words(code)
        case .notFound, .invalidID, .preconditionFailed, .nameTaken, .unknownMedia, .tooLarge, .tooMany, .full:
            "it cannot be opened"
        }
    }

    static func text(_ error: ResumableError) -> String {
        switch error {
        case .noRoom: "there is no room"
        case .io(let code): words(code)
        case .notFound, .wrongOffset, .busy, .tooLarge, .tooMany, .full: "it cannot be opened"
        }
    }

    static func text(_ error: TileError) -> String {
        switch error {
        case .cannotOpen(let code), .readFailed(let code): words(code)
        case .notRegularFile: "it is not a regular file"
        case .notPMTiles: "it does not begin as a PMTiles archive does"
        case .unsupportedVersion(let version): "it is of PMTiles version \(version), and only version 3 is read"
        case .unsupportedCompression(let code):
            "it is compressed by method \(code), and only gzip (2) and none (1) are read"
        case .unsupportedTileType(let code): "its tiles are of type \(code), and only vector tiles (MVT, 1) are drawn"
        case .malformedHeader(let field): "its header is damaged (\(field))"
        case .truncatedArchive(let offset, let byteCount):
            "it has been cut off: \(byteCount) octets at \(offset) are missing"
        case .malformedDirectory(let offset): "its directory at \(offset) is damaged"
        case .directoriesTooDeep: "its directories are nested too deeply"
        case .tooLarge(let limit): "a part of it has more than \(limit) octets"
        case .corruptCompression: "a part of it does not decompress"
        case .malformedTile(let fault, let offset): "a tile is damaged (\(fault) at \(offset))"
        }
    }

    /// For an archive of pictures where vector tiles are drawn.
    static func pictureTiles(_ type: PMTilesArchive.TileType) -> String {
        "its tiles are pictures (\(name(type))), and only vector tiles (MVT) are drawn"
    }

    private static func name(_ type: PMTilesArchive.TileType) -> String {
        switch type {
        case .unknown: "unknown"
        case .vector: "MVT"
        case .png: "PNG"
        case .jpeg: "JPEG"
        case .webp: "WebP"
        case .avif: "AVIF"
        }
    }

    private static func words(_ code: Int32) -> String { Errno(code: code).description }
}
