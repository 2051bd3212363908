import HTTPMessage

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
    private var isOver = false

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
            ticket = exchanges.start(request, self)
            if ticket == nil { finish(.failure(.noMemory)) }
        }
    }

    func cancel() {
        guard !isOver else { return }
        if let ticket { exchanges.cancel(ticket) }
        finish(.failure(.cancelled))
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
            finish(.success(Exchanged(head: head, headTime: headTime, content: content)))
        case .failed(let error, _): finish(.failure(fault ?? error))
        }
    }
}
