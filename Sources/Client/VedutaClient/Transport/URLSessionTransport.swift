import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// On Linux `URLSession.data(for:)` hangs the process when its task is cancelled under load: `cancel`, `resume` and the making of
// tasks each wait for a queue that all sessions share, and its continuation may be resumed twice. Here a delegate session is
// driven from one queue of our own, which nothing else waits for, and each continuation is resumed once, under a lock.
//
// A task that is cancelled while it completes ends the process there ("behaviour for a task that in not in the registry"): the
// session forgets a task after an operation of its delegate queue. So tasks are cancelled by operations of that queue, which runs
// one at a time: an operation that completes a task comes before or after it, and not meanwhile.

/// HTTP by a `URLSession` of its own, without cache, cookies and protocols of the app.
public final class URLSessionTransport: Transport {
    private let delegate = ExchangeDelegate()
    private let session: URLSession
    /// Makes and starts tasks.
    private let queue = DispatchQueue(label: "veduta.transport")
    /// Takes callbacks, and cancels tasks.
    private let callbacks = OperationQueue()

    /// The most connections to one server, and how long to wait for the next byte.
    public init(connections: Int = 8, timeout: Duration = .seconds(30)) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.protocolClasses = []
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.timeoutIntervalForRequest = timeout.seconds
        callbacks.maxConcurrentOperationCount = 1
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: callbacks)
    }

    deinit {
        // The session holds its delegate, and lives until it is told to end.
        queue.async { [session] in session.finishTasksAndInvalidate() }
    }

    /// Sends the request.
    public func exchange(_ request: HTTPRequest, _ events: TransportEvents) async throws -> HTTPResponse {
        let exchange = Exchange(url: request.url, events)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard exchange.begin(continuation) else { return }
                queue.async { [self] in start(exchange, request) }
            }
        } onCancel: {
            exchange.finish(.failure(VedutaError.cancelled))
            // After the task is made, if it is made at all.
            queue.async { [callbacks] in callbacks.addOperation { exchange.takeTask()?.cancel() } }
        }
    }

    private func start(_ exchange: Exchange, _ request: HTTPRequest) {
        guard !exchange.isFinished else { return }
        var sent = URLRequest(url: request.url)
        sent.httpMethod = request.method
        for (name, value) in request.fields where name != HTTPRequest.hopField {
            sent.setValue(value, forHTTPHeaderField: name)
        }
        if let timeout = request.timeout { sent.timeoutInterval = timeout.seconds }
        let task: URLSessionTask
        switch request.content {
        case .none: task = session.dataTask(with: sent)
        case .data(let data): task = session.uploadTask(with: sent, from: data)
        case .file(let file): task = session.uploadTask(with: sent, fromFile: file)
        }
        delegate.add(exchange, for: task)
        exchange.setTask(task)
        task.resume()
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// One request under way. Its continuation is resumed once, by whoever finishes it first; nothing is told after that.
private final class Exchange: Sendable {
    private struct State {
        var continuation: CheckedContinuation<HTTPResponse, any Error>?
        var task: URLSessionTask?
        var response: HTTPResponse
        var expected: Int64?
        var byteCount: Int64 = 0
        /// Whether content was sent or a head has come: the connection was there.
        var wasConnected = false
        var isFinished = false
    }

    let events: TransportEvents
    private let state: Mutex<State>

    init(url: URL, _ events: TransportEvents) {
        self.events = events
        state = Mutex(State(response: HTTPResponse(url: url, status: 0)))
    }

    var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Whether it may start: it was not cancelled before.
    func begin(_ continuation: CheckedContinuation<HTTPResponse, any Error>) -> Bool {
        let isFinished = state.withLock { state in
            if !state.isFinished { state.continuation = continuation }
            return state.isFinished
        }
        if isFinished { continuation.resume(throwing: VedutaError.cancelled) }
        return !isFinished
    }

    func setTask(_ task: URLSessionTask) {
        let held = UncheckedTask(task: task)
        state.withLock { $0.task = held.task }
    }

    func takeTask() -> URLSessionTask? { state.withLock { UncheckedTask(task: $0.task.take()) }.task }

    func receive(head: HTTPResponse, expected: Int64?) {
        let isOpen = state.withLock { state in
            state.wasConnected = true
            if !state.isFinished { (state.response, state.expected) = (head, expected) }
            return !state.isFinished
        }
        if isOpen { events.head?(head) }
    }

    func send(byteCount: Int64, of total: Int64) {
        let isOpen = state.withLock { state in
            state.wasConnected = true
            return !state.isFinished
        }
        if isOpen { events.sent?(byteCount, total) }
    }

    func receive(_ data: Data) {
        let gathers = events.received == nil
        let counts: (Int64, Int64?)? = state.withLock { state in
            state.byteCount += Int64(data.count)
            guard !state.isFinished else { return nil }
            if gathers { state.response.content.append(data) }
            return (state.byteCount, state.expected)
        }
        guard let counts else { return }
        if let received = events.received { received(data) } else { events.progress?(counts.0, counts.1) }
    }

    /// Finishes with what the session says went wrong.
    func fail(_ error: any Error) {
        let error = VedutaError.wrapping(error)
        #if canImport(FoundationNetworking)
            // A connection that breaks has no code of its own there: it is `badServerResponse` before an answer and `unknown` within
            // one. Failures of TLS are `unknown` too, but nothing has come or gone by then.
            if case .transport(let cause) = error {
                let wasConnected = state.withLock { $0.wasConnected || $0.response.url.scheme == "http" }
                if cause.code == .badServerResponse || cause.code == .unknown && wasConnected {
                    return finish(.failure(VedutaError.transport(URLError(.networkConnectionLost))))
                }
            }
        #endif
        finish(.failure(error))
    }

    func finish(_ result: Result<Void, any Error>) {
        let (continuation, response) = state.withLock { state in
            state.isFinished = true
            defer { state.response.content = Data() }
            return (state.continuation.take(), state.response)
        }
        continuation?.resume(with: result.map { response })
    }
}

/// A task on its way through a lock. Tasks may be used from any thread: their own queue guards them.
private struct UncheckedTask: @unchecked Sendable {
    let task: URLSessionTask?
}

/// Hands the callbacks of the session to the exchange that they are of.
private final class ExchangeDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let exchanges = Mutex<[Int: Exchange]>([:])

    func add(_ exchange: Exchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    private func exchange(of task: URLSessionTask) -> Exchange? { exchanges.withLock { $0[task.taskIdentifier] } }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.send(byteCount: totalBytesSent, of: totalBytesExpectedToSend)
    }

    /// Linux would send the token to whatever server a redirect names.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(request.withoutSecrets(unlessOf: task.originalRequest?.url))
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse, let url = response.url {
            let expected = response.expectedContentLength
            exchange(of: dataTask)?.receive(
                head: HTTPResponse(url: url, status: response.statusCode, fields: HTTPFields(response)),
                expected: expected >= 0 ? expected : nil)
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        _ = exchange?.takeTask()
        if let error { exchange?.fail(error) } else { exchange?.finish(.success(())) }
    }
}

extension URLRequest {
    /// Without the fields that are meant for one origin (RFC 9110 §15.4) where it goes to another one than `url`.
    func withoutSecrets(unlessOf url: URL?) -> URLRequest {
        guard self.url?.scheme != url?.scheme || self.url?.host() != url?.host() || self.url?.port != url?.port else {
            return self
        }
        var request = self
        for field in ["Authorization", "Cookie"] { request.setValue(nil, forHTTPHeaderField: field) }
        return request
    }
}

extension HTTPFields {
    init(_ response: HTTPURLResponse) {
        self.init([:])
        for case (let name as String, let value as String) in response.allHeaderFields { self[name] = value }
    }
}
