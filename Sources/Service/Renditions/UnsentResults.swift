import Bytes
import ClientBudgets
import ResponseCache
import Synchronization

/// Results that are made for clients and still to be sent to them. Each may hold as many bytes of them as it leaves for others,
/// so alone at most half of what all may: whoever does not read keeps no others' images from being made. A result that goes to
/// several requests of a client counts once.
final class UnsentResults: Sendable {
    private struct Held {
        var byteCount = 0
        /// How often each is being sent. What is in the table lives, so no other has its identity.
        var sendings: [ObjectIdentifier: Int] = [:]
    }

    private let results: ResultMemory
    private let held = Mutex<[BudgetClient: Held]>([:])

    init(_ results: ResultMemory) { self.results = results }

    /// Clients that something is sent to.
    var clientCount: Int { held.withLock { $0.count } }

    /// Whether something more may be made for `client`; nil: for the server itself.
    func hasRoom(for client: BudgetClient?) -> Bool {
        guard !results.isFull else { return false }
        guard let client, let count = held.withLock({ $0[client]?.byteCount }) else { return true }
        return count <= results.freeByteCount
    }

    /// `content`, which counts for `client` until its last reference goes; nil where the client would hold too much. One result
    /// may have any length.
    func sending(_ content: SharedBytes, to client: BudgetClient) -> SharedBytes? {
        let (count, name, free) = (content.count, ObjectIdentifier(content), results.freeByteCount)
        guard count > 0 else { return content }
        let isTaken = held.withLock { table in
            var own = table[client] ?? Held()
            if own.sendings[name] == nil {
                guard own.byteCount == 0 || own.byteCount + count <= free else { return false }
                own.byteCount += count
            }
            own.sendings[name, default: 0] += 1
            table[client] = own
            return true
        }
        guard isTaken else { return nil }
        return content.onRelease { [self] in sent(name, count, to: client) }
    }

    private func sent(_ name: ObjectIdentifier, _ byteCount: Int, to client: BudgetClient) {
        held.withLock { table in
            guard let left = table[client]?.sendings[name] else { return }
            guard left == 1 else {
                table[client]?.sendings[name] = left - 1
                return
            }
            table[client]?.sendings[name] = nil
            table[client]?.byteCount -= byteCount
            if table[client]?.byteCount == 0 { table[client] = nil }
        }
    }
}
