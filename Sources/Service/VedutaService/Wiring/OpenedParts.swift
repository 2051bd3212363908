/// What was opened, to be closed in reverse order: a part may use those before it until it is closed itself.
struct OpenedParts: Sendable {
    private var closings: [@Sendable () -> Bool] = []

    /// Has `close` called when everything is closed.
    mutating func add(close: @escaping @Sendable () -> Void) {
        closings.append {
            close()
            return true
        }
    }

    /// The same of a part that may refuse to end: where `close` returns false, nothing that was opened before is closed.
    mutating func add(closingIfIdle close: @escaping @Sendable () -> Bool) { closings.append(close) }

    /// Closes everything; false where a part refused.
    @discardableResult
    func close() -> Bool { closings.reversed().allSatisfy { $0() } }
}
