import HTTPMessage
import Reactor

/// The course of one fetch. Pure: time and chance are passed in.
struct FetchState {
    enum Action: Equatable {
        case ask(OriginURL, after: Duration)
        case finish(Result<Fetched, OriginError>)
    }

    enum Reception: Equatable {
        case takeWhole
        /// It continues where the last attempt broke off.
        case takeRest
        case drop
        case refuse(OriginError)
    }

    /// What decides about another attempt besides the answer; tests choose it.
    struct Moment {
        var now: MonotonicInstant
        var unixSeconds: Int64
        var chance: Double
    }

    private let request: FetchRequest
    private let limits: FetchLimits
    private let origins: OriginList
    let deadline: MonotonicInstant
    private(set) var url: OriginURL
    private var head: ResponseHead?
    private var reception = Reception.drop
    private var redirectCount = 0
    private var attemptCount = 0
    private var exchangeCount = 0
    /// The beginning of a representation from an attempt that broke off.
    private var partial: Partial?
    private var receivedCount = 0
    /// The size of the representation by the answer with the rest.
    private var wholeCount: Int?
    private var droppedCount = 0
    private var partCount: Int?

    private struct Partial {
        var validator: String
        var head: ResponseHead
    }

    /// Bytes of an uninteresting answer that are read to keep the connection.
    private static let dropLimit = 65_536
    private static let waitLimit = Duration.seconds(10)

    init(_ request: FetchRequest, _ limits: FetchLimits, origins: OriginList, now: MonotonicInstant) {
        self.request = request
        self.limits = limits
        self.origins = origins
        url = request.url
        deadline = now + limits.total
    }

    mutating func start() -> Action {
        // The operator, not the client, names what is signed.
        guard request.signer?.origin == url.origin || origins.contains(url.origin) else {
            return .finish(.failure(.originNotAllowed))
        }
        return .ask(url, after: .zero)
    }

    mutating func makeExchange(now: MonotonicInstant) -> ExchangeRequest {
        exchangeCount += 1
        attemptCount += 1
        head = nil
        reception = .drop
        droppedCount = 0
        var exchange = ExchangeRequest(url)
        exchange.limits = limits.exchange
        exchange.limits.total = exchangeTime(now: now)
        exchange.fields = request.fields
        if url.origin == request.url.origin { exchange.fields.append(request.originFields) }
        // A redirect may lead to what we have no name for.
        if url == request.url { exchange.signer = request.signer }
        // Decoding here could meet a bomb; pictures are compressed already.
        exchange.fields.append("Accept-Encoding", takesGzip ? "gzip" : "identity")
        partCount = nil
        if let range = request.range {
            exchange.fields.append("Range", "bytes=\(range.bytes.lowerBound)-\(range.bytes.upperBound - 1)")
        }
        if let partial, receivedCount > 0 {
            exchange.fields = exchange.fields.removing(["if-none-match", "if-modified-since"])
            exchange.fields.append("Range", "bytes=\(receivedCount)-")
            exchange.fields.append("If-Range", partial.validator)
        }
        return exchange
    }

    /// What an exchange that starts now may take; not positive when the time of the fetch is over.
    func exchangeTime(now: MonotonicInstant) -> Duration { min(limits.exchange.total, deadline - now) }

    // MARK: Receiving

    mutating func began(_ head: ResponseHead) -> Reception {
        self.head = head
        reception = receive(head)
        if reception == .takeWhole {
            receivedCount = 0
            partial = resumable(head).map { Partial(validator: $0, head: head) }
        }
        return reception
    }

    private mutating func receive(_ head: ResponseHead) -> Reception {
        switch head.status {
        case .ok:
            if let range = request.range, range.wholeLimit <= 0 { return .refuse(.status(head.status.code)) }
            return takeWhole(head)
        case .partialContent:
            if let range = request.range {
                guard let stated = head.fields.first("content-range").flatMap(ContentRange.init),
                    stated.isAnswer(to: range.bytes)
                else { return .refuse(.notHTTP) }
                partCount = stated.count
                return takeWhole(head)
            }
            guard let partial, receivedCount > 0, let range = head.fields.first("content-range"),
                range.hasPrefix("bytes \(receivedCount)-")
            else { return .refuse(.notHTTP) }
            // A different representation than before, in spite of If-Range.
            if let tag = head.fields.first("etag"), tag != partial.head.fields.first("etag") {
                return .refuse(.notHTTP)
            }
            wholeCount = range.split(separator: "/").last.flatMap { Int($0) }
            return .takeRest
        default: return .drop
        }
    }

    private func takeWhole(_ head: ResponseHead) -> Reception {
        if let coding = head.fields.first("content-encoding")?.lowercased(), coding != "identity",
            !(takesGzip && (coding == "gzip" || coding == "x-gzip"))
        {
            return .refuse(.contentCoded)
        }
        if let length = contentLength(head), length > byteLimit { return .refuse(.tooLarge(limit: byteLimit)) }
        return .takeWhole
    }

    /// A part of compressed content is useless.
    private var takesGzip: Bool { request.takesGzip && request.range == nil }

    /// For the answer that arrives.
    private var byteLimit: Int {
        guard let range = request.range else { return request.byteLimit }
        return partCount ?? range.wholeLimit
    }

    mutating func received(_ count: Int) -> OriginError? {
        guard reception != .drop else {
            droppedCount += count
            return droppedCount > Self.dropLimit ? .cancelled : nil
        }
        receivedCount += count
        return receivedCount > byteLimit ? .tooLarge(limit: byteLimit) : nil
    }

    mutating func ended(_ end: ExchangeEnd, at moment: Moment) -> Action {
        // Dropped content may end in any way.
        if let head, reception == .drop { return follow(head, at: moment) }
        switch end {
        case .complete:
            guard let head else { return .finish(.failure(.notHTTP)) }
            // A part of the rest is not all of it: some origins send only so much at once.
            if reception == .takeRest, let partial {
                let whole = wholeCount ?? contentLength(partial.head)
                if let whole, receivedCount > whole { return .finish(.failure(.notHTTP)) }
                if let whole, receivedCount < whole { return again(.broken, after: .zero, at: moment) }
            }
            if let partCount, receivedCount < partCount { return again(.broken, after: nil, at: moment) }
            return .finish(.success(fetched(partial != nil && reception == .takeRest ? partial?.head ?? head : head)))
        case .failed(.busy, _): return .finish(.failure(.busy))
        case .failed(let error, _):
            guard error.isTransient else { return .finish(.failure(error)) }
            if partial == nil { receivedCount = 0 }
            return again(error, after: nil, at: moment)
        }
    }

    /// Of the last answer, if there was one.
    var status: Status? { head?.status }

    /// What circuit breakers know the request by: the address and the part of it.
    var item: CircuitBreaker.Item {
        var hasher = Hasher()
        hasher.combine(url)
        hasher.combine(request.range?.bytes)
        return CircuitBreaker.Item(hasher.finalize(), wasGiven: request.fields.mayBeConditional)
    }

    /// Whether an end speaks for the health of the origin; nil if it says nothing: we broke it off, or the fault may be that of one
    /// address alone. Gateways tell by 502, 503 and 504 that the server behind them is out of reach.
    func isHealthy(_ end: ExchangeEnd) -> Bool? {
        switch head?.status.code {
        case 502?, 503?, 504?: return false
        case 429?: return nil
        case let code? where code >= 500: return nil
        default: break
        }
        switch end {
        case .complete: return true
        case .failed(.broken, _), .failed(.timedOut, _): return false
        case .failed where head != nil: return true
        case .failed(.addressForbidden, _), .failed(.credentialsUnusable, _), .failed(.noMemory, _),
            .failed(.cancelled, _), .failed(.busy, _):
            return nil
        case .failed: return false
        }
    }

    private mutating func follow(_ head: ResponseHead, at moment: Moment) -> Action {
        let code = head.status.code
        switch code {
        case 304 where request.fields.mayBeConditional: return .finish(.success(fetched(head)))
        case 301, 302, 303, 307, 308:
            guard let location = head.fields.first("location") else { return .finish(.failure(.status(code))) }
            return redirected(to: location)
        case 404, 410: return .finish(.failure(.notFound))
        case 416 where partial != nil:
            // The representation became shorter, or the origin treats ranges in its own way.
            (partial, receivedCount) = (nil, 0)
            return again(.broken, after: .zero, at: moment)
        case 408, 429, 500, 502, 503, 504:
            let pause = head.fields.first("retry-after").flatMap { Self.pause($0, moment.unixSeconds) }
            return again(
                pause.map { .resting(seconds: $0) } ?? .status(code), after: pause.map { .seconds($0) }, at: moment)
        default: return .finish(.failure(.status(code)))
        }
    }

    private mutating func redirected(to location: String) -> Action {
        redirectCount += 1
        guard redirectCount <= limits.redirects else {
            return .finish(.failure(.tooManyRedirects(limit: limits.redirects)))
        }
        do throws(OriginURLFault) {
            url = try url.resolving(location)
        } catch {
            return .finish(.failure(.redirectInvalid(error)))
        }
        guard origins.contains(url.origin) else { return .finish(.failure(.originNotAllowed)) }
        (partial, receivedCount, attemptCount) = (nil, 0, 0)
        return .ask(url, after: .zero)
    }

    /// Another attempt, if time and attempts are left; `pause` is the origin's wish.
    private func again(_ error: OriginError, after pause: Duration?, at moment: Moment) -> Action {
        guard attemptCount < limits.attempts else { return .finish(.failure(error)) }
        let doubled = limits.backoff * (1 << min(attemptCount - 1, 16))
        let wait = pause ?? min(Self.waitLimit, doubled / 2 + doubled * (moment.chance / 2))
        guard wait <= (pause == nil ? Self.waitLimit : limits.patience), moment.now + wait < deadline else {
            return .finish(.failure(error))
        }
        return .ask(url, after: wait)
    }

    private func fetched(_ head: ResponseHead) -> Fetched {
        Fetched(head: head, url: url, byteCount: receivedCount, exchangeCount: exchangeCount)
    }

    // MARK: Fields

    private func contentLength(_ head: ResponseHead) -> Int? { head.fields.first("content-length").flatMap { Int($0) } }

    /// The validator for the rest, if any: a strong tag, or a date old enough to be (RFC 9110 §8.8.2.2, §13.1.5).
    private func resumable(_ head: ResponseHead) -> String? {
        guard request.range == nil, head.fields.first("accept-ranges")?.lowercased() != "none" else { return nil }
        if let text = head.fields.first("etag"), let tag = EntityTag(text) { return tag.isWeak ? nil : tag.text }
        guard let modified = head.fields.first("last-modified"), let date = head.fields.first("date"),
            let modifiedAt = HTTPDate.parse(modified, now: 0), let sentAt = HTTPDate.parse(date, now: 0),
            sentAt - modifiedAt >= 60
        else { return nil }
        return modified
    }

    /// Seconds of `Retry-After` (RFC 9110 §10.2.3): a number or a date.
    private static func pause(_ value: String, _ unixSeconds: Int64) -> Int? {
        if let seconds = Int(value), seconds >= 0 { return min(seconds, 86_400) }
        return HTTPDate.parse(value, now: unixSeconds).map { Int(clamping: max(0, min($0 - unixSeconds, 86_400))) }
    }
}

extension OriginError {
    var isTransient: Bool {
        switch self {
        case .nameUnknown, .unreachable, .timedOut, .busy, .broken: true
        default: false
        }
    }
}
