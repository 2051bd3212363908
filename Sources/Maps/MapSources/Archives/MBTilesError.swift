import Reactor
import SQLite

/// Why an MBTiles database cannot be used.
enum MBTilesError: Error, Equatable {
    /// The file cannot be read.
    case unreadable(Errno)
    /// The file has fewer pages than it says.
    case cutOff
    /// A file of changes lies beside it.
    case beingWritten(companion: String)
    /// It was replaced while it was opened.
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

    /// What `body` returns.
    static func wrapping<Value: ~Copyable>(
        _ body: () throws(SQLiteError) -> sending Value
    ) throws(MBTilesError) -> sending Value {
        do throws(SQLiteError) {
            return try body()
        } catch {
            throw .database(error)
        }
    }
}
