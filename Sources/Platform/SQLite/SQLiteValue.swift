/// A value that is bound to a parameter.
package enum SQLiteValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    /// TEXT in UTF-8.
    case text(String)
    case blob([UInt8])
}
