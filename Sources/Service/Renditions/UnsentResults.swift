import Bytes
import ClientBudgets
import ResponseCache
import Synchronization

/// Results that are made for clients and still to be sent to them. Each may hold as many bytes of them as it leaves for others,
/// so alone at most half of what all may: whoever does not read keeps no others' images from being made. A result that goes to
/// several requests of a client counts once. So does content that nothing else counts, as that of originals and tiles, among
/// the results as well.
final class UnsentResults: Sendable {
    private struct Held {
        var byteCount = 0
        /// How often each is being sent. What is in the table lives, so no other has its identity.
        var sendings: [ObjectIdentifier: Int] = [:]
    }

    private struct State {
        var clients: [BudgetClient: Held] = [:]
        /// How often content is being sent that only this counts among the results.
        var counted: [ObjectIdentifier: Int] = [:]
    }

    private let results: ResultMemory
    private let state = Mutex(State())

    init(_ results: ResultMemory) { self.results = results }

    /// Clients that something is sent to.
    var clientCount: Int { state.withLock { $0.clients.count } }

    /// Whether something more may be made for `client`; nil: for the server itself.
    func hasRoom(for client: BudgetClient?) -> Bool {
        guard !results.isFull else { return false }
        guard let client, let count = state.withLock({ $0.clients[client]?.byteCount }) else { return true }
        return count <= results.freeByteCount
    }

    /// `content`, which counts for `client` until its last reference goes; nil where the client would hold too much. One result
    /// may have any length. What nothing else counts takes the room of results, and is refused where there is none.
    func sending(_ content: SharedBytes, to client: BudgetClient) -> SharedBytes? {
        let (count, name, counts) = (content.count, ObjectIdentifier(content), !content.isCounted)
        guard count > 0 else { return content }
        let isTaken = state.withLock { state -> Bool in
            let isNew = counts && state.counted[name] == nil
            if isNew, results.isFull { return false }
            let free = results.freeByteCount - (isNew ? count : 0)
            var own = state.clients[client] ?? Held()
            if own.sendings[name] == nil {
                guard own.byteCount == 0 || own.byteCount + count <= free else { return false }
                own.byteCount += count
            }
            own.sendings[name, default: 0] += 1
            state.clients[client] = own
            if isNew { results.count(count) }
            if counts { state.counted[name, default: 0] += 1 }
            return true
        }
        guard isTaken else { return nil }
        return content.onRelease(counting: true) { [self] in sent(name, count, to: client, counted: counts) }
    }

    private func sent(_ name: ObjectIdentifier, _ byteCount: Int, to client: BudgetClient, counted: Bool) {
        state.withLock { state in
            if counted, let left = state.counted[name] {
                state.counted[name] = left == 1 ? nil : left - 1
                if left == 1 { results.discount(byteCount) }
            }
            guard let left = state.clients[client]?.sendings[name] else { return }
            guard left == 1 else {
                state.clients[client]?.sendings[name] = left - 1
                return
            }
            state.clients[client]?.sendings[name] = nil
            state.clients[client]?.byteCount -= byteCount
            if state.clients[client]?.byteCount == 0 { state.clients[client] = nil }
        }
    }
}
