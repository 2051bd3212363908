// Connections are opened once, as immutable: SQLite then takes no locks and creates no files. A connection serves one
// thread at a time, so there are several, each behind a lock that is held while a tile is read (some 30 µs). The
// file's state is compared before and after they open it; they keep it open when another file takes its name.
import Bytes
import Digest
import MapRender
import MapStyle
import Reactor
import SQLite
import Synchronization
import Tiles

/// An MBTiles 1.3 database of vector or raster tiles, open for reading from any number of threads.
final class MBTiles: SourceArchive {
    /// The largest tile, compressed or not, as for PMTiles archives.
    static let tileByteLimit = PMTilesArchive.tileByteLimit
    private static let connectionCount = 4
    /// SQLite instructions that finding a tile may take: some 0.2 s. A look-up by index takes 20.
    private static let stepLimit = 5_000_000

    let path: String
    let validator: String
    let zooms: ClosedRange<Int>
    let bounds: [Double]?
    let metadata: MBTilesMetadata
    private let known: SourceDetails
    private let readers: [Reader]
    private let turn = Atomic(0)

    private final class Reader: Sendable {
        let connection: Mutex<SQLiteConnection>

        init(_ connection: sending SQLiteConnection) { self.connection = Mutex(connection) }
    }

    /// - Throws: why the file at `path` cannot be read, or that it is being written to.
    init(path: String) throws(MBTilesError) {
        let marks = [path] + Self.companions(of: path)
        let before = marks.map { FileMark($0) }
        try Self.checkIsWhole(path)
        let (metadata, scan) = try MBTilesError.wrapping { () throws(SQLiteError) in
            let connection = try Self.connection(to: path)
            return (try MBTilesMetadata(connection), try MBTilesScan(connection))
        }
        var readers: [Reader] = []
        for _ in 0..<Self.connectionCount {
            readers.append(
                Reader(try MBTilesError.wrapping { () throws(SQLiteError) in try Self.connection(to: path) }))
        }
        self.path = path
        self.readers = readers
        self.metadata = metadata
        zooms = scan.zooms
        known = metadata.details(scan)
        bounds = known.bounds
        guard marks.map({ FileMark($0) }) == before else { throw .changing }
        validator = Self.validator(before[0], metadata)
    }

    static func connection(
        to path: String, stepLimit: Int = MBTiles.stepLimit
    ) throws(SQLiteError) -> sending SQLiteConnection {
        try SQLiteConnection(immutable: path, stepLimit: stepLimit, valueByteLimit: tileByteLimit + (1 << 20))
    }

    var attribution: String? { known.attribution }
    func details() -> SourceDetails { known }

    func tile(_ id: TileCoordinate) throws(ResourceError) -> SharedBytes? {
        guard let stored = try storedTile(id) else { return nil }
        if stored.encoding == .identity { return stored.content }
        return try Result { () throws(TileError) in try VectorTile.decompressed(stored.content) }
            .mapError { ResourceError.failed("\(id.text): \($0.words)") }.get()
    }

    func storedTile(_ id: TileCoordinate, shouldStop: () -> Bool) throws(ResourceError) -> StoredTile? {
        guard (0...30).contains(id.z) else { return nil }
        let last = (1 << id.z) - 1
        guard (0...last).contains(id.x), (0...last).contains(id.y) else { return nil }
        // Rows are counted from the south, as in TMS (MBTiles 1.3, "Tiles").
        let found = try Result { () throws(SQLiteError) in try read(level: id.z, column: id.x, row: last - id.y) }
            .mapError { ResourceError.failed("\(id.text): \(MBTilesError.database($0).words)") }.get()
        guard let found else { return nil }
        guard found.byteCount <= Self.tileByteLimit else {
            throw .failed("\(id.z)/\(id.x)/\(id.y): larger than \(Self.tileByteLimit) bytes")
        }
        let content = SharedBytes(found.bytes)
        return StoredTile(content: content, encoding: known.format.isPicture ? .identity : TileEncoding(of: content))
    }

    private func read(level: Int, column: Int, row: Int) throws(SQLiteError) -> (byteCount: Int64, bytes: [UInt8])? {
        let values = [level, column, row].map { SQLiteValue.integer(Int64($0)) }
        let first = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        func look(_ connection: SQLiteConnection) -> Result<(byteCount: Int64, bytes: [UInt8])?, SQLiteError> {
            Result { () throws(SQLiteError) in
                try connection.first(Self.tileText, values) { row in
                    // SQLite fetches the bytes only when they are asked for.
                    let count = row.integer(0)
                    return (count, count <= Int64(Self.tileByteLimit) ? row.blob(1) : [])
                }
            }
        }
        for offset in readers.indices {
            let reader = readers[Int(UInt(bitPattern: first &+ offset) % UInt(readers.count))]
            if let found = reader.connection.withLockIfAvailable({ look($0) }) { return try found.get() }
        }
        let reader = readers[Int(UInt(bitPattern: first) % UInt(readers.count))]
        return try reader.connection.withLock { look($0) }.get()
    }

    private static let tileText = """
        SELECT length(tile_data), tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? \
        AND tile_data IS NOT NULL LIMIT 1
        """

    private static func validator(_ mark: FileMark, _ metadata: MBTilesMetadata) -> String {
        var hash = SHA256()
        hash.update(field: mark.text)
        for (name, value) in metadata.rows {
            hash.update(field: name)
            hash.update(field: value)
        }
        return hash.digest().base64URL(byteCount: 18)
    }
}

extension MBTiles {
    /// The files in which SQLite keeps changes that are not in the database yet.
    static func companions(of path: String) -> [String] { ["-wal", "-journal"].map { path + $0 } }

    /// Whether the file at `path` begins as SQLite's do.
    static func isDatabase(_ path: String) -> Bool {
        guard let file = try? FileDescriptor.openFile(path), let head = try? file.read(byteCount: 16, at: 0) else {
            return false
        }
        return head == Array("SQLite format 3\0".utf8)
    }

    /// Throws if the file has fewer pages than its header says, or a companion holds changes that are not in it.
    private static func checkIsWhole(_ path: String) throws(MBTilesError) {
        for companion in companions(of: path) {
            if let state = try? FileState.following(companion), state.byteCount > 0 {
                throw .beingWritten(companion: String(companion.dropFirst(path.utf8.count)))
            }
        }
        do throws(Errno) {
            let file = try FileDescriptor.openFile(path)
            let state = try file.state()
            let head = try file.read(byteCount: 100, at: 0)
            guard state.kind == .file, head.count == 100 else { throw Errno.fileTooShort }
            func number(_ range: Range<Int>) -> Int { head[range].reduce(0) { $0 << 8 | Int($1) } }
            // SQLite's file format §1.3: the page size, 1 for 65536, and the page count, valid if the versions agree.
            let pageByteCount = number(16..<18) == 1 ? 65536 : number(16..<18)
            if number(24..<28) == number(92..<96), number(28..<32) * pageByteCount > state.byteCount {
                throw Errno.fileTooShort
            }
        } catch {
            throw error == .fileTooShort ? .cutOff : .unreadable(error)
        }
    }
}

enum MBTilesError: Error, Equatable {
    case unreadable(Errno)
    case cutOff
    case beingWritten(companion: String)
    /// Another file took its name while it was being opened.
    case changing
    case database(SQLiteError)

    /// Words that continue "cannot be used: …".
    var words: String {
        switch self {
        case .unreadable(let error): return error.description
        case .cutOff: return "it is truncated: it has fewer pages than its header says"
        case .beingWritten(let companion):
            return "a program is writing to it: there are changes in a \(companion) file next to it"
        case .changing: return "it is being changed"
        case .database(let error):
            if error.isDamage { return "its database is damaged: \(error.log)" }
            if error.isEndless { return "its database takes too long to find a tile; there may be no index" }
            if error.isTooLong { return "a value in it is longer than \(MBTiles.tileByteLimit) bytes" }
            return "its database cannot be read: \(error.log) (\(error.code))"
        }
    }

    static func wrapping<Value: ~Copyable>(
        _ body: () throws(SQLiteError) -> sending Value
    ) throws(MBTilesError) -> sending Value {
        do throws(SQLiteError) { return try body() } catch { throw .database(error) }
    }
}
