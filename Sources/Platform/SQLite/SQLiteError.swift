package struct SQLiteError: Error, Equatable, Sendable {
    /// Extended result code (sqlite.org/rescode.html).
    package let code: Int32
    /// For the log only.
    package let log: String

    package init(code: Int32, log: String) {
        self.code = code
        self.log = log
    }

    package var primaryCode: Int32 { code & 0xFF }

    /// `SQLITE_BUSY`, `SQLITE_LOCKED`.
    package var isBusy: Bool { primaryCode == 5 || primaryCode == 6 }
    /// `SQLITE_CORRUPT`, `SQLITE_NOTADB`.
    package var isDamage: Bool { primaryCode == 11 || primaryCode == 26 }
    /// `SQLITE_INTERRUPT`: a statement ran for too long.
    package var isEndless: Bool { primaryCode == 9 }
    /// `SQLITE_TOOBIG`.
    package var isTooLong: Bool { primaryCode == 18 }
    /// `SQLITE_FULL`.
    package var isFull: Bool { primaryCode == 13 }
}
