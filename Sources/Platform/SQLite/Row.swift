import CSQLite

/// Valid while its statement stands at it. Columns count from 0; wrong types give 0 or an empty value.
package struct Row: ~Escapable {
    private let statement: Statement

    @_lifetime(immortal) init(_ statement: Statement) { self.statement = statement }
    package func isNull(_ column: Int) -> Bool { unsafe csqlite_is_null(statement.raw, Int32(column)) }

    package func integer(_ column: Int) -> Int64 { unsafe csqlite_integer(statement.raw, Int32(column)) }

    package func real(_ column: Int) -> Double { unsafe csqlite_real(statement.raw, Int32(column)) }

    /// Bytes that are not UTF-8 become U+FFFD.
    package func text(_ column: Int) -> String {
        unsafe withBytes(column) { unsafe String(decoding: $0, as: UTF8.self) }
    }

    package func blob(_ column: Int) -> [UInt8] { unsafe withBytes(column) { unsafe Array($0) } }

    private func withBytes<Value>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        var count = 0
        let bytes = unsafe csqlite_bytes(statement.raw, Int32(column), &count)
        return unsafe body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
    }
}
