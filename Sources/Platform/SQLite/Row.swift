import CSQLite

/// One row of a result; of use only while its statement stands at it.
package struct Row: ~Escapable {
    private let statement: Statement

    @_lifetime(immortal)
    init(_ statement: Statement) {
        self.statement = statement
    }

    /// Whether the value of `column`, from 0, is NULL.
    package func isNull(_ column: Int) -> Bool { unsafe csqlite_is_null(statement.raw, Int32(column)) }

    /// The value as an integer; 0 for what is none.
    package func integer(_ column: Int) -> Int64 { unsafe csqlite_integer(statement.raw, Int32(column)) }

    /// The value as a number; 0 for what is none.
    package func real(_ column: Int) -> Double { unsafe csqlite_real(statement.raw, Int32(column)) }

    /// The value as text; empty for NULL. What is not UTF-8 becomes U+FFFD.
    package func text(_ column: Int) -> String {
        unsafe withBytes(column) { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of the value; none for NULL.
    package func blob(_ column: Int) -> [UInt8] { unsafe withBytes(column) { unsafe Array($0) } }

    private func withBytes<Value>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        var count = 0
        let bytes = unsafe csqlite_bytes(statement.raw, Int32(column), &count)
        return unsafe body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
    }
}
