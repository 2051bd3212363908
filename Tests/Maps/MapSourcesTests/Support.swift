import Bytes
import Foundation
import PNGCoding
import Raster
import SQLite
import Synchronization
import TestPlaces

@testable import MapSources

/// The test data beside the repository, or nil.
enum SharedData {
    static let root = TestPlaces.shared(with: "maps/firenze.pmtiles")?.path

    static func map(_ name: String) -> String { (root ?? "") + "/maps/" + name }
}

/// A folder that is removed with this object.
final class TrialFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path() + "/maps-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String { try write(name, [UInt8](text.utf8)) }

    @discardableResult
    func write(_ name: String, _ input: [UInt8]) throws -> String {
        let place = URL(filePath: file(name))
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(input).write(to: place)
        return file(name)
    }

    /// Copies a file over another as careful operators do: under another name first.
    func replace(_ name: String, byFileAt path: String) throws {
        try Data(contentsOf: URL(filePath: path)).write(to: URL(filePath: file(name + ".new")))
        guard rename(file(name + ".new"), file(name)) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}

/// Pictures of tests.
enum TrialPicture {
    /// Decodes PNG files, and of WebP files the size alone.
    static let decode: @Sendable (SharedBytes) -> Texture? = { bytes in
        if let found = png(bytes) { return found }
        let input = bytes.withUnsafeBytes { [UInt8]($0.prefix(32)) }
        guard input.count == 32, input.starts(with: Array("RIFF".utf8)) else { return nil }
        // VP8 (RFC 6386 §9.1) and VP8X.
        let isPlain = input[15] == UInt8(ascii: " ")
        let side =
            isPlain ? (Int(input[26]) | Int(input[27]) << 8) & 0x3fff : (Int(input[24]) | Int(input[25]) << 8) + 1
        return Texture(
            widthPx: side, heightPx: side, format: .rgba,
            texels: SharedBytes([UInt8](repeating: 90, count: side * side * 4)))
    }
}

extension TrialPicture {
    private static func png(_ bytes: SharedBytes) -> Texture? {
        guard let decoder = PNGDecoder(bytes), !decoder.is16Bit, let pixels = decoder.decode() else { return nil }
        defer { free(pixels) }
        let (count, bands) = (decoder.widthPx * decoder.heightPx, decoder.bands)
        let source = UnsafeRawBufferPointer(start: pixels, count: count * bands)
        var texels = [UInt8](repeating: 255, count: count * 4)
        for pixel in 0..<count {
            for channel in 0..<3 { texels[pixel * 4 + channel] = source[pixel * bands + (bands < 3 ? 0 : channel)] }
        }
        return Texture(widthPx: decoder.widthPx, heightPx: decoder.heightPx, format: .rgba, texels: SharedBytes(texels))
    }
}

extension MapLibrarySettings {
    /// Settings of tests; what is reported goes to `reports`.
    static func trial(maps: String? = nil, reports: Reports? = nil) -> MapLibrarySettings {
        var settings = MapLibrarySettings { bytes, _ in TrialPicture.decode(bytes) }
        settings.maps = maps
        if let reports { settings.report = { reports.add($0) } }
        return settings
    }
}

/// What a library reports.
final class Reports: Sendable {
    private let kept = Mutex<[SourceProblem]>([])

    func add(_ problem: SourceProblem) { kept.withLock { $0.append(problem) } }

    /// What has been reported since this was asked last.
    func take() -> [SourceProblem] {
        kept.withLock { kept in
            defer { kept = [] }
            return kept
        }
    }
}

/// Writes MBTiles databases.
enum TrialMBTiles {
    static let schema = """
        CREATE TABLE metadata (name text, value text);
        CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
        CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
        """

    /// Makes a database; `tiles` are by level, column and row from the south.
    static func make(
        _ path: String, schema: String = schema, metadata: [(String, String)] = [],
        tiles: [(z: Int, x: Int, row: Int, data: [UInt8])] = []
    ) throws {
        let connection = try SQLiteConnection(path: path, .writing)
        try connection.run(schema)
        for (name, value) in metadata {
            try connection.query("INSERT INTO metadata VALUES (?, ?)", [.text(name), .text(value)])
        }
        for tile in tiles {
            try connection.query(
                "INSERT INTO tiles VALUES (?, ?, ?, ?)",
                [.integer(Int64(tile.z)), .integer(Int64(tile.x)), .integer(Int64(tile.row)), .blob(tile.data)])
        }
    }
}
