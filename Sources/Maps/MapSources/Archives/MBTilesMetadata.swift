import JSON
import SQLite

/// The table `metadata` of an MBTiles database. It may be missing, and lack or repeat rows; those that are too long are left
/// out.
struct MBTilesMetadata: Sendable {
    /// How many rows are read.
    private static let rowLimit = 1000
    /// How many bytes a row may have.
    static let rowByteLimit = 1 << 20
    /// How many bytes all rows may have.
    static let byteLimit = 8 << 20

    /// Names and values in the order of the table.
    let rows: [(name: String, value: String)]

    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        guard try Self.has("metadata", connection) else {
            rows = []
            return
        }
        var found: [(name: String, value: String)] = []
        var byteCount: Int64 = 0
        try connection.query(Self.rowsText) { row in
            // The bytes are fetched when they are asked for.
            let count = row.integer(0) + row.integer(1)
            guard count <= Int64(Self.rowByteLimit), byteCount + count <= Int64(Self.byteLimit) else { return }
            byteCount += count
            found.append((row.text(2), row.text(3)))
        }
        rows = found
    }

    private static let rowsText = """
        SELECT length(CAST(coalesce(name, '') AS BLOB)), length(CAST(coalesce(value, '') AS BLOB)), name, value \
        FROM metadata LIMIT \(rowLimit)
        """

    /// Whether there is a table or a view with this name.
    static func has(_ name: String, _ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try connection.first(
            "SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE", [.text(name)]
        ) { _ in true } ?? false
    }

    /// The value of the first row with this name that says something.
    subscript(name: String) -> String? {
        rows.first { $0.name == name && !$0.value.isEmpty }?.value
    }

    /// What the source says of itself, with what the tiles themselves say.
    func details(_ scan: MBTilesScan) -> SourceDetails {
        let json = self["json"].flatMap { try? JSONReader.read($0) }
        return SourceDetails(
            format: format(scan), zooms: scan.zooms, title: self["name"], description: self["description"],
            attribution: self["attribution"], version: self["version"], bounds: bounds, centre: centre,
            vectorLayers: json?["vector_layers"]?.elements ?? [])
    }

    /// The format of the tile that was looked at goes before what is said of it.
    private func format(_ scan: MBTilesScan) -> TileFormat {
        if let found = scan.format, found != .unknown { return found }
        switch self["format"]?.lowercased() {
        case "pbf", "mvt", "application/x-protobuf", "application/vnd.mapbox-vector-tile": return .vector
        case "png", "image/png": return .png
        case "jpg", "jpeg", "image/jpeg": return .jpeg
        case "webp", "image/webp": return .webp
        default: return json != nil ? .vector : .unknown
        }
    }

    private var json: String? { self["json"] }

    private var bounds: [Double]? {
        let numbers = numbers("bounds")
        guard numbers.count == 4 else { return nil }
        // Many writers go a little over the edge of the world.
        let bounds = [
            max(-180, min(180, numbers[0])), max(-90, min(90, numbers[1])), max(-180, min(180, numbers[2])),
            max(-90, min(90, numbers[3])),
        ]
        // A west greater than the east crosses the date line.
        return bounds[0] != bounds[2] && bounds[1] < bounds[3] ? bounds : nil
    }

    private var centre: SourceDetails.Centre? {
        let numbers = numbers("center")
        guard numbers.count >= 2, abs(numbers[0]) <= 180, abs(numbers[1]) <= 90 else { return nil }
        let zoom = numbers.count > 2 ? Int(max(0, min(30, numbers[2]))) : 0
        return SourceDetails.Centre(longitude: numbers[0], latitude: numbers[1], zoom: zoom)
    }

    /// The numbers of a list with commas; none where one of them is none.
    private func numbers(_ name: String) -> [Double] {
        let parts = (self[name] ?? "").split(separator: ",", maxSplits: 8)
        let numbers = parts.compactMap { part in
            Double(part.filter { $0 != " " }).flatMap { $0.isFinite ? $0 : nil }
        }
        return numbers.count == parts.count ? numbers : []
    }
}
