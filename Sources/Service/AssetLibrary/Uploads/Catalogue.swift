import Digest
import SQLite

/// The rows of a library: what is known about each upload beside its file. A connection, of one thread at a time.
final class Catalogue {
    private let connection: SQLiteConnection

    /// The steps from each version of the schema to the next; the first makes version 1. Steps that were released stay.
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
    ]

    /// The version of the schema that this program reads and writes.
    static var latestVersion: Int { steps.count }

    /// The database at `path`, made if it is missing, brought to `version`.
    ///
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

    /// The database at `path`, which a writer has made, beside that writer.
    init(reading path: String) throws(SQLiteError) {
        connection = try SQLiteConnection(path: path, .reading)
    }

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
        } catch let error as SQLiteError {
            throw UploadError(error)
        } catch let error as UploadError {
            throw error
        } catch {
            throw .damagedCatalogue
        }
    }

    // MARK: Reading

    private static let columns = "id, digest, byte_count, media_type, created, modified, token, file_name"

    /// The row of `id`.
    func row(_ id: String) throws(SQLiteError) -> CatalogueRow? {
        try connection.first("SELECT \(Self.columns) FROM assets WHERE id = ?", [.text(id)], CatalogueRow.init) ?? nil
    }

    /// The id of the row that was written with the file `token`.
    func id(token: Int64) throws(SQLiteError) -> String? {
        try connection.first("SELECT id FROM assets WHERE token = ?", [.integer(token)]) { $0.text(0) }
    }

    /// The first `limit` rows whose ids come after `id` in the order of their bytes.
    func rows(after id: String, limit: Int) throws(SQLiteError) -> [CatalogueRow] {
        var rows: [CatalogueRow] = []
        let text = "SELECT \(Self.columns) FROM assets WHERE id > ? ORDER BY id LIMIT ?"
        try connection.query(text, [.text(id), .integer(Int64(limit))]) { row in
            if let row = CatalogueRow(row) { rows.append(row) }
        }
        return rows
    }

    /// How many rows there are, the bytes of their assets and the greatest token.
    func totals() throws(SQLiteError) -> CatalogueTotals {
        let text = "SELECT count(*), coalesce(sum(byte_count), 0), coalesce(max(token), 0) FROM assets"
        let totals = try connection.first(text) { row in
            CatalogueTotals(count: Int(row.integer(0)), byteCount: Int(row.integer(1)), lastToken: row.integer(2))
        }
        return totals ?? CatalogueTotals(count: 0, byteCount: 0, lastToken: 0)
    }

    /// The value of a `PRAGMA` as text.
    func setting(_ name: String) throws(SQLiteError) -> String? {
        try connection.first("PRAGMA \(name)") { $0.text(0) }
    }

    // MARK: Writing

    /// Writes `row` in the place of the row with its id, for good.
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

    /// Removes the row of `id` for good.
    func remove(_ id: String) throws(SQLiteError) {
        try connection.query("DELETE FROM assets WHERE id = ?", [.text(id)])
    }
}

/// Sums over a catalogue.
struct CatalogueTotals {
    var count: Int
    var byteCount: Int
    var lastToken: Int64
}
