/// A failure of SQLite.
package struct SQLiteError: Error, Equatable, Sendable {
    /// SQLite's extended result code (sqlite.org/rescode.html).
    package let code: Int32
    /// What SQLite says; for the log only.
    package let log: String

    package init(code: Int32, log: String) {
        self.code = code
        self.log = log
    }

    /// The primary code: the lowest eight bits.
    package var primaryCode: Int32 { code & 0xFF }

    /// Another connection holds the lock for longer than the patience (`SQLITE_BUSY`, `SQLITE_LOCKED`).
    package var isBusy: Bool { primaryCode == 5 || primaryCode == 6 }
    /// The file is no database, or damaged (`SQLITE_CORRUPT`, `SQLITE_NOTADB`).
    package var isDamage: Bool { primaryCode == 11 || primaryCode == 26 }
    /// A statement was ended because it went on for too long (`SQLITE_INTERRUPT`).
    package var isEndless: Bool { primaryCode == 9 }
    /// A value is too long (`SQLITE_TOOBIG`).
    package var isTooLong: Bool { primaryCode == 18 }
    /// There is no room (`SQLITE_FULL`).
    package var isFull: Bool { primaryCode == 13 }
    /// There is no room, or writing is not allowed (`SQLITE_FULL`, `SQLITE_READONLY`, `SQLITE_IOERR`).
    package var isDisk: Bool { primaryCode == 13 || primaryCode == 8 || primaryCode == 10 }
    /// A constraint was not kept (`SQLITE_CONSTRAINT`).
    package var isConstraint: Bool { primaryCode == 19 }
}
