import CCurl
import Glibc
package import Reactor

// libcurl's multi interface on one of our loops: libcurl says which sockets it waits for and until when; the loop
// watches them and reports. The loop is edge-triggered, but libcurl expects reports as long as something is ready: so
// every socket is watched again after each event.

/// Runs exchanges; lives on the thread of its loop.
@safe package final class FetchLoop {
    package struct Bounds: Sendable {
        package var connections = 64
        package var connectionsPerHost = 8

        package init() {}
    }

    private let loop: EventLoop
    private let policy: AddressPolicy
    private let resolve: String?
    private var multi: OpaquePointer?
    private var watches: [Int32: SocketWatch] = [:]
    private var timer: TimerToken?
    private lazy var alarm = Alarm(self)
    private var exchanges: [ObjectIdentifier: RunningExchange] = [:]

    package struct Ticket: Hashable {
        fileprivate let id: ObjectIdentifier
    }

    /// On the loop's own thread. `resolve` replaces DNS in tests: `HOST:PORT:ADDRESS`. Errors: `ENOMEM`.
    package init(
        on loop: EventLoop, policy: AddressPolicy, bounds: Bounds = Bounds(), resolve: String? = nil
    ) throws(Errno) {
        self.loop = loop
        self.policy = policy
        self.resolve = resolve
        var hooks = unsafe ccurl_loop()
        unsafe hooks.context = Unmanaged.passUnretained(self).toOpaque()
        unsafe hooks.watch = { context, descriptor, reads, writes in
            var interest: PollInterest = reads ? .read : []
            if writes { interest.insert(.write) }
            unsafe fetchLoop(context).watch(descriptor, interest)
        }
        unsafe hooks.wait = { context, milliseconds in unsafe fetchLoop(context).wait(milliseconds: milliseconds) }
        unsafe multi = ccurl_multi_new(&hooks, bounds.connections, bounds.connectionsPerHost)
        if unsafe multi == nil { throw Errno(code: ENOMEM) }
    }

    deinit {
        for running in exchanges.values { remove(running.transfer) }
        exchanges.removeAll()
        if let multi = unsafe multi { unsafe ccurl_multi_free(multi) }
        for watch in watches.values { watch.end() }
    }

    /// Prepares libcurl; once, from main, before there are other threads. False if it cannot be used.
    package static func prepare() -> Bool { ccurl_start() == 0 }

    var unixSeconds: Int64 { loop.clock.unixSeconds() }

    /// Starts an exchange and keeps `handler`, which is called from a later turn on, until its end. Nil when memory is short.
    package func start(_ request: ExchangeRequest, _ handler: any ExchangeHandler) -> Ticket? {
        guard
            let transfer = CurlTransfer(
                request, policy: request.addresses ?? policy, resolve: resolve, handler: handler),
            let multi = unsafe multi, let pointer = unsafe transfer.pointer
        else { return nil }
        let running = RunningExchange(transfer, request.limits, self)
        transfer.onProceeding = { [weak self, weak running] isReady in
            if let self, let running { proceed(running, isReady) }
        }
        exchanges[ObjectIdentifier(transfer)] = running
        guard unsafe ccurl_multi_add(multi, pointer) == 0 else {
            exchanges[ObjectIdentifier(transfer)] = nil
            return nil
        }
        running.timer = loop.schedule(
            at: loop.clock.monotonic() + min(request.limits.wait, request.limits.total), running)
        return Ticket(id: ObjectIdentifier(transfer))
    }

    /// Breaks an exchange off; its handler hears nothing more.
    package func cancel(_ ticket: Ticket) {
        guard let running = exchanges.removeValue(forKey: ticket.id) else { return }
        forget(running)
        remove(running.transfer)
    }

    /// Breaks all off, as their handlers may keep this alive.
    func cancelAll() { for id in Array(exchanges.keys) { cancel(Ticket(id: id)) } }

    // MARK: Ends

    private func forget(_ running: RunningExchange) {
        if let timer = running.timer { loop.cancel(timer) }
        running.timer = nil
    }

    private func remove(_ transfer: CurlTransfer) {
        guard let multi = unsafe multi, let pointer = unsafe transfer.pointer else { return }
        unsafe ccurl_multi_remove(multi, pointer)
    }

    private func tellEnds() {
        guard let multi = unsafe multi else { return }
        var end = CCURL_DONE
        while let pointer = unsafe ccurl_multi_take_ended(multi, &end) {
            let transfer = unsafe CurlTransfer.of(pointer)
            guard let running = exchanges.removeValue(forKey: ObjectIdentifier(transfer)) else { continue }
            forget(running)
            transfer.handler.exchangeEnded(Self.end(end, transfer), transfer.report)
        }
    }

    private static func end(_ end: ccurl_end, _ transfer: CurlTransfer) -> ExchangeEnd {
        let error: OriginError
        switch end {
        case CCURL_DONE:
            // A connection that ends before any head is no answer.
            guard transfer.hasBegun else { return .failed(.notHTTP, log: "no head") }
            return .complete
        case CCURL_NAME: error = .nameUnknown
        case CCURL_CONNECT: error = .unreachable
        case CCURL_FORBIDDEN: error = .addressForbidden
        case CCURL_TLS: error = .tlsFailed
        case CCURL_TIMEOUT: error = transfer.hasPlace ? .timedOut : .busy
        case CCURL_BROKEN: error = .broken
        case CCURL_STOPPED: error = transfer.fault ?? .cancelled
        case CCURL_PROTOCOL: error = .notHTTP
        case CCURL_NO_MEMORY: error = .noMemory
        case CCURL_LONG_HEAD: error = .headTooLarge
        case CCURL_CREDENTIALS: error = .credentialsUnusable
        default: error = .broken
        }
        return .failed(error, log: transfer.log)
    }

    /// The exchange has a connection, or makes one: from now on the origin is waited for.
    private func proceed(_ running: RunningExchange, _ isReady: Bool) {
        // An exchange that was broken off.
        guard exchanges[ObjectIdentifier(running.transfer)] === running else { return }
        let now = loop.clock.monotonic()
        let deadline = running.deadline ?? now + running.limits.firstByte
        running.deadline = deadline
        forget(running)
        running.timer = loop.schedule(at: isReady ? deadline : min(deadline, now + running.limits.connect), running)
    }

    fileprivate func isLate(_ running: RunningExchange) {
        running.timer = nil
        guard !running.transfer.hasBegun else { return }
        exchanges[ObjectIdentifier(running.transfer)] = nil
        remove(running.transfer)
        let end: ExchangeEnd =
            running.transfer.hasPlace
            ? .failed(.timedOut, log: "no answer in time") : .failed(.busy, log: "no connection in time")
        running.transfer.handler.exchangeEnded(end, running.transfer.report)
    }

    // MARK: The loop's side

    fileprivate func ready(_ descriptor: Int32, _ readiness: Readiness) {
        guard let multi = unsafe multi else { return }
        unsafe ccurl_multi_ready(
            multi, descriptor, !readiness.isDisjoint(with: [.readable, .peerClosed]), readiness.contains(.writable),
            readiness.contains(.failed))
        watches[descriptor]?.watchAgain()
        tellEnds()
    }

    fileprivate func timePassed() {
        timer = nil
        guard let multi = unsafe multi else { return }
        unsafe ccurl_multi_time_passed(multi)
        tellEnds()
    }

    // MARK: libcurl's side

    fileprivate func watch(_ descriptor: Int32, _ interest: PollInterest) {
        if interest.isEmpty {
            watches.removeValue(forKey: descriptor)?.end()
        } else if let watch = watches[descriptor] {
            watch.interest = interest
            watch.watchAgain()
        } else if let watch = SocketWatch(descriptor, interest, on: loop, for: self) {
            watches[descriptor] = watch
        }
    }

    fileprivate func wait(milliseconds: Int) {
        if let timer { loop.cancel(timer) }
        timer = milliseconds < 0 ? nil : loop.schedule(at: loop.clock.monotonic() + .milliseconds(milliseconds), alarm)
    }
}

private final class RunningExchange: EventHandler {
    let transfer: CurlTransfer
    let limits: ExchangeLimits
    var timer: TimerToken?
    /// Of the first byte; nil while it waits for a connection.
    var deadline: MonotonicInstant?
    private weak let fetch: FetchLoop?

    init(_ transfer: CurlTransfer, _ limits: ExchangeLimits, _ fetch: FetchLoop) {
        self.transfer = transfer
        self.limits = limits
        self.fetch = fetch
    }

    func handle(_ readiness: Readiness, on loop: EventLoop) {}
    func timerFired(_ timer: TimerToken, on loop: EventLoop) { fetch?.isLate(self) }
}

/// The time that libcurl asked for.
private final class Alarm: EventHandler {
    private weak let fetch: FetchLoop?

    init(_ fetch: FetchLoop) { self.fetch = fetch }
    func handle(_ readiness: Readiness, on loop: EventLoop) {}
    func timerFired(_ timer: TimerToken, on loop: EventLoop) { fetch?.timePassed() }
}

private final class SocketWatch: EventHandler {
    var interest: PollInterest
    private let descriptor: Int32
    private weak let fetch: FetchLoop?
    private let loop: EventLoop
    private var token: EventToken?

    /// Nil if the loop cannot watch it; libcurl's own deadlines then end the exchange.
    init?(_ descriptor: Int32, _ interest: PollInterest, on loop: EventLoop, for fetch: FetchLoop) {
        self.descriptor = descriptor
        self.interest = interest
        self.fetch = fetch
        self.loop = loop
        guard let token = try? loop.add(descriptor, interest, self) else { return nil }
        self.token = token
    }

    func watchAgain() { if let token { try? loop.modify(token, interest) } }

    func end() {
        if let token { loop.remove(token) }
        token = nil
    }

    func handle(_ readiness: Readiness, on loop: EventLoop) { fetch?.ready(descriptor, readiness) }
}

private func fetchLoop(_ context: UnsafeMutableRawPointer?) -> FetchLoop {
    guard let context = unsafe context else { preconditionFailure("a multi without its context") }
    return unsafe Unmanaged<FetchLoop>.fromOpaque(context).takeUnretainedValue()
}
