import HTTPMessage
import Reactor

/// What the connections of one loop share. Confined to the loop's thread.
final class ServerLoop {
    // The loop holds this object by its mailbox.
    unowned(unsafe) let loop: EventLoop
    // As in `Connection`: only the loop's thread touches these, and nothing calls back while one of them changes.
    @exclusivity(unchecked) private(set) var settings: ServerSettings {
        didSet { timeouts = ConnectionState.Timeouts(settings) }
    }
    @exclusivity(unchecked) private(set) var timeouts: ConnectionState.Timeouts
    let statistics: ServerStatistics
    let handler: any RequestHandler
    let readBuffer: UnsafeMutableRawBufferPointer
    @exclusivity(unchecked) private(set) var mailbox: Mailbox<LoopMessage>
    @exclusivity(unchecked) private var connections: [UInt64: Connection] = [:]
    private var nextConnectionID: UInt64 = 0
    @exclusivity(unchecked) private var requestIDs: RequestIDGenerator
    @exclusivity(unchecked) private var dateLine: DateLine
    private(set) var isDraining = false
    private var isHandover = false
    private var acceptor: Acceptor?
    private let spooler: ContentSpooler?
    var recordsExchanges: Bool { handler.recordsExchanges }
    /// Output storage for whichever connection is at work: idle ones hold none.
    @exclusivity(unchecked) var spareOutput = OutputQueue()

    init(
        loop: EventLoop, index: Int, settings: ServerSettings, statistics: ServerStatistics,
        spooler: ContentSpooler?, handler: any RequestHandler
    ) {
        self.spooler = spooler
        self.loop = loop
        self.settings = settings
        self.timeouts = ConnectionState.Timeouts(settings)
        self.statistics = statistics
        self.handler = handler
        self.dateLine = DateLine(loop.unixSeconds)
        self.requestIDs = RequestIDGenerator(loopIndex: index, seed: UInt64.random(in: 0...UInt64.max))
        // Input behind a request that is being answered is held, so this bounds that as well.
        self.readBuffer = .allocate(byteCount: 16384, alignment: 16)
        // The mailbox's drain needs this object, and this object the mailbox; through the box the loop keeps it alive.
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

    deinit { readBuffer.deallocate() }

    func accept(
        on listener: consuming FileDescriptor, for mailboxes: [Mailbox<LoopMessage>], leavesBacklog: Bool
    ) throws(Errno) {
        let acceptor = Acceptor(listener: listener, leavesBacklog: leavesBacklog, server: self, mailboxes: mailboxes)
        try acceptor.open()
        self.acceptor = acceptor
    }

    // MARK: Messages

    private func receive(_ message: LoopMessage) {
        switch message {
        case .adopt(let handover, let peer):
            if let socket = handover.take() { adopt(socket, peer: peer) }
        case .answer(let id, let number, let response):
            if let connection = connections[id] { connection.deliver(response, to: number) } else { response.abandon() }
        case .interim(let id, let number, let bytes): connections[id]?.deliverInterim(bytes, to: number)
        case .piece(let id, let number, let piece): connections[id]?.take(piece, of: number)
        case .contentStored(let id, let number, let result): connections[id]?.stored(result, of: number)
        case .makeRoom(let count, let kind): makeRoom(count: count, kind)
        case .reload(let settings): reload(settings)
        case .resume(let id): connections[id]?.resume()
        case .drain(let isHandover): drain(isHandover: isHandover)
        case .closeAll: for connection in Array(connections.values) { connection.close() }
        }
    }

    func adopt(_ socket: consuming FileDescriptor, peer: SocketAddress?) {
        let connection = Connection(id: nextConnectionID, socket: socket, peer: peer, server: self)
        nextConnectionID += 1
        guard connection.open() else {
            statistics.connectionClosed(peer)
            return
        }
        connections[connection.id] = connection
        if isDraining { connection.drain(isHandover: isHandover) }
    }

    private func reload(_ settings: ServerSettings) {
        var settings = settings
        // The thread that writes there was started with it.
        settings.spoolFolder = self.settings.spoolFolder
        self.settings = settings
    }

    func connectionClosed(_ connection: Connection) {
        if connections.removeValue(forKey: connection.id) != nil { statistics.connectionClosed(connection.peer) }
    }

    /// Closes up to `count` connections of one kind, the oldest first; returns how many.
    @discardableResult func makeRoom(count: Int, _ kind: RoomKind) -> Int {
        let now = loop.now
        let candidates = connections.values.filter { $0.makesRoom(kind, now: now) }.sorted {
            $0.state.idleSince < $1.state.idleSince
        }
        var closedCount = 0
        for connection in candidates {
            guard closedCount < count else { break }
            if connection.closeForRoom(kind) { closedCount += 1 }
        }
        statistics.idleConnectionsClosed(closedCount)
        return closedCount
    }

    func store(_ part: ContentIntake.Part, done: @escaping @Sendable (Result<SharedFile?, Errno>) -> Void) -> Bool {
        spooler?.write(part, done: done) ?? false
    }

    private func drain(isHandover: Bool) {
        guard !isDraining else { return }
        isDraining = true
        self.isHandover = isHandover
        acceptor?.close(leavingBacklog: isHandover)
        acceptor = nil
        for connection in Array(connections.values) { connection.drain(isHandover: isHandover) }
        statistics.loopDrains()
    }

    // MARK: What connections need

    /// The client's id if it is a short token, otherwise a new one.
    func requestID(for head: RequestHead?) -> RequestID {
        if let fields = head?.fields, let index = fields.firstIndex(of: .xRequestID),
            let given = RequestID(given: fields.valueBytes(at: index))
        {
            return given
        }
        return requestIDs.next()
    }

    func write(
        _ response: Response, to requestID: RequestID, version: HTTPVersion?, framing: ResponseFraming, isLast: Bool,
        into bytes: inout [UInt8]
    ) {
        if !response.isRelayed { dateLine.update(loop.unixSeconds) }
        ResponseWriter.begin(response.status, dateLine: response.isRelayed ? [] : dateLine.bytes, into: &bytes)
        bytes.append(contentsOf: response.fields.bytes)
        bytes.append(contentsOf: response.ownFields.bytes)
        if !response.isRelayed { requestIDs.appendLine(requestID, to: &bytes) }
        if !response.status.forbidsContent {
            switch framing {
            case .length(let count): ResponseWriter.appendContentLength(count, into: &bytes)
            case .chunked: ResponseWriter.append(.transferEncoding, literal: "chunked", into: &bytes)
            case .untilClose, .asGiven: break
            }
        }
        let persistence: ResponseWriter.Persistence =
            switch version {
            case _ where isLast: .close
            case .http10?: .keepAlive
            case .http11?, nil: .implied
            }
        ResponseWriter.end(persistence, into: &bytes)
    }
}
