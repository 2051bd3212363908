import HTTPMessage
import Reactor

// From a complete head to the queued answer.

extension Connection {
    func begin(_ head: RequestHead) {
        let now = server.loop.now
        input.requestsLeft -= 1
        current.head = head
        current.arrived = now
        current.number &+= 1
        guard head.hasContent else {
            current.refusal = ruleFailure(head)
            state.headEnded(hasContent: false, keepsAlive: head.keepAlive, now: now)
            return dispatch(head, content: .none)
        }
        if isRefused(head.method) || head.expectation.isUnknown { return beginDiscarding(head, refusal: nil) }
        guard var rule = server.handler.contentRule(for: head, from: peer) else {
            return beginDiscarding(head, refusal: nil)
        }
        // Content that cannot be kept is better refused before it is sent.
        if server.settings.spoolFolder == nil, rule.makeKeeper == nil, rule.memory == nil {
            rule.byteLimit = min(rule.byteLimit, server.settings.contentBufferByteCount)
        }
        if let failure = rule.failure(for: head) { return beginDiscarding(head, refusal: failure) }
        var keeper: (any ContentKeeper)?
        if let makeKeeper = rule.makeKeeper {
            keeper = makeKeeper(responder)
            if keeper == nil { return beginDiscarding(head, refusal: nil) }
        }
        current.intake = ContentIntake(rule, keeper: keeper, head.framing, settings: server.settings)
        state.contentBegan(keepsAlive: head.keepAlive, now: now)
        // RFC 9110 §10.1.1: a client that has begun to send needs no 100, but cannot tell us so here.
        if head.expectsContinue { output.queue.append { $0.append(contentsOf: Self.continueLines) } }
    }

    private func isRefused(_ method: Method) -> Bool { method.isUnknown && !server.handler.takesUnknownMethods }

    private func ruleFailure(_ head: RequestHead) -> RequestFailure? {
        switch head.method {
        case .get, .head, .options, .trace, .connect, .other: nil
        case .post, .put, .patch, .delete: server.handler.contentRule(for: head, from: peer)?.failure(for: head)
        }
    }

    static let continueLines = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// Reads past content that nobody takes, or closes the connection because of it.
    private func beginDiscarding(_ head: RequestHead, refusal: RequestFailure?) {
        let settings = server.settings
        current.refusal = refusal
        let discard = ContentDiscard(head.framing, limit: settings.discardByteCount, limits: settings.limits)
        // Content that the client holds back until 100, or that is too much to read past, is refused by closing.
        let isRefused = head.expectation != .none || discard.isOverLimit
        let isRead = !discard.isComplete && !isRefused
        state.headEnded(hasContent: isRead, keepsAlive: head.keepAlive && !isRefused, now: server.loop.now)
        guard isRead else { return dispatch(head, content: .none) }
        current.discard = DiscardedContent(discard)
    }

    func discardContent(_ bytes: RawSpan) -> Int {
        guard let discard = current.discard else { return bytes.byteCount }
        do throws(RequestError) {
            let count = try discard.reader.consume(bytes)
            if discard.reader.isOverLimit { state.drain() }
            if discard.reader.isComplete || discard.reader.isOverLimit {
                current.discard = nil
                state.contentEnded(now: server.loop.now)
                if let head = current.head { dispatch(head, content: .none) }
            }
            return count
        } catch {
            refuse(.refused(error), closes: true)
            return bytes.byteCount
        }
    }

    func receiveContent(_ bytes: RawSpan) -> Int {
        guard let intake = current.intake else { return bytes.byteCount }
        do throws(RequestFailure) {
            let count = try intake.consume(bytes)
            state.contentCame(count, now: server.loop.now)
            advance(intake)
            return count
        } catch {
            endIntake()
            refuse(error, closes: true)
            return bytes.byteCount
        }
    }

    /// Gives up content that will not be complete. A keeper still gets what arrived and was not written.
    func endIntake() {
        guard let intake = current.intake.take() else { return }
        // If the queue is full the rest is lost, as if the connection had broken a moment earlier.
        if let rest = intake.takeRest() { _ = server.store(rest) { _ in } }
    }

    private func advance(_ intake: ContentIntake) {
        switch intake.turn {
        case .needsMore: break
        case .complete(let content):
            current.intake = nil
            state.contentEnded(now: server.loop.now)
            if let head = current.head { dispatch(head, content: content) }
        case .needsStoring:
            state.contentPaused(now: server.loop.now)
            let (id, number, mailbox) = (id, current.number, server.mailbox)
            let isQueued = server.store(intake.takePart()) {
                mailbox.post(.contentStored(connectionID: id, requestNumber: number, $0))
            }
            if !isQueued { failContent(.contentNotStored) }
        }
    }

    func stored(_ result: Result<SharedFile?, Errno>, of requestNumber: UInt64) {
        guard requestNumber == current.number, let intake = current.intake, state.contentStored(now: server.loop.now)
        else { return }
        switch result {
        case .success(let file):
            intake.stored(in: file)
            advance(intake)
        case .failure: failContent(.contentNotStored)
        }
        pump()
    }

    private func failContent(_ failure: RequestFailure) {
        // Nothing is left to keep: all of it could not be written.
        current.intake = nil
        refuse(failure, closes: true)
    }

    /// For the request under way.
    private var responder: Responder {
        Responder(connectionID: id, requestNumber: current.number, mailbox: server.mailbox)
    }

    private func dispatch(_ head: RequestHead, content: RequestContent) {
        if isRefused(head.method) { return refuse(.unknownMethod, closes: false) }
        if head.expectation.isUnknown { return refuse(.unknownExpectation, closes: false) }
        if let refusal = current.refusal { return refuse(refusal, closes: false) }
        let server = server
        let responder = responder
        let request = Request(
            head: head, requestID: nameRequest(), arrived: current.arrived, content: content, peer: peer)
        switch server.handler.answer(request, responder) {
        case .now(let response): answer(response, closes: false)
        case .pending(let pending): current.pending = pending
        }
    }

    /// Sends an interim answer; drops it unless its request waits for an answer or its content is coming, and the client is not of
    /// HTTP/1.0.
    func deliverInterim(_ data: [UInt8], to requestNumber: UInt64) {
        let isWanted = isAwaiting(requestNumber) || requestNumber == current.number && current.intake != nil
        guard isWanted, current.head?.version == .http11 else { return }
        output.queue.append { $0.append(contentsOf: data) }
        pump()
    }

    /// Sends the handler's answer; drops it unless its request is under way.
    func deliver(_ response: Response, to requestNumber: UInt64) {
        guard isAwaiting(requestNumber) else { return response.abandon() }
        current.pending = nil
        answer(response, closes: false)
        pump()
    }

    private func isAwaiting(_ requestNumber: UInt64) -> Bool { state.isAnswering && requestNumber == current.number }

    /// Answers a request that is incomplete, and closes.
    func fail(_ failure: RequestFailure) {
        endIntake()
        refuse(failure, closes: true)
        pump()
    }

    /// Answers a request that the server itself refuses.
    func refuse(_ failure: RequestFailure, closes: Bool) {
        let arrived = current.head == nil ? nil : current.arrived
        let request = RefusedRequest(id: nameRequest(), head: current.head, arrived: arrived)
        answer(server.handler.answer(to: failure, of: request), closes: closes)
    }

    private func nameRequest() -> RequestID {
        if let name = current.id { return name }
        let name = server.requestID(for: current.head)
        current.id = name
        return name
    }

    func answer(_ response: Response, closes: Bool) {
        let server = server
        let start = output.queue.appendedByteCount
        let requestID = nameRequest()
        let closes = closes || response.closesConnection
        let hasContent =
            !(current.head?.method.isHead ?? input.parser.hasRefusedHead) && !response.status.forbidsContent
        if case .stream(let stream)? = response.content {
            if hasContent {
                begin(stream, response, requestID, closes: closes)
                return record(response, requestID, from: start)
            }
            stream.onAbandon()
        }
        state.answered(closes: closes, now: server.loop.now)
        let framing =
            response.content.map { ResponseFraming($0, version: current.head?.version) }
            ?? (response.isRelayed && !hasContent ? .asGiven : .length(0))
        let isLast = state.isLast
        output.queue.append { bytes in
            server.write(
                response, to: requestID, version: current.head?.version, framing: framing, isLast: isLast, into: &bytes)
        }
        if hasContent, let content = response.content { output.queue.append(content) }
        record(response, requestID, from: start)
        current.end()
    }

    private func record(_ response: Response, _ requestID: RequestID, from start: Int) {
        guard server.recordsExchanges else { return }
        let now = server.loop.now
        let exchange = Exchange(
            requestID: requestID, peer: peer, head: current.head, status: response.status, fields: response.fields,
            ownFields: response.ownFields, arrived: min(current.arrived, now), answered: now, finished: now,
            sentByteCount: 0, isComplete: false)
        output.records.append(exchange, from: start, to: output.queue.appendedByteCount)
    }
}
