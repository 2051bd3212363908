import Bytes
import CSQLite

/// For one thread at a time; closes when released.
@safe package final class SQLiteConnection {
    let raw: OpaquePointer
    private var statements: [String: Statement] = [:]

    package enum Access: Sendable {
        case reading
        /// Makes a missing database.
        case writing
    }

    /// `path` must be no link. Waits at most `patience` for locks.
    package init(path: String, _ access: Access, patience: Duration = .seconds(5)) throws(SQLiteError) {
        var opened: OpaquePointer?
        let (seconds, attoseconds) = patience.components
        let milliseconds = Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
        let code = unsafe csqlite_open(path, access == .writing, milliseconds, &opened)
        unsafe raw = try Self.opened(code, opened)
    }

    /// A file that nobody changes: follows links, takes no locks. It may be hostile: statements of over about `stepLimit` instructions are
    /// ended (``SQLiteError/isEndless``), values of over `valueByteLimit` bytes are errors.
    package init(immutable path: String, stepLimit: Int, valueByteLimit: Int) throws(SQLiteError) {
        var opened: OpaquePointer?
        let code = unsafe csqlite_open_untrusted(
            "file:" + PercentEncoding.encoded(path, keeping: "/") + "?immutable=1", Int32(clamping: stepLimit),
            Int32(clamping: valueByteLimit), &opened)
        unsafe raw = try Self.opened(code, opened)
    }

    private static func opened(_ code: Int32, _ connection: OpaquePointer?) throws(SQLiteError) -> OpaquePointer {
        guard code == CSQLITE_OK, let connection = unsafe connection else {
            throw SQLiteError(code: code, log: "cannot be opened")
        }
        return unsafe connection
    }

    deinit {
        statements.removeAll()
        unsafe csqlite_close(raw)
    }

    /// Without parameters or rows.
    package func run(_ text: String) throws(SQLiteError) { try check(unsafe csqlite_run(raw, text)) }

    /// Keeps the compiled statement.
    package func query(
        _ text: String, _ values: [SQLiteValue] = [], _ body: (Row) -> Void = { _ in }
    ) throws(SQLiteError) {
        let statement = try prepared(text)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() { body(Row(statement)) }
    }

    /// Nil without a row.
    package func first<Value>(
        _ text: String, _ values: [SQLiteValue] = [], _ body: (Row) -> Value
    ) throws(SQLiteError) -> Value? {
        let statement = try prepared(text)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? body(Row(statement)) : nil
    }

    /// Locks out other writers at once; rolls back when `body` throws.
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
