package import Reactor
import Synchronization

/// Bounds the content that all connections together hold in memory, beyond the first few bytes of each. One client may hold as
/// much as it leaves for others, so alone at most half.
package final class ContentMemory: Sendable {
    private struct State {
        var byteCount = 0
        /// Of clients that hold something; nil: those without an address.
        var held: [ClientNetwork?: Int] = [:]
    }

    private let byteLimit: Int
    private let freeByteCount: Int
    private let state = Mutex(State())

    /// The first `freeByteCount` bytes of each content do not count.
    package init(byteLimit: Int, freeByteCount: Int = 4096) {
        self.byteLimit = byteLimit
        self.freeByteCount = freeByteCount
    }

    package var byteCount: Int { state.withLock { $0.byteCount } }

    /// For the content of one request of `client`.
    package func share(of client: ClientNetwork?) -> Share { Share(self, client) }

    private func take(_ count: Int, for client: ClientNetwork?) -> Bool {
        state.withLock { state in
            let held = state.held[client, default: 0] + count
            guard held <= byteLimit - (state.byteCount + count) else { return false }
            state.byteCount += count
            state.held[client] = held
            return true
        }
    }

    private func giveBack(_ count: Int, of client: ClientNetwork?) {
        guard count > 0 else { return }
        state.withLock { state in
            state.byteCount -= count
            let left = state.held[client, default: 0] - count
            state.held[client] = left > 0 ? left : nil
        }
    }

    /// The part of one request; given back with its last reference.
    package final class Share: Sendable {
        private let memory: ContentMemory
        private let client: ClientNetwork?
        private let taken = Atomic<Int>(0)

        fileprivate init(_ memory: ContentMemory, _ client: ClientNetwork?) {
            (self.memory, self.client) = (memory, client)
        }

        deinit { memory.giveBack(taken.load(ordering: .relaxed), of: client) }

        /// What content may have without a place here.
        var freeByteCount: Int { memory.freeByteCount }

        /// Takes what content of so many bytes needs; false where there is no room.
        func grow(to byteCount: Int) -> Bool {
            let counted = byteCount - freeByteCount
            let missing = counted - taken.load(ordering: .relaxed)
            guard missing > 0 else { return true }
            guard memory.take(missing, for: client) else { return false }
            taken.store(counted, ordering: .relaxed)
            return true
        }
    }
}
