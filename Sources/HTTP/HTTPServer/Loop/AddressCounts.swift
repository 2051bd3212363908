import Reactor
import Synchronization

/// How many connections are open from each address. Shared by all loops; locked when a connection comes or goes.
final class AddressCounts: Sendable {
    /// What counts as one client: an IPv4 address, or the /64 network of an IPv6 address, which is one customer's.
    struct Key: Hashable, Sendable {
        private let prefix: UInt64
        private let isIPv6: Bool

        /// nil for a socket in the file system, whose peers are all this machine's.
        init?(_ address: SocketAddress?) {
            switch address {
            case .ipv4(let address, _): (prefix, isIPv6) = (UInt64(address), false)
            case .ipv6(let network, let interface, _, _):
                // A socket for both families shows a client of IPv4 as ::ffff:a.b.c.d (RFC 4291 §2.5.5.2).
                let isMapped = network == 0 && interface >> 32 == 0xFFFF
                (prefix, isIPv6) = isMapped ? (interface & 0xFFFF_FFFF, false) : (network, true)
            case .local, nil: return nil
            }
        }
    }

    private let counts = Mutex<[Key: Int]>([:])

    /// Counts a connection unless `limit` are open from its address; whether it may stay.
    func open(_ address: SocketAddress?, limit: Int) -> Bool {
        guard let key = Key(address) else { return true }
        return counts.withLock { counts in
            let count = counts[key, default: 0]
            guard count < limit else { return false }
            counts[key] = count + 1
            return true
        }
    }

    /// A connection that was counted is closed.
    func close(_ address: SocketAddress?) {
        guard let key = Key(address) else { return }
        counts.withLock { counts in
            let left = counts[key, default: 1] - 1
            counts[key] = left > 0 ? left : nil
        }
    }
}
