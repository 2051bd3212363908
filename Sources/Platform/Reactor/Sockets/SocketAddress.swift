import Glibc

package enum SocketAddress: Sendable, Equatable {
    /// Network order from the top of the number (127.0.0.1 is 0x7F000001).
    case ipv4(UInt32, port: UInt16)
    /// The first and last eight bytes, from the top of the numbers, and the interface index.
    case ipv6(UInt64, UInt64, port: UInt16, scope: UInt32)
    /// 1 to 107 bytes, or empty for a peer without a name.
    case local(path: String)

    package static let pathLimit = 107

    /// Reads `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`, `:8080` (all IPv4 interfaces) or `unix:/run/veduta.sock`.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard (1...SocketAddress.pathLimit).contains(path.utf8.count), !path.utf8.contains(0) else { return nil }
            self = .local(path: path)
            return
        }
        guard !text.utf8.contains(0), let colon = text.lastIndex(of: ":") else { return nil }
        guard let port = SocketAddress.port(text[text.index(after: colon)...]) else { return nil }
        let host = text[..<colon]
        if host.isEmpty {
            self = .ipv4(0, port: port)
        } else if host == "localhost" {
            self = .ipv4(0x7F00_0001, port: port)
        } else if host.hasPrefix("["), host.hasSuffix("]") {
            guard let address = Self.ipv6(String(host.dropFirst().dropLast()), port: port) else { return nil }
            self = address
        } else {
            var address = in_addr()
            guard unsafe inet_pton(AF_INET, String(host), &address) == 1 else { return nil }
            self = .ipv4(UInt32(bigEndian: address.s_addr), port: port)
        }
    }

    private static func port(_ digits: Substring) -> UInt16? {
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return UInt16(digits)
    }

    private static func ipv6(_ text: String, port: UInt16) -> SocketAddress? {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard unsafe inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
        let halves = [bytes[..<8], bytes[8...]].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        return .ipv6(halves[0], halves[1], port: port, scope: 0)
    }

    /// Nil for a local socket.
    package var port: UInt16? {
        switch self {
        case .ipv4(_, let port), .ipv6(_, _, let port, _): port
        case .local: nil
        }
    }

    var family: Int32 {
        switch self {
        case .ipv4: AF_INET
        case .ipv6: AF_INET6
        case .local: AF_UNIX
        }
    }
}

extension SocketAddress: CustomStringConvertible {
    package var description: String {
        switch self {
        case .ipv4(let address, let port):
            return "\(address >> 24).\(address >> 16 & 255).\(address >> 8 & 255).\(address & 255):\(port)"
        case .ipv6(let high, let low, let port, _):
            var bytes = [high, low].flatMap { half in
                (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) }
            }
            var text = [CChar](repeating: 0, count: 46)
            guard unsafe inet_ntop(AF_INET6, &bytes, &text, 46) != nil else { return "[?]:\(port)" }
            let host = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            return "[\(String(decoding: host, as: UTF8.self))]:\(port)"
        case .local(let path): return "unix:\(path)"
        }
    }
}

extension SocketAddress {
    func withSystemAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var storage = sockaddr_storage()
        let length = unsafe withUnsafeMutableBytes(of: &storage) { unsafe fill($0) }
        return unsafe withUnsafePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
        }
    }

    private func fill(_ bytes: UnsafeMutableRawBufferPointer) -> socklen_t {
        switch self {
        case .ipv4(let address, let port):
            var value = sockaddr_in()
            value.sin_family = sa_family_t(AF_INET)
            value.sin_port = port.bigEndian
            value.sin_addr.s_addr = address.bigEndian
            unsafe bytes.storeBytes(of: value, as: sockaddr_in.self)
            return socklen_t(MemoryLayout<sockaddr_in>.size)
        case .ipv6(let high, let low, let port, let scope):
            var value = sockaddr_in6()
            value.sin6_family = sa_family_t(AF_INET6)
            value.sin6_port = port.bigEndian
            value.sin6_scope_id = scope
            unsafe withUnsafeMutableBytes(of: &value.sin6_addr) { address in
                unsafe address.storeBytes(of: high.bigEndian, as: UInt64.self)
                unsafe address.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
            }
            unsafe bytes.storeBytes(of: value, as: sockaddr_in6.self)
            return socklen_t(MemoryLayout<sockaddr_in6>.size)
        case .local(let path):
            unsafe bytes.storeBytes(of: sa_family_t(AF_UNIX), as: sa_family_t.self)
            let start = MemoryLayout<sa_family_t>.size
            let cut = path.utf8.prefix(SocketAddress.pathLimit)
            unsafe bytes[start...].copyBytes(from: cut)
            return socklen_t(start + cut.count + 1)
        }
    }

    /// Nil for a family that this module does not use.
    init?(_ storage: sockaddr_storage, length: socklen_t) {
        let read = unsafe withUnsafeBytes(of: storage) { bytes -> SocketAddress? in
            switch Int32(storage.ss_family) {
            case AF_INET:
                let value = unsafe bytes.loadUnaligned(as: sockaddr_in.self)
                return .ipv4(UInt32(bigEndian: value.sin_addr.s_addr), port: UInt16(bigEndian: value.sin_port))
            case AF_INET6:
                let value = unsafe bytes.loadUnaligned(as: sockaddr_in6.self)
                return unsafe withUnsafeBytes(of: value.sin6_addr) { address in
                    .ipv6(
                        UInt64(bigEndian: unsafe address.loadUnaligned(as: UInt64.self)),
                        UInt64(bigEndian: unsafe address.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                        port: UInt16(bigEndian: value.sin6_port), scope: value.sin6_scope_id)
                }
            case AF_UNIX:
                let start = MemoryLayout<sa_family_t>.size
                let path = unsafe bytes[start..<max(start, min(Int(length), bytes.count))].prefix { $0 != 0 }
                return .local(path: unsafe String(decoding: path, as: UTF8.self))
            default: return nil
            }
        }
        guard let read else { return nil }
        self = read
    }
}
