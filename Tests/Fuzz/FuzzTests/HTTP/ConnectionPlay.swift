import HTTPMessage

@testable import HTTPServer
@testable import Reactor

/// One run of a script against a server of its own.
final class ConnectionPlay {
    private let script: ConnectionScript
    private let stage: PlayedStage
    private let clock = HandMovedClock()
    private let loop: EventLoop
    let server: ServerLoop
    private let statistics = ServerStatistics()
    private let handler: PlayedHandler
    private var clients: [PlayedClient?] = [nil, nil, nil]
    private var current = 0
    private var isOnTime = true

    private init(_ script: ConnectionScript, _ stage: PlayedStage) throws(Errno) {
        self.script = script
        self.stage = stage
        loop = try EventLoop(clock: clock.clock)
        handler = PlayedHandler(stage.contents)
        server = ServerLoop(
            loop: loop, index: 0, settings: Self.settings(script.settings), statistics: statistics,
            spooler: stage.spooler, handler: handler)
    }

    /// Sets the stage.
    static func make(_ script: ConnectionScript, _ stage: PlayedStage) throws(BrokenInvariant) -> ConnectionPlay {
        do throws(Errno) {
            return try ConnectionPlay(script, stage)
        } catch {
            throw BrokenInvariant("a loop cannot be made: \(error)")
        }
    }

    private var hasSmallBuffers: Bool { script.settings & 1 != 0 }
    private var leavesFirst: Bool { script.settings & 0x80 == 0 }

    private static func settings(_ bits: UInt8) -> ServerSettings {
        var settings = ServerSettings()
        if bits & 2 != 0 {
            settings.limits.headByteCount = 256
            settings.limits.targetByteCount = 40
            settings.limits.fieldCount = 6
            settings.limits.trailerByteCount = 40
        }
        settings.discardByteCount = bits & 4 != 0 ? 64 : 4096
        settings.lingerByteCount = bits & 8 != 0 ? 256 : 16384
        settings.contentBufferByteCount = bits & 16 != 0 ? 100 : 65536
        settings.spoolFolder = bits & 32 != 0 ? nil : "/tmp"
        return settings
    }

    // MARK: Playing

    /// Plays the script to its end and beyond: when time has passed, nothing may be left.
    func run() throws(BrokenInvariant) {
        try connect()
        for step in script.steps {
            try play(step)
            try settle()
        }
        try end()
        try checkAccounts()
    }

    private func play(_ step: ConnectionScript.Step) throws(BrokenInvariant) {
        let client = clients[current]
        switch step {
        case .send(let bytes): client?.say(bytes)
        case .advance(let duration):
            if handler.owesPiece { isOnTime = false }
            clock.advance(by: duration)
        case .read(true): client?.reads = true
        case .read(false): client?.stopReading()
        case .answer(let manner): handler.payDebt(manner: manner)
        case .halfClose: client?.endSending()
        case .close: client?.close()
        case .client(let index):
            current = index
            if clients[index] == nil { try connect() }
        case .drain: server.mailbox.post(.drain(isHandover: false))
        }
    }

    private func connect() throws(BrokenInvariant) {
        guard let pair = SocketPair(sendBuffer: hasSmallBuffers ? 4096 : nil) else {
            throw BrokenInvariant("no pair of sockets")
        }
        let near = FileDescriptor(adopting: pair.near)
        let client = PlayedClient(FileDescriptor(adopting: pair.far))
        guard statistics.admit(nil, server.settings) == .admitted else { return }
        server.adopt(near, peer: nil)
        clients[current] = client
    }

    /// Turns the loop until nothing moves any more, which must be soon.
    private func settle() throws(BrokenInvariant) {
        for _ in 0..<4000 {
            var hasMoved = try turn()
            for client in clients {
                if let client, try client.pump() { hasMoved = true }
            }
            if !hasMoved, handler.kept.areUsed || script.settings & 16 != 0 && handler.hasTakenContent {
                stage.waitForSpooler()
                hasMoved = try turn()
            }
            if let fault = handler.fault { throw fault }
            if !hasMoved { return }
        }
        throw BrokenInvariant("the loop does not come to rest")
    }

    private func turn() throws(BrokenInvariant) -> Bool {
        do throws(Errno) {
            return try loop.turn(maximumWait: .zero) > 0
        } catch {
            throw BrokenInvariant("the loop fails: \(error)")
        }
    }

    /// The clients leave, or stay and say nothing any more. Either way the server lets go of them.
    private func end() throws(BrokenInvariant) {
        handler.isEager = true
        if handler.owesPiece { isOnTime = false }
        for client in clients {
            if leavesFirst { client?.close() } else { client?.reads = true }
        }
        try settle()
        for _ in 0..<40 where statistics.openConnectionCount > 0 {
            clock.advance(by: .seconds(61))
            try settle()
        }
        try BrokenInvariant.require(statistics.openConnectionCount == 0, "a connection is left")
        try BrokenInvariant.require(loop.timerCount == 0, "a timer is left")
        try BrokenInvariant.require(loop.descriptorCount == 0, "a descriptor is still watched")
    }

    // MARK: Accounts

    private func checkAccounts() throws(BrokenInvariant) {
        if handler.kept.areUsed { stage.waitForSpooler() }
        if let fault = handler.kept.fault { throw fault }
        for request in handler.requests {
            try BrokenInvariant.require(request.abandonCount <= 1, "request \(request.number) was abandoned twice")
        }
        for case .answer(let request, _) in handler.debts {
            try BrokenInvariant.require(request.abandonCount == 1, "request \(request.number) was forgotten")
        }
        for stream in handler.streams {
            try BrokenInvariant.require(stream.abandonCount <= 1, "a stream was abandoned twice")
            try BrokenInvariant.require(stream.isOver, "a stream was forgotten")
        }
        let possible = handler.requests.count + handler.refusalCount
        try BrokenInvariant.require(
            handler.exchanges.count <= possible, "\(handler.exchanges.count) exchanges of \(possible)")
        let finals = clients.reduce(0) { $0 + ($1?.finalCount ?? 0) }
        try BrokenInvariant.require(finals <= handler.exchanges.count, "more answers than exchanges")
        guard isOnTime, !handler.mayBreakOff, clients.allSatisfy({ $0?.isPatient ?? true }) else { return }
        try checkNothingIsLost(finals)
    }

    /// Every client took all that came, so all that was begun came.
    private func checkNothingIsLost(_ finals: Int) throws(BrokenInvariant) {
        try BrokenInvariant.require(
            clients.allSatisfy { $0?.isBetweenAnswers ?? true }, "an answer breaks off before a patient client")
        try BrokenInvariant.require(finals == handler.exchanges.count, "an answer is lost")
        try BrokenInvariant.require(
            handler.exchanges.allSatisfy(\.isComplete),
            "whole answers count as broken off: \(handler.exchanges.filter { !$0.isComplete }.map { ($0.status.code, $0.sentByteCount) })"
        )
        let sent = handler.exchanges.reduce(0) { $0 + $1.sentByteCount }
        let received = clients.reduce(0) { $0 + ($1.map { $0.receivedByteCount - 25 * $0.interimCount } ?? 0) }
        try BrokenInvariant.require(sent == received, "\(sent) bytes were counted, \(received) came")
    }
}
