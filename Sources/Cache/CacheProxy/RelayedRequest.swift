import Bytes
import HTTPMessage
import HTTPServer
import Origin
import ResponseCache

struct RelayedRequest: Sendable {
    /// Our name in Via; a token.
    static let pseudonym = "veduta-cache"

    let rule: CacheRequest
    /// Whether Max-Forwards is 0 (RFC 9110 §7.6.2).
    private(set) var isForUs = false
    private let method: String
    private let target: String
    private let host: String?
    private let version: HTTPVersion
    private let content: ExchangeContent?
    private var maxForwards: Int?

    /// One of our own, passed on like the others.
    init(_ rule: CacheRequest) {
        self.rule = rule
        (method, target, host, version, content) =
            ("\(rule.method.name)", rule.uri.target, rule.fields.first(.host), .http11, nil)
    }

    /// Nil for what no reverse proxy passes on: CONNECT, and targets without a resource.
    init?(_ request: Request, _ upstream: OriginURL) {
        let head = request.head
        let authority = head.authority ?? String("\(upstream.origin)".dropFirst("http://".count))
        let isForAll = head.target.form == .asterisk
        let place = isForAll ? "/" : head.target.form == .origin ? head.targetText : nil
        let named = place.flatMap { TargetURI("http://\(authority)\($0)") }
        let whole = head.target.form == .absolute ? TargetURI(head.targetText) : nil
        guard head.method != .connect, let uri = named ?? whole else { return nil }
        rule = CacheRequest(head.method, uri, head.fields, hasContent: head.hasContent)
        (method, host, version) = (head.methodText, authority, head.version)
        target = isForAll ? "*" : uri.target
        switch request.content {
        case .bytes(let bytes): content = .bytes(bytes)
        case .file(let file): content = .file(file)
        // Announced empty content is announced again; keepers are not given out.
        case .none, .kept:
            content = head.fields.contains(.contentLength) && !head.method.isSafe ? .bytes(.init([])) : nil
        }
        guard head.method == .options || head.method == .trace else { return }
        maxForwards = head.fields.first("Max-Forwards").flatMap { Int($0) }
        isForUs = maxForwards == 0
    }

    func makeExchange(to upstream: OriginURL, _ fields: Fields?) -> ExchangeRequest {
        var exchange = ExchangeRequest(upstream)
        (exchange.method, exchange.relayedTarget) = (method, target)
        exchange.content = rule.method.isHead ? nil : content
        exchange.limits.connect = .seconds(60)
        exchange.limits.firstByte = .seconds(90)
        exchange.limits.total = .seconds(110)
        exchange.limits.slowBytesPerSecond = 0
        var sent = (fields ?? rule.fields).removingConnectionFields().removing([.host, .contentLength, .expect])
        if let host { sent.append(.host, host) }
        if let maxForwards {
            sent = sent.removing(["Max-Forwards"])
            sent.append("Max-Forwards", "\(max(0, maxForwards - 1))")
        }
        sent.append(.via, "\(version == .http10 ? "1.0" : "1.1") \(Self.pseudonym)")
        exchange.fields = sent
        return exchange
    }
}
