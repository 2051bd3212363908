package import Reactor

/// An HTTP/1.1 server (RFC 9110, RFC 9112) on one listening socket, served by several event loops.
package final class HTTPServer: Sendable {
    package let address: SocketAddress
    private let loops: [LoopThread<Mailbox<LoopMessage>>]
    private let statistics: ServerStatistics
    private let spooler: ContentSpooler?

    private init(
        address: SocketAddress, loops: [LoopThread<Mailbox<LoopMessage>>], statistics: ServerStatistics,
        spooler: ContentSpooler?
    ) {
        self.address = address
        self.loops = loops
        self.statistics = statistics
        self.spooler = spooler
    }

    /// One thread per loop. With `leavesBacklog` another process takes connections that wait when this server drains.
    package static func start(
        listener: consuming FileDescriptor, leavesBacklog: Bool = false, loopCount: Int, settings: ServerSettings,
        clock: Clock = .system, statistics: ServerStatistics,
        makeHandler: @escaping @Sendable (Int) -> any RequestHandler
    ) throws(Errno) -> HTTPServer {
        let address = try listener.localAddress()
        let listening = Handover(listener)
        let spooler: ContentSpooler? =
            if let folder = settings.spoolFolder {
                try ContentSpooler(folder: folder, queueLimit: max(1, settings.connectionLimit))
            } else {
                nil
            }
        var loops: [LoopThread<Mailbox<LoopMessage>>] = []
        do throws(Errno) {
            // The last loop accepts, when the mailboxes of the others are known.
            for index in 0..<max(1, loopCount) {
                let others = loops.map(\.exports)
                let isAcceptor = index == max(1, loopCount) - 1
                let thread = try LoopThread.start(name: "loop-\(index)", clock: clock) { loop throws(Errno) in
                    let server = ServerLoop(
                        loop: loop, index: index, settings: settings, statistics: statistics,
                        spooler: spooler, handler: makeHandler(index))
                    if isAcceptor, let listener = listening.take() {
                        try server.accept(on: listener, for: others, leavesBacklog: leavesBacklog)
                    }
                    return server.mailbox
                }
                loops.append(thread)
            }
        } catch {
            for loop in loops {
                loop.stop()
                loop.join()
            }
            spooler?.shutdown()
            throw error
        }
        return HTTPServer(address: address, loops: loops, statistics: statistics, spooler: spooler)
    }

    /// Applies `settings` to connections accepted from now on. The spool folder stays.
    package func reload(_ settings: ServerSettings) { for loop in loops { loop.exports.post(.reload(settings)) } }

    /// Stops accepting; connections that never asked get half a second. Poll `isDrained` with patience, then call `stop`. When
    /// another process already accepts on the same socket (`isHandover`), it takes the backlog, and all clients, idle ones too,
    /// get two seconds to ask once more, so that the answer tells them to connect again.
    package func beginDrain(isHandover: Bool = false) {
        for loop in loops { loop.exports.post(.drain(isHandover: isHandover)) }
    }

    /// Whether every loop drains and no connection is left. Before, an uncounted client may wait in the backlog.
    package var isDrained: Bool { statistics.drainingLoopCount == loops.count && statistics.openConnectionCount == 0 }

    /// Ends the loops and closes open connections; handlers see clients that leave. Returns when all threads are joined.
    package func stop() {
        for loop in loops {
            loop.exports.post(.closeAll)
            loop.stop()
        }
        for loop in loops { loop.join() }
        spooler?.shutdown()
    }
}
