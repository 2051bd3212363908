package import Bytes
package import HTTPMessage
package import Reactor

/// One request to an origin. Redirects are not followed here.
package struct ExchangeRequest: Sendable {
    package var url: OriginURL
    package var method = "GET"
    /// The request target of somebody else's request that is passed on; nil for one of our own.
    ///
    /// It goes out as it is in place of that of `url`, nothing is added to the fields, and the exchange has a connection of
    /// its own: what is not ours to repeat is never sent twice (RFC 9110 §9.2.2).
    package var relayedTarget: String?
    /// What to send beside `Host` and what framing needs.
    package var fields = Fields()
    /// What identifies us to this origin, and it to us.
    package var credentials = ExchangeCredentials()
    /// Content to send; nil for none. With `HEAD` there can be none.
    package var content: ExchangeContent?
    package var limits = ExchangeLimits()
    /// What signs it as it is sent, where its URL is of that origin.
    var signer: S3Signer?

    /// A GET of `url` without further fields.
    package init(_ url: OriginURL) {
        self.url = url
    }
}

/// Content that goes with a request.
package enum ExchangeContent: Sendable {
    case bytes(SharedBytes)
    /// All of a file, which is read on the fetch thread, a piece at a time.
    case file(SharedFile)

    package var byteCount: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(let file): file.byteCount
        }
    }
}

/// Credentials of one exchange; empty strings never occur.
package struct ExchangeCredentials: Sendable, Equatable {
    /// `user:password`, for Basic or, with `signature`, the key's id and the key.
    package var userPassword: String?
    /// What requests are signed for: `aws:amz:REGION:SERVICE` (AWS Signature Version 4).
    package var signature: String?
    /// Path of certificates to trust in place of the system's, in PEM.
    package var trustFile: String?
    /// Paths of a client certificate and its key, in PEM.
    package var certificateFile: String?
    package var keyFile: String?
    /// Public keys of which the origin must have one: `sha256//…`, separated by semicolons.
    package var pinnedKeys: String?

    package init() {}
}

/// How long an exchange may take.
package struct ExchangeLimits: Sendable, Equatable {
    /// Looking up the name, connecting and the handshake.
    package var connect = Duration.seconds(5)
    /// From the start until the first byte of the answer.
    package var firstByte = Duration.seconds(15)
    package var total = Duration.seconds(60)
    /// Fewer bytes a second than this for `slowFor` end it; 0: never.
    package var slowBytesPerSecond = 1_024
    /// See `slowBytesPerSecond`; whole seconds.
    package var slowFor = Duration.seconds(15)
    /// Bytes of a head, and of a trailer.
    package var headBytes = 65_536

    package init() {}
}

/// How an exchange ended.
package enum ExchangeEnd: Equatable, Sendable {
    case complete
    /// It did not; the log text is for operators.
    case failed(OriginError, log: String)
}

/// Figures of an exchange that ended.
package struct ExchangeReport: Sendable, Equatable {
    /// Until the name was known, the connection stood, it was secured, the first byte came, and all of it; zero where it did
    /// not come to that.
    package var name = Duration.zero
    package var connect = Duration.zero
    package var secured = Duration.zero
    package var firstByte = Duration.zero
    package var total = Duration.zero
    /// Connections that were opened for it; none when one was used again.
    package var newConnections = 0
    /// Whether HTTP/2 was spoken.
    package var isHTTP2 = false
    /// The address it went to; empty where there was none.
    package var address = ""
}

/// Told, on the fetch thread, what comes of an exchange. A class, so that it may hold what it gathers.
package protocol ExchangeHandler: AnyObject {
    /// The head of an interim answer (1xx); more follow, or the final one. Whoever takes no interest is told nothing.
    func exchangeInterim(_ interim: ResponseHead)
    /// The head of the final answer. False breaks the exchange off.
    func exchangeBegan(_ head: ResponseHead) -> Bool
    /// More of the content, never empty. False breaks the exchange off.
    func exchangeReceived(_ data: RawSpan) -> Bool
    /// The end; nothing is told after it.
    func exchangeEnded(_ end: ExchangeEnd, _ report: ExchangeReport)
}

extension ExchangeHandler {
    package func exchangeInterim(_ interim: ResponseHead) {}
}
