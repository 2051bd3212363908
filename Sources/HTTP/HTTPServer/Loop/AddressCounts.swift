import Reactor
import Synchronization

/// Open connections by address. Shared by all loops; locked when a connection comes or goes.
final class AddressCounts: Sendable {
    /// One client: an IPv4 address, or the /64 network of an IPv6 address, which is one customer's.
    struct Key: Hashable, Sendable {
        private let prefix: UInt64
        private let isIPv6: Bool

        /// Nil for a socket in the file system, whose peers are all on this machine.
        init?(_ address: SocketAddress?) {
            switch address {
            case .ipv4(let address, _): (prefix, isIPv6) = (UInt64(address), false)
            case .ipv6(let network, let interface, _, _):
                // A socket for both families shows an IPv4 client as ::ffff:a.b.c.d (RFC 4291 §2.5.5.2).
                let isMapped = network == 0 && interface >> 32 == 0xFFFF
                (prefix, isIPv6) = isMapped ? (interface & 0xFFFF_FFFF, false) : (network, true)
            case .local, nil: return nil
            }
        }
    }

    private let counts = Mutex<[Key: Int]>([:])

    /// Counts a connection; false, without counting it, if `limit` are open from its address.
    func open(_ address: SocketAddress?, limit: Int) -> Bool {
        guard let key = Key(address) else { return true }
        return counts.withLock { counts in
            let count = counts[key, default: 0]
            guard count < limit else { return false }
            counts[key] = count + 1
            return true
        }
    }

    func close(_ address: SocketAddress?) {
        guard let key = Key(address) else { return }
        counts.withLock { counts in
            let left = counts[key, default: 1] - 1
            counts[key] = left > 0 ? left : nil
        }
    }
}
