/// A value that is bound to a parameter.
package enum SQLiteValue: Equatable, Sendable {
    /// NULL.
    case null
    /// INTEGER.
    case integer(Int64)
    /// REAL.
    case real(Double)
    /// TEXT in UTF-8.
    case text(String)
    /// BLOB.
    case blob([UInt8])
}
