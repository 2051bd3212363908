// All that maps get of other servers passes here, and through the Fetcher: its list of origins, its address policy, its
// limits and its circuit breakers. Workers wait on a condition for what the fetch thread brings; whoever wants the same
// waits for the same request. What came is kept in bounded memory by the rules of a shared cache.
package import Bytes
package import HTTPMessage
package import MapRender
package import Origin
package import Reactor
import Tiles

/// What maps get of other servers: tiles, parts of archives, styles, sprites, glyphs and documents.
///
/// Any number of threads may ask; calls wait for the network, but no longer than ``Rules/patience``, and not when the origin
/// has just failed.
package final class RemoteAccess: Sendable {
    let rules: Rules
    let clock: Clock
    let log: @Sendable (String) -> Void
    private let fetcher: Fetcher
    private let fields: Fields
    private let table: Monitor<RemoteTable>

    /// Access by `fetcher`, whose settings say who may be asked and what is said of us there.
    ///
    /// - `fields`: what every request has beside its own, such as `Via`.
    /// - `log`: gets lines for operators, without addresses that may hold keys; any thread.
    package init(
        _ fetcher: Fetcher, rules: Rules = Rules(), fields: Fields = Fields(), clock: Clock = .system,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.fetcher = fetcher
        self.rules = rules
        self.fields = fields
        self.clock = clock
        self.log = log
        table = Monitor(RemoteTable(rules))
    }

    /// The bytes that are kept in memory.
    package var keptByteCount: Int { table.withLock { $0.keptByteCount } }

    /// How many requests run or wait for their turn.
    package var requestCount: Int { table.withLock { $0.requestCount } }

    /// The bytes at an `http` or `https` address, decompressed; nil where there is nothing. What came before and is still
    /// fresh costs no request. An error names the origin alone: keys stand in paths and queries.
    package func bytes(
        at address: String, shouldStop: () -> Bool = { false }
    ) throws(ResourceError) -> SharedBytes? {
        let url: OriginURL
        do throws(OriginURLFault) {
            url = try OriginURL(address)
        } catch {
            throw .failed("\(MapFault.place(of: address).prefix(100)): no address that may be fetched (\(error))")
        }
        let want = RemoteWant(key: .whole(url, fields: []), origin: url.origin)
        let outcome = obtain([want], shouldStop: shouldStop) { claims in claims.map { whole($0, url) } }[want.key]
        return try content(of: outcome, "\(url.origin)")
    }

    /// What an outcome is for a picture; `name` says of what.
    func content(of outcome: RemoteOutcome?, _ name: String) throws(ResourceError) -> SharedBytes? {
        switch outcome {
        case .found(let bytes)?:
            do throws(TileError) {
                return try VectorTile.decompressed(bytes, limit: rules.byteLimit)
            } catch {
                throw .failed("\(name): it cannot be decompressed, or has more than \(rules.byteLimit) bytes")
            }
        case .absent?: return nil
        case .failed(let failure)?: throw failure.resourceError(name)
        case nil: throw .cancelled
        }
    }

    /// A request for everything at an address.
    func whole(_ claim: RemoteClaim, _ url: OriginURL, _ fields: Fields = Fields()) -> RemoteRequest {
        var fetch = FetchRequest(url, byteLimit: rules.byteLimit)
        fetch.takesGzip = true
        fetch.originFields = fields
        if let held = claim.held { fetch.fields.append(held.conditions) }
        return RemoteRequest(fetch: fetch, claims: [claim]) { [rules] answer in
            [Self.landing(answer, held: claim.held, rules)]
        }
    }

    private static func landing(_ answer: RemoteAnswer, held: RemoteKept?, _ rules: Rules) -> RemoteLanding {
        switch answer.result {
        case .success(let fetched) where fetched.isNotModified:
            guard let held else { return .pass(.failed(.origin(.notHTTP))) }
            return .keep(
                held.freshened(
                    by: fetched.head, requestTime: answer.requestTime, responseTime: answer.responseTime, rules))
        case .success(let fetched):
            let outcome = RemoteOutcome.found(answer.content)
            let kept = RemoteKept(
                outcome, fetched.head, requestTime: answer.requestTime, responseTime: answer.responseTime, rules)
            return kept.map { .keep($0) } ?? .pass(outcome)
        case .failure(.notFound):
            return .keep(RemoteKept(.absent, until: answer.responseTime + Int64(rules.absence)))
        case .failure(.status(204)):
            let nothing = RemoteOutcome.found(SharedBytes([]))
            return .keep(RemoteKept(nothing, until: answer.responseTime + Int64(rules.absence)))
        case .failure(let error): return .pass(.failed(.origin(error)))
        }
    }
}

extension RemoteAccess {
    /// What there is of each of `wants`, by its key: kept, awaited or asked for by the requests that `plan` makes of the
    /// claims. `waits` false: nothing but what is kept is returned, and the rest is on its way.
    ///
    /// Waits for at most ``Rules/patience``; `shouldStop` is asked all the while.
    func obtain(
        _ wants: [RemoteWant], waits: Bool = true, shouldStop: () -> Bool = { false },
        _ plan: ([RemoteClaim]) -> [RemoteRequest]
    ) -> [RemoteKey: RemoteOutcome] {
        var outcomes: [RemoteKey: RemoteOutcome] = [:]
        var awaited: [UInt64: RemoteWant] = [:]
        var claims: [RemoteClaim] = []
        var owed: Set<UInt64> = []
        let (now, instant) = (clock.unixSeconds(), clock.monotonic())
        let findings = table.withLock { table in
            wants.map { table.find($0, isOwed: !waits, now: now, instant: instant) }
        }
        for (want, finding) in zip(wants, findings) {
            switch finding {
            case .known(let outcome): outcomes[want.key] = outcome
            case .awaited(let number): awaited[number] = want
            case .claimed(let claim):
                awaited[claim.number] = want
                claims.append(claim)
            case .refreshed(let outcome, let claim):
                outcomes[want.key] = outcome
                claims.append(claim)
                owed.insert(claim.number)
            }
        }
        for request in claims.isEmpty ? [] : plan(claims) {
            let isOwed = !waits || request.claims.contains { owed.contains($0.number) }
            let steps = table.withLock {
                $0.submit(request.with(fields), isOwed: isOwed, now: now, instant: instant)
            }
            take(steps)
        }
        guard waits, !awaited.isEmpty else { return outcomes }
        for (number, outcome) in wait(for: awaited, until: instant + rules.patience, shouldStop) {
            if let want = awaited[number] { outcomes[want.key] = outcome }
        }
        return outcomes
    }

    /// How often who waits looks whether it is still wanted.
    private static var interval: Duration { .milliseconds(50) }

    private func wait(
        for awaited: [UInt64: RemoteWant], until deadline: MonotonicInstant, _ shouldStop: () -> Bool
    ) -> [UInt64: RemoteOutcome] {
        let numbers = Array(awaited.keys)
        var cause = RemoteFailure.cancelled
        while !shouldStop() {
            if let outcomes = table.wait(forAtMost: Self.interval, until: { $0.collect(numbers) }) { return outcomes }
            if clock.monotonic() >= deadline {
                cause = .tooSlow
                break
            }
        }
        let isTooSlow = cause == .tooSlow
        let (now, instant) = (clock.unixSeconds(), clock.monotonic())
        var (outcomes, steps) = table.withLock { $0.leave(numbers, isOwed: isTooSlow) }
        take(steps)
        let late = awaited.filter { outcomes[$0.key] == nil }
        if isTooSlow {
            for origin in Set(late.values.map(\.origin)) { rest(origin, now: now, instant: instant) }
        }
        for (number, want) in late {
            outcomes[number] = table.withLock { $0.standIn(want.key, cause, now: now) }
        }
        return outcomes
    }

    private func rest(_ origin: OriginURL.Origin, now: Int64, instant: MonotonicInstant) {
        log("\(origin) is too slow for maps and left alone for \(rules.rest)")
        table.withLock { $0.rest(origin, rules.rest, now: now, instant: instant) }
        table.broadcast()
    }

    // MARK: Requests

    private func take(_ steps: [RemoteTable.Step]) {
        for step in steps {
            switch step {
            case .cancel(let ticket): fetcher.cancel(ticket)
            case .start(let number, let fetch): start(number, fetch)
            }
        }
    }

    private func start(_ number: UInt64, _ fetch: FetchRequest) {
        let sink = RemoteSink()
        let requestTime = clock.unixSeconds()
        let ticket = fetcher.fetch(fetch, into: sink) { [self] result in
            let answer = RemoteAnswer(
                result: result, content: sink.take(), requestTime: requestTime, responseTime: clock.unixSeconds())
            landed(number, fetch.url.origin, answer)
        }
        if !table.withLock({ $0.sent(number, as: ticket) }) { fetcher.cancel(ticket) }
    }

    /// On the fetch thread.
    private func landed(_ number: UInt64, _ origin: OriginURL.Origin, _ answer: RemoteAnswer) {
        let landings = table.withLock { $0.request(number) }?.read(answer) ?? []
        let failure: RemoteFailure? = if case .failure(let error) = answer.result { .origin(error) } else { nil }
        let (now, instant) = (clock.unixSeconds(), clock.monotonic())
        let steps = table.withLock {
            $0.landed(number, at: origin, landings, failure: failure, now: now, instant: instant)
        }
        table.broadcast()
        take(steps)
    }
}

extension RemoteRequest {
    /// The same with further fields.
    fileprivate func with(_ fields: Fields) -> RemoteRequest {
        var request = self
        request.fetch.fields.append(fields)
        return request
    }
}
