import JSON
import SQLite

/// The table `metadata` of an MBTiles database, which may be missing. Rows that are too long are left out.
struct MBTilesMetadata: Sendable {
    private static let rowLimit = 1000
    /// Bytes of a row's name and value.
    static let rowByteLimit = 1 << 20
    /// Bytes of all rows together.
    static let byteLimit = 8 << 20

    /// Names and values in the order of the table.
    let rows: [(name: String, value: String)]

    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        var found: [(name: String, value: String)] = []
        var byteCount: Int64 = 0
        if try Self.has("metadata", connection) {
            try connection.query(Self.rowsText) { row in
                // SQLite fetches the bytes only when they are asked for.
                let count = row.integer(0) + row.integer(1)
                guard count <= Int64(Self.rowByteLimit), byteCount + count <= Int64(Self.byteLimit) else { return }
                byteCount += count
                found.append((row.text(2), row.text(3)))
            }
        }
        rows = found
    }

    private static let rowsText = """
        SELECT length(CAST(coalesce(name, '') AS BLOB)), length(CAST(coalesce(value, '') AS BLOB)), name, value \
        FROM metadata LIMIT \(rowLimit)
        """

    static func has(_ name: String, _ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try connection.first(
            "SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE", [.text(name)]
        ) { _ in true } ?? false
    }

    /// The first value with this name that is not empty.
    subscript(name: String) -> String? { rows.first { $0.name == name && !$0.value.isEmpty }?.value }

    func details(_ scan: MBTilesScan) -> SourceDetails {
        let json = self["json"].flatMap { try? JSONReader.read($0) }
        return SourceDetails(
            format: format(scan), zooms: scan.zooms, title: self["name"], description: self["description"],
            attribution: self["attribution"], version: self["version"], bounds: bounds, centre: centre,
            vectorLayers: json?["vector_layers"]?.elements ?? [])
    }

    /// The format of the tile that was looked at overrides what the metadata claims.
    private func format(_ scan: MBTilesScan) -> TileFormat {
        if let found = scan.format, found != .unknown { return found }
        switch self["format"]?.lowercased() {
        case "pbf", "mvt", "application/x-protobuf", "application/vnd.mapbox-vector-tile": return .vector
        case "png", "image/png": return .png
        case "jpg", "jpeg", "image/jpeg": return .jpeg
        case "webp", "image/webp": return .webp
        default: return self["json"] != nil ? .vector : .unknown
        }
    }

    private var bounds: [Double]? {
        let numbers = numbers("bounds")
        guard numbers.count == 4 else { return nil }
        // Many writers go a little over the edge of the world.
        let bounds = zip(numbers, [180.0, 90, 180, 90]).map { max(-$1, min($1, $0)) }
        // A west greater than the east crosses the date line.
        return bounds[0] != bounds[2] && bounds[1] < bounds[3] ? bounds : nil
    }

    private var centre: SourceDetails.Centre? {
        let numbers = numbers("center")
        guard numbers.count >= 2, abs(numbers[0]) <= 180, abs(numbers[1]) <= 90 else { return nil }
        let zoom = numbers.count > 2 ? Int(max(0, min(30, numbers[2]))) : 0
        return SourceDetails.Centre(longitude: numbers[0], latitude: numbers[1], zoom: zoom)
    }

    /// The numbers of a comma-separated list; empty if an item is not a number.
    private func numbers(_ name: String) -> [Double] {
        let parts = (self[name] ?? "").split(separator: ",", maxSplits: 8)
        let numbers = parts.compactMap { Double($0.filter { $0 != " " }) }.filter(\.isFinite)
        return numbers.count == parts.count ? numbers : []
    }
}

/// What a few look-ups find out about the table `tiles` of an MBTiles database.
struct MBTilesScan {
    let zooms: ClosedRange<Int>
    /// The format of one tile; nil if the database has none with content.
    let format: TileFormat?

    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        func fault(_ log: String) -> SQLiteError { SQLiteError(code: 1, log: log) }
        guard try MBTilesMetadata.has("tiles", connection) else { throw fault("it has no table or view `tiles`") }
        let least = try connection.first("SELECT min(zoom_level) FROM tiles") { $0.isNull(0) ? -1 : $0.integer(0) }
        let greatest = try connection.first("SELECT max(zoom_level) FROM tiles") { $0.isNull(0) ? -1 : $0.integer(0) }
        guard let least, let greatest, least >= 0 else { throw fault("it has no tiles") }
        guard greatest <= 30 else { throw fault("it has tiles beyond zoom level 30") }
        // Text sorts after all numbers and reads as 0.
        guard least <= greatest else { throw fault("it has zoom levels that are not numbers") }
        zooms = Int(least)...Int(greatest)
        let head = try connection.first(
            "SELECT substr(tile_data, 1, 16) FROM tiles WHERE zoom_level = ? AND tile_data IS NOT NULL LIMIT 1",
            [.integer(greatest)]
        ) { $0.blob(0) }
        format = head.map(TileFormat.init(head:))
    }
}

extension TileFormat {
    /// The format of a file that begins with these bytes.
    init(head: [UInt8]) {
        func begins(_ bytes: [UInt8], at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: bytes) }
        if begins([0x89, 0x50, 0x4e, 0x47]) {
            self = .png
        } else if begins([0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) {
            self = .webp
        } else if begins(Array("ftypavi".utf8), at: 4) {
            self = .avif
        } else if begins([0x1f, 0x8b]) || begins([0x78]) || begins([0x1a]) {
            // Compressed, or the first field of a vector tile: a layer.
            self = .vector
        } else {
            self = .unknown
        }
    }
}
