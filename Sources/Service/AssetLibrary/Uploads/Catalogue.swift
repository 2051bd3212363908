import Digest
import SQLite
import Synchronization

/// The rows of a library: what is known about each upload besides its file. A connection, for one thread at a time.
final class Catalogue {
    private let connection: SQLiteConnection

    /// From each version of the schema to the next; the first makes version 1. Released steps stay.
    private static let steps = [
        """
        CREATE TABLE assets (
            id TEXT PRIMARY KEY NOT NULL,
            digest BLOB NOT NULL,
            byte_count INTEGER NOT NULL,
            media_type TEXT NOT NULL,
            created INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            token INTEGER NOT NULL UNIQUE
        ) STRICT, WITHOUT ROWID
        """,
        "ALTER TABLE assets ADD COLUMN file_name TEXT",
        """
        CREATE TABLE focal_points (
            id TEXT PRIMARY KEY NOT NULL,
            x INTEGER NOT NULL,
            y INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
    ]

    /// What this program reads and writes.
    static var latestVersion: Int { steps.count }

    /// Makes the database if it is missing, and brings it to `version`.
    /// - Throws: `UploadError.newerCatalogue`, `.damagedCatalogue`, `.noRoom`, `.catalogue`.
    init(writing path: String, version: Int = latestVersion) throws(UploadError) {
        do {
            connection = try SQLiteConnection(path: path, .writing)
            // FULL: a commit is on the disk when it returns, not only whole.
            try connection.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cell_size_check = ON")
        } catch {
            throw UploadError(error)
        }
        try migrate(to: version)
    }

    /// Reads while a writer, which has made the database, is open.
    init(reading path: String) throws(SQLiteError) { connection = try SQLiteConnection(path: path, .reading) }

    private func migrate(to version: Int) throws(UploadError) {
        do {
            let found = try connection.first("PRAGMA user_version") { Int($0.integer(0)) } ?? 0
            guard found <= Self.latestVersion else { throw UploadError.newerCatalogue(version: found) }
            for step in found..<max(found, version) {
                try connection.transaction { () throws(SQLiteError) in
                    try connection.run(Self.steps[step])
                    try connection.run("PRAGMA user_version = \(step + 1)")
                }
            }
        } catch {
            throw UploadError(anyOf: error)
        }
    }

    // MARK: Reading

    private static let columns = "id, digest, byte_count, media_type, created, modified, token, file_name"

    func row(_ id: String) throws(SQLiteError) -> CatalogueRow? {
        try connection.first("SELECT \(Self.columns) FROM assets WHERE id = ?", [.text(id)], CatalogueRow.init) ?? nil
    }

    /// The id of the row with the file `token`.
    func id(token: Int64) throws(SQLiteError) -> String? {
        try connection.first("SELECT id FROM assets WHERE token = ?", [.integer(token)]) { $0.text(0) }
    }

    /// The first `limit` rows after `id`, in the order of bytes.
    func rows(after id: String, limit: Int) throws(SQLiteError) -> [CatalogueRow] {
        var rows: [CatalogueRow] = []
        let text = "SELECT \(Self.columns) FROM assets WHERE id > ? ORDER BY id LIMIT ?"
        try connection.query(text, [.text(id), .integer(Int64(limit))]) { row in
            if let row = CatalogueRow(row) { rows.append(row) }
        }
        return rows
    }

    func totals() throws(SQLiteError) -> CatalogueTotals {
        let text = "SELECT count(*), coalesce(sum(byte_count), 0), coalesce(max(token), 0) FROM assets"
        let totals = try connection.first(text) { row in
            CatalogueTotals(count: Int(row.integer(0)), byteCount: Int(row.integer(1)), lastToken: row.integer(2))
        }
        return totals ?? CatalogueTotals(count: 0, byteCount: 0, lastToken: 0)
    }

    func setting(_ name: String) throws(SQLiteError) -> String? {
        try connection.first("PRAGMA \(name)") { $0.text(0) }
    }

    // MARK: Writing

    /// Replaces the row with the same id. On the disk when it returns.
    func write(_ row: CatalogueRow) throws(SQLiteError) {
        let text = "INSERT OR REPLACE INTO assets (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        try connection.query(
            text,
            [
                .text(row.id), .blob(row.digest.bytes), .integer(Int64(row.byteCount)), .text(row.mediaType),
                .integer(row.created), .integer(row.modified), .integer(row.token),
                row.fileName.map(SQLiteValue.text) ?? .null,
            ])
    }

    /// With its focal point.
    func remove(_ id: String) throws(SQLiteError) {
        try connection.transaction { () throws(SQLiteError) in
            try connection.query("DELETE FROM assets WHERE id = ?", [.text(id)])
            try connection.query("DELETE FROM focal_points WHERE id = ?", [.text(id)])
        }
    }
}

extension Catalogue {
    /// Of every asset that has one, uploaded or not, in the order of ids; nil: a point beyond the image, which nothing writes.
    func eachFocalPoint(_ body: (_ id: String, StoredFocalPoint?) -> Void) throws(SQLiteError) {
        try connection.query("SELECT id, x, y FROM focal_points ORDER BY id") { row in
            body(row.text(0), StoredFocalPoint(xMillionths: row.integer(1), yMillionths: row.integer(2)))
        }
    }

    /// All of them or none.
    func addFocalPoints(_ points: [(id: String, point: StoredFocalPoint)]) throws(SQLiteError) {
        try connection.transaction { () throws(SQLiteError) in
            for (id, point) in points { try setFocalPoint(point, of: id) }
        }
    }

    /// On the disk when it returns. nil: removes it.
    func setFocalPoint(_ point: StoredFocalPoint?, of id: String) throws(SQLiteError) {
        guard let point else { return try connection.query("DELETE FROM focal_points WHERE id = ?", [.text(id)]) }
        try connection.query(
            "INSERT OR REPLACE INTO focal_points (id, x, y) VALUES (?, ?, ?)",
            [.text(id), .integer(Int64(point.xMillionths)), .integer(Int64(point.yMillionths))])
    }
}

struct CatalogueTotals {
    var count: Int
    var byteCount: Int
    var lastToken: Int64
}

/// What the catalogue has about an asset. Times are in nanoseconds since 1970.
struct CatalogueRow: Equatable, Sendable {
    let id: String
    let digest: Digest256
    let byteCount: Int
    let mediaType: String
    let created: Int64
    let modified: Int64
    /// Names the file in `incoming` that this row came with, until the file has its own name.
    let token: Int64
    let fileName: String?
}

extension CatalogueRow {
    /// Of a statement with the columns of `Catalogue`; nil when its digest is none.
    init?(_ row: borrowing Row) {
        guard let digest = Digest256(bytes: row.blob(1)) else { return nil }
        id = row.text(0)
        self.digest = digest
        byteCount = Int(row.integer(2))
        mediaType = row.text(3)
        created = row.integer(4)
        modified = row.integer(5)
        token = row.integer(6)
        fileName = row.isNull(7) ? nil : row.text(7)
    }

    var record: AssetRecord {
        AssetRecord(
            id: id, origin: id.utf8.first == UInt8(ascii: "~") ? .upload : .name, digest: digest, byteCount: byteCount,
            mediaType: mediaType, createdUnixNanoseconds: created, modifiedUnixNanoseconds: modified, fileName: fileName
        )
    }
}

/// Connections that read beside the writer, as many as are in use at once.
final class CatalogueReaders: Sendable {
    /// Proof for `@unchecked Sendable`: a reader is taken out of `idle` under its lock while it is in use, so one
    /// thread at a time has it.
    private struct Reader: @unchecked Sendable { let catalogue: Catalogue }

    private let path: String
    private let idle = Mutex<[Reader]>([])

    init(path: String) { self.path = path }

    func read<Value>(_ body: (Catalogue) throws(SQLiteError) -> Value) throws(UploadError) -> Value {
        do throws(SQLiteError) {
            let reader = try takeReader()
            defer { idle.withLock { $0.append(reader) } }
            return try body(reader.catalogue)
        } catch {
            throw UploadError(error)
        }
    }

    private func takeReader() throws(SQLiteError) -> Reader {
        if let reader = idle.withLock({ $0.popLast() }) { return reader }
        return Reader(catalogue: try Catalogue(reading: path))
    }
}
