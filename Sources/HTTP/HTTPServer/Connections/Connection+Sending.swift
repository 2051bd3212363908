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
        if outcome != .gone { state.wrote(isDrained: output.isEmpty, byteCount: sent - before, now: server.loop.now) }
        if !output.records.isEmpty { report() }
        return outcome
    }

    /// The socket has taken nothing for long. It does so when much of what it holds has left, so a slow client that takes
    /// bytes all the time is told from one that stands still by what it has acknowledged.
    func checkReader() {
        let acknowledged = output.queue.sentByteCount - socket.unacknowledgedByteCount
        guard acknowledged > output.acknowledgedByteCount,
            state.readerMoved(byteCount: acknowledged - output.deliveryStart, now: server.loop.now)
        else { return close() }
        output.acknowledgedByteCount = acknowledged
        syncTimer()
    }

    private func report() {
        let finished = output.records.takeFinished(
            sent: output.queue.sentByteCount, growing: current.stream != nil, now: server.loop.now)
        for exchange in finished { server.handler.finished(exchange) }
    }

    /// A client that closed its socket and one that only ended its side look the same until something is sent. An interim
    /// answer is harmless to the latter and draws a reset from the former (RFC 9110 §15.2); HTTP/1.0 knows none.
    func probePeer() {
        guard let head = current.head, head.version == .http11, output.isEmpty else { return }
        output.queue.append { $0.append(contentsOf: Self.continueLines) }
    }

    func beginLingering() {
        socket.shutDownSending()
        input.held = []
        input.mayRead = true
    }

    /// Ends the connection at once. The descriptor closes when the last reference to this object goes.
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
            let left = output.records.takeAll(sent: output.queue.sentByteCount, now: server.loop.now)
            for exchange in left { server.handler.finished(exchange) }
        }
        server.connectionClosed(self)
    }

    /// Tells the handler that nobody waits for its answer any more.
    func abandon() {
        current.pending.take()?.onAbandon()
        current.stream.take()?.stream.onAbandon()
    }

    /// Keeps one timer that is due no later than the state's deadline; a deadline that moves away costs nothing.
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
