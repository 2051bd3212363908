import Reactor
import Synchronization

/// Open connections by address. Shared by all loops; locked when a connection comes or goes.
final class AddressCounts: Sendable {
    private let counts = Mutex<[ClientNetwork: Int]>([:])

    /// Counts a connection; false, without counting it, if `limit` are open from its address.
    func open(_ address: SocketAddress?, limit: Int) -> Bool {
        guard let key = ClientNetwork(address) else { return true }
        return counts.withLock { counts in
            let count = counts[key, default: 0]
            guard count < limit else { return false }
            counts[key] = count + 1
            return true
        }
    }

    func close(_ address: SocketAddress?) {
        guard let key = ClientNetwork(address) else { return }
        counts.withLock { counts in
            let left = counts[key, default: 1] - 1
            counts[key] = left > 0 ? left : nil
        }
    }
}
