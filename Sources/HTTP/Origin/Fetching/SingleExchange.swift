import HTTPMessage

/// One request and its answer, in memory.
final class SingleExchange: ExchangeHandler {
    private let exchanges: FetchLoop
    private let byteLimit: Int
    private let onInterim: (@Sendable (ResponseHead) -> Void)?
    private let completion: (Result<Exchanged, OriginError>) -> Void
    private var ticket: FetchLoop.Ticket?
    private var head: ResponseHead?
    private var headTime: Int64 = 0
    private var content: [UInt8] = []
    private var fault: OriginError?
    private var answer: Exchanged?
    private var isOver = false
    /// Called with the status of an answer in place of its end; ``accept()`` or another ``begin(_:)`` follows.
    var onAnswer: ((Status) -> Void)?

    init(
        byteLimit: Int, on exchanges: FetchLoop, onInterim: (@Sendable (ResponseHead) -> Void)?,
        completion: @escaping (Result<Exchanged, OriginError>) -> Void
    ) {
        self.byteLimit = byteLimit
        self.exchanges = exchanges
        self.onInterim = onInterim
        self.completion = completion
    }

    func begin(_ request: Result<ExchangeRequest, OriginError>) {
        guard !isOver else { return }
        switch request {
        case .failure(let error): finish(.failure(error))
        case .success(let request):
            (head, content, fault, answer) = (nil, [], nil, nil)
            ticket = exchanges.start(request, self)
            if ticket == nil { finish(.failure(.noMemory)) }
        }
    }

    func cancel() {
        guard !isOver else { return }
        if let ticket { exchanges.cancel(ticket) }
        finish(.failure(.cancelled))
    }

    /// The answer counts.
    func accept() {
        if !isOver, let answer { finish(.success(answer)) }
    }

    private func finish(_ result: Result<Exchanged, OriginError>) {
        isOver = true
        ticket = nil
        completion(result)
    }

    // MARK: ExchangeHandler

    func exchangeInterim(_ interim: ResponseHead) { onInterim?(interim) }

    func exchangeBegan(_ head: ResponseHead) -> Bool {
        self.head = head
        headTime = exchanges.unixSeconds
        return true
    }

    func exchangeReceived(_ bytes: RawSpan) -> Bool {
        guard content.count + bytes.byteCount <= byteLimit else {
            fault = .tooLarge(limit: byteLimit)
            return false
        }
        unsafe bytes.withUnsafeBytes { unsafe content += $0 }
        return true
    }

    func exchangeEnded(_ end: ExchangeEnd, _ report: ExchangeReport) {
        switch end {
        case .complete:
            guard let head else { return finish(.failure(.notHTTP)) }
            ticket = nil
            answer = Exchanged(head: head, headTime: headTime, content: content)
            if let onAnswer { onAnswer(head.status) } else { accept() }
        case .failed(let error, _): finish(.failure(fault ?? error))
        }
    }
}
