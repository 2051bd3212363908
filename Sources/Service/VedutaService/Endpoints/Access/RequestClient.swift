import HTTPMessage
import HTTPServer
import Origin
import Reactor
import ServiceConfiguration

extension ClientNetwork {
    /// Who sent `request`, as `proxies` say where they passed it on. nil for clients of a socket in the file system.
    init?(of request: Request, _ proxies: TrustedProxies) { self.init(request.peer, request.head.fields, proxies) }

    init?(_ peer: SocketAddress?, _ fields: Fields, _ proxies: TrustedProxies) {
        switch proxies.client(behind: peer, fields) {
        case .v4(let address)?: self.init(ipv4: address)
        case .v6(let high, let low)?: self.init(ipv6: high, low)
        case nil: self.init(peer)
        }
    }
}
