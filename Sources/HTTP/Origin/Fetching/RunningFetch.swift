import HTTPMessage
import Reactor

/// One fetch on the fetch thread; does what its state says.
final class RunningFetch: ExchangeHandler, EventHandler {
    private let thread: FetchThread
    private let sink: any FetchSink
    private let completion: @Sendable (Result<Fetched, OriginError>) -> Void
    private var state: FetchState
    private var ticket: FetchLoop.Ticket?
    /// What it does at a time, unless something else comes before.
    private var alarm: (timer: TimerToken, body: (RunningFetch) -> Void)?
    /// Why we broke off the exchange.
    private var fault: OriginError?
    private var isOver = false
    private var receives = false
    private var used = UsedSecret.none
    private var hasRenewed = false

    init(
        _ state: FetchState, _ sink: any FetchSink, on thread: FetchThread,
        completion: @escaping @Sendable (Result<Fetched, OriginError>) -> Void
    ) {
        self.state = state
        self.sink = sink
        self.thread = thread
        self.completion = completion
    }

    func start() { perform(state.start()) }

    func cancel(_ error: OriginError) {
        guard !isOver else { return }
        if let ticket { thread.exchanges.cancel(ticket) }
        giveUp(error)
    }

    /// Ends it without a verdict about the origin.
    private func giveUp(_ error: OriginError) {
        thread.record(state.url.origin, state.item, succeeded: nil)
        finish(.failure(error))
    }

    private func perform(_ action: FetchState.Action) {
        switch action {
        case .finish(let result): finish(result)
        case .ask(let url, let wait) where wait > .zero:
            schedule(at: thread.now + wait) { $0.perform(.ask(url, after: .zero)) }
        case .ask(let url, _):
            if let rest = thread.admit(url.origin, state.item) {
                finish(.failure(.resting(seconds: max(1, Int(rest.components.seconds)))))
                return
            }
            fault = nil
            receives = false
            let exchange = state.makeExchange(now: thread.now)
            // Credentials may come late or never; they are renewed for others all the same.
            schedule(at: state.deadline) { $0.giveUp(.timedOut) }
            thread.credentialed(exchange) { [weak self] exchange, used in self?.begin(exchange, used) }
        }
    }

    private func begin(_ exchange: Result<ExchangeRequest, OriginError>, _ used: UsedSecret) {
        guard !isOver else { return }
        unschedule()
        self.used = used
        switch exchange {
        case .failure(let error): giveUp(error)
        case .success(var exchange):
            // Credentials may have taken their time.
            exchange.limits.total = state.exchangeTime(now: thread.now)
            guard exchange.limits.total > .zero else { return giveUp(.timedOut) }
            ticket = thread.exchanges.start(exchange, self)
            if ticket == nil { giveUp(.noMemory) }
        }
    }

    private func finish(_ result: Result<Fetched, OriginError>) {
        isOver = true
        ticket = nil
        unschedule()
        thread.ended(self)
        completion(result)
    }

    private func schedule(at instant: MonotonicInstant, _ body: @escaping (RunningFetch) -> Void) {
        alarm = (thread.loop.schedule(at: instant, self), body)
    }

    private func unschedule() {
        if let alarm { thread.loop.cancel(alarm.timer) }
        alarm = nil
    }

    // MARK: ExchangeHandler

    func exchangeBegan(_ head: ResponseHead) -> Bool {
        switch state.began(head) {
        case .takeWhole:
            receives = true
            if !sink.began(head) { fault = .notKept }
        case .takeRest: receives = true
        case .drop: receives = false
        case .refuse(let error): fault = error
        }
        return fault == nil
    }

    func exchangeReceived(_ bytes: RawSpan) -> Bool {
        fault = state.received(bytes.byteCount)
        if fault == nil, receives, !sink.received(bytes) { fault = .notKept }
        return fault == nil
    }

    func exchangeEnded(_ end: ExchangeEnd, _ report: ExchangeReport) {
        ticket = nil
        let end = fault.map { ExchangeEnd.failed($0, log: "") } ?? end
        thread.record(
            state.url.origin, state.item, succeeded: state.isHealthy(end), hasAnswered: state.status != nil)
        guard let status = state.status else { return goOn(after: end) }
        // The answer is here: it counts when new credentials come too late.
        schedule(at: state.deadline) { $0.goOn(after: end) }
        thread.renew(used, refusedWith: status, mayRepeat: !hasRenewed) { [weak self] isRenewed in
            guard let self, !self.isOver else { return }
            unschedule()
            guard isRenewed, state.exchangeTime(now: thread.now) > .zero else { return goOn(after: end) }
            hasRenewed = true
            perform(.ask(state.url, after: .zero))
        }
    }

    private func goOn(after end: ExchangeEnd) {
        let moment = FetchState.Moment(
            now: thread.now, unixSeconds: thread.loop.unixSeconds, chance: Double.random(in: 0...1))
        perform(state.ended(end, at: moment))
    }

    // MARK: EventHandler

    func handle(_ readiness: Readiness, on loop: EventLoop) {}

    func timerFired(_ timer: TimerToken, on loop: EventLoop) {
        let body = alarm?.body
        alarm = nil
        body?(self)
    }
}
