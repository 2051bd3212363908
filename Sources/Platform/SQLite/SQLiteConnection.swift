import Bytes
import CSQLite

/// A connection to a database in a file; of one thread at a time. Closed when it is released.
@safe package final class SQLiteConnection {
    let raw: OpaquePointer
    private var statements: [String: Statement] = [:]

    package enum Access: Sendable {
        /// The database is there already, and is only read.
        case reading
        /// It is made if it is missing.
        case writing
    }

    /// Opens the database at `path`, which is no link. Waits `patience` at most wherever another connection has it
    /// locked.
    package init(path: String, _ access: Access, patience: Duration = .seconds(5)) throws(SQLiteError) {
        var opened: OpaquePointer?
        let (seconds, attoseconds) = patience.components
        let milliseconds = Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
        let code = unsafe csqlite_open(path, access == .writing, milliseconds, &opened)
        guard code == CSQLITE_OK, let opened = unsafe opened else {
            throw SQLiteError(code: code, log: "cannot be opened")
        }
        unsafe raw = opened
    }

    /// Opens the database in the file at `path`, which nobody changes, to be read: without locks, and without any file beside
    /// it. Links are followed. The file may come from anywhere: a statement of over about `stepLimit` instructions of SQLite's
    /// machine is ended (``SQLiteError/isEndless``), and values of over `valueByteLimit` bytes are errors.
    package init(immutable path: String, stepLimit: Int, valueByteLimit: Int) throws(SQLiteError) {
        var opened: OpaquePointer?
        let code = unsafe csqlite_open_untrusted(
            "file:" + PercentEncoding.encoded(path, keeping: "/") + "?immutable=1", Int32(clamping: stepLimit),
            Int32(clamping: valueByteLimit), &opened)
        guard code == CSQLITE_OK, let opened = unsafe opened else {
            throw SQLiteError(code: code, log: "cannot be opened")
        }
        unsafe raw = opened
    }

    deinit {
        statements.removeAll()
        unsafe csqlite_close(raw)
    }

    /// Runs statements without parameters whose rows do not matter: those of a schema, `PRAGMA`, `BEGIN`.
    package func run(_ text: String) throws(SQLiteError) {
        try check(unsafe csqlite_run(raw, text))
    }

    /// Runs one statement with `values` for its parameters, in their order, and calls `body` for each row. The
    /// statement is kept, compiled, for the next time.
    package func query(
        _ text: String, _ values: [SQLiteValue] = [], _ body: (Row) -> Void = { _ in }
    ) throws(SQLiteError) {
        let statement = try prepared(text)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() { body(Row(statement)) }
    }

    /// The first row of what `query` gives, through `body`; nil without one.
    package func first<Value>(
        _ text: String, _ values: [SQLiteValue] = [], _ body: (Row) -> Value
    ) throws(SQLiteError) -> Value? {
        let statement = try prepared(text)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? body(Row(statement)) : nil
    }

    /// Runs `body` in a transaction that locks out other writers at once; what it did is undone when it throws.
    package func transaction<Value>(_ body: () throws(SQLiteError) -> Value) throws(SQLiteError) -> Value {
        try run("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            // SQLite may have undone it already.
            try? run("ROLLBACK")
            throw error
        }
    }

    /// How many rows the last statement changed.
    package var changeCount: Int { Int(unsafe csqlite_change_count(raw)) }

    private func prepared(_ text: String) throws(SQLiteError) -> Statement {
        if let known = statements[text] { return known }
        let made = try Statement(text, on: self)
        statements[text] = made
        return made
    }

    func check(_ code: Int32) throws(SQLiteError) {
        guard code != CSQLITE_OK else { return }
        throw failure(code)
    }

    func failure(_ code: Int32) -> SQLiteError {
        SQLiteError(code: code, log: unsafe csqlite_message(raw).map { unsafe String(cString: $0) } ?? "")
    }
}
