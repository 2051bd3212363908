import HTTPMessage
import Reactor

// Sending what is queued, and the ways a connection ends.

extension Connection {
    func flush() -> OutputQueue.Outcome {
        guard !output.isEmpty else {
            if !output.records.isEmpty { report() }
            return .drained
        }
        let before = output.queue.sentByteCount
        let outcome = output.queue.send(to: socket)
        let sent = output.queue.sentByteCount
        if outcome == .blocked {
            if !state.owesOutput { output.deliveryStart = before }
            output.acknowledgedByteCount = sent - socket.unacknowledgedByteCount
        }
        if outcome != .gone {
            state.wrote(
                isDrained: output.isEmpty, byteCount: sent - before, now: server.loop.now,
                minimumRate: output.isEmpty ? nil : leastRate)
        }
        if outcome == .paused { state.turnEnded(now: server.loop.now) }
        if !output.records.isEmpty { report() }
        return outcome
    }

    /// The socket has taken nothing for long; acknowledged bytes tell a slow client from one that stands still.
    func checkReader() {
        let acknowledged = output.queue.sentByteCount - socket.unacknowledgedByteCount
        guard acknowledged > output.acknowledgedByteCount,
            state.readerMoved(
                byteCount: acknowledged - output.deliveryStart, now: server.loop.now, minimumRate: leastRate)
        else { return close() }
        output.acknowledgedByteCount = acknowledged
        syncTimer()
    }

    /// nil: that of the settings.
    private var leastRate: Int? { server.handler.isShortOfMemory ? server.settings.minimumRateWhenShort : nil }

    private func report() {
        let handler = server.handler
        output.records.finish(
            sent: output.queue.sentByteCount, growing: current.stream != nil, now: server.loop.now
        ) { handler.finished($0) }
    }

    /// Whether the client only ended its side: an interim answer, which HTTP/1.0 lacks, draws a reset if it is gone.
    func probePeer() {
        guard let head = current.head, head.version == .http11, output.isEmpty else { return }
        output.queue.append { $0.append(contentsOf: Self.continueLines) }
    }

    func beginLingering() {
        socket.shutDownSending()
        input.held = []
        input.mayRead = true
    }

    /// Closes at once; the descriptor closes with the last reference to this object.
    func close() {
        guard let token else { return }
        self.token = nil
        state.closed()
        output.queue.removeAll()
        input.held = []
        endIntake()
        server.loop.remove(token)
        if let timer { server.loop.cancel(timer) }
        timer = nil
        abandon()
        if !output.records.isEmpty {
            let handler = server.handler
            output.records.breakOff(sent: output.queue.sentByteCount, now: server.loop.now) { handler.finished($0) }
        }
        server.connectionClosed(self)
    }

    func abandon() {
        current.pending.take()?.onAbandon()
        current.stream.take()?.stream.onAbandon()
    }

    /// Keeps one timer, due no later than the state's deadline; a deadline that moves later costs nothing.
    func syncTimer() {
        let deadline = state.deadline
        guard deadline < timerInstant else { return }
        if let timer {
            server.loop.reschedule(timer, at: deadline)
        } else {
            timer = server.loop.schedule(at: deadline, self)
        }
        timerInstant = deadline
    }
}

extension ConnectionState.Timeouts {
    convenience init(_ settings: ServerSettings) {
        self.init(
            idle: settings.idleTimeout, head: settings.headTimeout, write: settings.writeTimeout,
            answer: settings.answerTimeout, content: settings.contentTimeout, minimumRate: settings.minimumRate)
    }
}
