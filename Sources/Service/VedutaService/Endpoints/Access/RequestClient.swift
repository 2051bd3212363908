import HTTPMessage
import HTTPServer
import Origin
import Reactor
import ServiceConfiguration

extension ClientNetwork {
    /// Who sent `request`, as `proxies` say where they passed it on. nil for clients of a socket in the file system.
    init?(of request: Request, _ proxies: TrustedProxies) {
        switch proxies.client(behind: request.peer, request.head.fields) {
        case .v4(let address)?: self.init(ipv4: address)
        case .v6(let high, let low)?: self.init(ipv6: high, low)
        case nil: self.init(request.peer)
        }
    }
}
