import SQLite
import Synchronization

/// Connections that read beside the writer; as many as are in use at once.
final class CatalogueReaders: Sendable {
    /// A connection may be used on any thread, by one at a time.
    private struct Reader: @unchecked Sendable {
        let catalogue: Catalogue
    }

    private let path: String
    private let idle = Mutex<[Reader]>([])

    init(path: String) {
        self.path = path
    }

    /// Calls `body` with a connection of its own.
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
