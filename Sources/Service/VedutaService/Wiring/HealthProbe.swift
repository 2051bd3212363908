import Reactor

/// Asks a server whether it is ready, as a container's health check does.
package enum HealthProbe {
    /// Whether the server that listens at `address` answers 200; an unspecified host is asked on loopback. Connecting,
    /// sending and waiting take no longer than `patience` each.
    package static func isReady(at address: String, patience: Duration = .seconds(2)) -> Bool {
        let reachable =
            if address.hasPrefix("0.0.0.0:") { "127.0.0.1:" + address.dropFirst(8) } else if address.hasPrefix("[::]:")
            {
                "[::1]:" + address.dropFirst(5)
            } else { address }
        guard let address = SocketAddress(reachable) else { return false }
        do throws(Errno) {
            let socket = try StreamSocket.connect(to: address, patience: patience)
            let request = Array("GET /health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
            guard case .bytes(request.count) = request.withUnsafeBytes({ socket.send($0) }) else { return false }
            var answer = [UInt8](repeating: 0, count: 64)
            guard case .bytes(let count) = answer.withUnsafeMutableBytes({ socket.receive(into: $0) }) else {
                return false
            }
            return answer[..<count].starts(with: "HTTP/1.1 200 ".utf8)
        } catch { return false }
    }
}
