import Bytes
import HTTPMessage
import Reactor

/// What the connections of one loop share. Confined to the loop's thread.
final class ServerLoop {
    // The loop holds this object (by its mailbox), not the other way round.
    unowned let loop: EventLoop
    private(set) var settings: ServerSettings
    let statistics: ServerStatistics
    let handler: any RequestHandler
    let readBuffer: UnsafeMutableRawBufferPointer
    private(set) var mailbox: Mailbox<LoopMessage>
    private var connections: [UInt64: Connection] = [:]
    private var nextConnectionID: UInt64 = 0
    private var requestIDs: RequestIDGenerator
    private var dateLine: DateLine
    private(set) var isDraining = false
    private var acceptor: Acceptor?
    private let spooler: ContentSpooler?
    /// Whether the handler wants to hear of finished exchanges.
    var recordsExchanges: Bool { handler.recordsExchanges }
    /// Storage for the output of whichever connection is at work: idle ones hold none.
    var spareOutput = OutputQueue()

    init(
        loop: EventLoop, index: Int, settings: ServerSettings, statistics: ServerStatistics,
        spooler: ContentSpooler?, handler: any RequestHandler
    ) {
        self.spooler = spooler
        self.loop = loop
        self.settings = settings
        self.statistics = statistics
        self.handler = handler
        self.dateLine = DateLine(loop.unixSeconds)
        self.requestIDs = RequestIDGenerator(loopIndex: index, seed: UInt64.random(in: 0...UInt64.max))
        // What a client sends behind a request that is being answered is held, so the buffer bounds that as well.
        self.readBuffer = .allocate(byteCount: 16384, alignment: 16)
        // The mailbox's drain needs this object and this object its mailbox: the box ties the knot, and through it the
        // loop keeps this object alive.
        let box = Box()
        self.mailbox = loop.makeMailbox { messages in
            guard let server = box.server else { return }
            for message in messages { server.receive(message) }
        }
        box.server = self
    }

    private final class Box {
        var server: ServerLoop?
    }

    deinit {
        readBuffer.deallocate()
    }

    /// Starts to accept on `listener`; connections go to the mailboxes of all loops in turn.
    func accept(on listener: consuming FileDescriptor, for mailboxes: [Mailbox<LoopMessage>]) throws(Errno) {
        let acceptor = Acceptor(listener: listener, server: self, mailboxes: mailboxes)
        try acceptor.open()
        self.acceptor = acceptor
    }

    // MARK: Messages

    private func receive(_ message: LoopMessage) {
        switch message {
        case .adopt(let descriptor, let peer): adopt(FileDescriptor(adopting: descriptor), peer: peer)
        case .answer(let id, let number, let response): connections[id]?.deliver(response, to: number)
        case .piece(let id, let number, let piece): connections[id]?.take(piece, of: number)
        case .contentStored(let id, let number, let result): connections[id]?.stored(result, of: number)
        case .closeIdle(let count): closeIdle(count: count)
        case .reload(let settings): self.settings = settings
        case .resume(let id): connections[id]?.pump()
        case .drain: drain()
        }
    }

    /// Takes over a connected socket.
    func adopt(_ socket: consuming FileDescriptor, peer: SocketAddress?) {
        let connection = Connection(id: nextConnectionID, socket: socket, peer: peer, server: self)
        nextConnectionID += 1
        guard connection.open() else {
            statistics.connectionClosed(peer)
            return
        }
        connections[connection.id] = connection
        if isDraining { connection.drain() }
    }

    func connectionClosed(_ connection: Connection) {
        if connections.removeValue(forKey: connection.id) != nil { statistics.connectionClosed(connection.peer) }
    }

    /// Closes so many idle connections, those first that have been idle for longest.
    func closeIdle(count: Int) {
        let idle = connections.values.filter(\.isIdle).sorted { $0.state.idleSince < $1.state.idleSince }
        for connection in idle.prefix(count) { connection.close() }
        statistics.idleConnectionsClosed(min(count, idle.count))
    }

    /// Writes content to a file, off the loop; false when that cannot be asked for now.
    func store(
        _ octets: [UInt8], at offset: Int, of file: SharedFile?,
        done: @escaping @Sendable (Result<SharedFile, Errno>) -> Void
    ) -> Bool {
        spooler?.write(octets, at: offset, of: file, done: done) ?? false
    }

    private func drain() {
        guard !isDraining else { return }
        isDraining = true
        acceptor?.close()
        acceptor = nil
        for connection in Array(connections.values) { connection.drain() }
        statistics.loopDrains()
    }

    // MARK: What connections need

    /// The id to know a request by: the client's where it is a short token, else a new one.
    func requestID(for head: RequestHead?) -> RequestID {
        if let head, let index = head.fields.firstIndex(of: .xRequestID),
            let given = RequestID(given: head.fields.valueOctets(at: index))
        {
            return given
        }
        return requestIDs.next()
    }

    /// Writes an answer's head.
    func write(
        _ response: Response, to requestID: RequestID, version: HTTPVersion?, framing: ResponseFraming, isLast: Bool,
        into octets: inout [UInt8]
    ) {
        dateLine.update(loop.unixSeconds)
        ResponseWriter.begin(response.status, dateLine: dateLine.octets, into: &octets)
        octets.append(contentsOf: response.fields.octets)
        octets.append(contentsOf: response.ownFields.octets)
        requestID.appendLine(into: &octets)
        if !response.status.forbidsContent {
            switch framing {
            case .length(let count): ResponseWriter.appendContentLength(count, into: &octets)
            case .chunked: ResponseWriter.append(.transferEncoding, literal: "chunked", into: &octets)
            case .untilClose: break
            }
        }
        ResponseWriter.end(isLast ? .close : version == .http10 ? .keepAlive : .implied, into: &octets)
    }
}
