import Digest
import SQLite

/// What the catalogue has about an asset.
struct CatalogueRow: Equatable, Sendable {
    let id: String
    let digest: Digest256
    let byteCount: Int
    let mediaType: String
    /// Nanoseconds since 1970.
    let created: Int64
    let modified: Int64
    /// The name in `incoming` of the file that this row came with, until it has its own.
    let token: Int64
    let fileName: String?

    init(
        id: String, digest: Digest256, byteCount: Int, mediaType: String, created: Int64, modified: Int64, token: Int64,
        fileName: String?
    ) {
        self.id = id
        self.digest = digest
        self.byteCount = byteCount
        self.mediaType = mediaType
        self.created = created
        self.modified = modified
        self.token = token
        self.fileName = fileName
    }

    /// A row of a statement with the columns of `Catalogue`; nil when its digest is none.
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
