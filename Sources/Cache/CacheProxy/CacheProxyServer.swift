package import HTTPMessage
import HTTPServer
import Origin
package import Reactor

/// The proxy with its server and its fetch thread.
package final class CacheProxyServer: Sendable {
    package var address: SocketAddress { server.address }
    private let server: HTTPServer
    private let fetcher: Fetcher

    /// Errors: `EADDRNOTAVAIL` unless `upstream` is a loopback address of this machine; what starting threads throws.
    package init(
        listener: consuming FileDescriptor, upstream: OriginURL, loopCount: Int = 2, clock: Clock = .system
    ) throws(Errno) {
        guard FetchLoop.prepare(), upstream.origin.scheme == .http, let address = IPAddress(upstream.origin.host),
            Self.loopback.contains(where: { $0.contains(address) }),
            let origins = try? OriginList(["\(upstream.origin)"])
        else { throw Errno(code: 99) }
        var fetching = Fetcher.Settings()
        fetching.origins = origins
        fetching.addresses = AddressPolicy(exceptions: Self.loopback)
        fetching.bounds.connections = 512
        fetching.bounds.connectionsPerHost = 512
        let fetcher = try Fetcher(fetching, clock: clock)
        let proxy = CacheProxy(upstream, fetcher: fetcher, clock: clock)
        var settings = ServerSettings()
        settings.answerTimeout = .seconds(120)
        settings.contentBufferByteCount = ProxyState.contentLimit
        do throws(Errno) {
            server = try HTTPServer.start(
                listener: listener, loopCount: loopCount, settings: settings, clock: clock,
                statistics: ServerStatistics(), makeHandler: { _ in proxy })
        } catch {
            fetcher.stop()
            throw error
        }
        self.fetcher = fetcher
    }

    package func stop() {
        server.stop()
        fetcher.stop()
    }

    private static let loopback = ["127.0.0.0/8", "::1"].compactMap(AddressRange.init)
}
