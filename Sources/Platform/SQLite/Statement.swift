import CSQLite
package enum SQLiteValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

@safe final class Statement {
    let raw: OpaquePointer
    private unowned let connection: SQLiteConnection

    init(_ text: String, on connection: SQLiteConnection) throws(SQLiteError) {
        var made: OpaquePointer?
        var text = text
        let code = text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) {
                unsafe csqlite_prepare(connection.raw, $0.baseAddress, $0.count, &made)
            }
        }
        try connection.check(code)
        guard let made = unsafe made else { throw SQLiteError(code: 21, log: "no statement") }
        unsafe raw = made
        self.connection = connection
    }

    deinit { unsafe csqlite_finalize(raw) }

    func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
        precondition(
            values.count == Int(unsafe csqlite_parameter_count(raw)), "parameters without values, or the reverse")
        for (index, value) in zip(Int32(1)..., values) {
            let code: Int32
            switch value {
            case .null: code = unsafe csqlite_bind_null(raw, index)
            case .integer(let number): code = unsafe csqlite_bind_integer(raw, index, number)
            case .real(let number): code = unsafe csqlite_bind_real(raw, index, number)
            case .text(var text):
                code = text.withUTF8 { bytes in
                    unsafe bytes.withMemoryRebound(to: CChar.self) {
                        unsafe csqlite_bind_text(raw, index, $0.baseAddress, $0.count)
                    }
                }
            case .blob(let bytes):
                code = unsafe bytes.withUnsafeBytes { unsafe csqlite_bind_blob(raw, index, $0.baseAddress, $0.count) }
            }
            try connection.check(code)
        }
    }

    func step() throws(SQLiteError) -> Bool {
        let code = unsafe csqlite_step(raw)
        if code == CSQLITE_ROW { return true }
        guard code == CSQLITE_DONE else { throw connection.failure(code) }
        return false
    }

    func reset() { unsafe csqlite_reset(raw) }
}
