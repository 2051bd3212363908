package import Bytes
package import HTTPMessage
package import Reactor

/// One request to an origin, without redirects.
package struct ExchangeRequest: Sendable {
    package var url: OriginURL
    package var method = "GET"
    /// Relays another's target as it came, with no fields of ours, on an own connection: never sent twice (RFC 9110 §9.2.2).
    package var relayedTarget: String?
    package var fields = Fields()
    package var credentials = ExchangeCredentials()
    /// None for `HEAD`.
    package var content: ExchangeContent?
    package var limits = ExchangeLimits()
    var signer: S3Signer?
    /// In place of the fetcher's; no other exchange uses the connection.
    var addresses: AddressPolicy?

    package init(_ url: OriginURL) { self.url = url }

    /// Whether it may be sent again with other credentials: a whole file may be gigabytes.
    var mayBeSignedAgain: Bool {
        if case .file? = content { return false }
        return signer != nil
    }
}

package enum ExchangeContent: Sendable {
    case bytes(SharedBytes)
    /// A whole file, read on the fetch thread a piece at a time.
    case file(SharedFile)
    /// A part of a file, read in the same way.
    case part(SharedFile, Range<Int>)

    package var byteCount: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(let file): file.byteCount
        case .part(_, let range): range.count
        }
    }

    /// The file that it is in, and where it begins there; nil for bytes.
    var source: (file: SharedFile, start: Int)? {
        switch self {
        case .bytes: nil
        case .file(let file): (file, 0)
        case .part(let file, let range): (file, range.lowerBound)
        }
    }
}

/// Credentials of one exchange; empty strings never occur.
package struct ExchangeCredentials: Sendable, Equatable {
    /// `user:password` for Basic; with `signature`, the key's id and the key.
    package var userPassword: String?
    /// `aws:amz:REGION:SERVICE` (AWS Signature Version 4).
    package var signature: String?
    /// Certificates to trust instead of the system's; all three files are PEM.
    package var trustFile: String?
    package var certificateFile: String?
    package var keyFile: String?
    /// `sha256//…` of public keys, separated by semicolons; the origin must have one of them.
    package var pinnedKeys: String?

    package init() {}
}

package struct ExchangeLimits: Sendable, Equatable {
    /// For one of our connections: other exchanges have all of them. Beyond it: ``OriginError/busy``.
    package var wait = Duration.seconds(15)
    /// Name look-up, connecting and the handshake.
    package var connect = Duration.seconds(5)
    /// From the end of the wait to the first byte of the answer.
    package var firstByte = Duration.seconds(15)
    /// Of everything, the wait included.
    package var total = Duration.seconds(60)
    /// Fewer bytes a second than this for `slowFor` end the exchange; 0: never.
    package var slowBytesPerSecond = 1_024
    package var slowFor = Duration.seconds(15)
    /// Of a head and of a trailer.
    package var headBytes = 65_536

    package init() {}
}

package enum ExchangeEnd: Equatable, Sendable {
    case complete
    /// The log text is for operators.
    case failed(OriginError, log: String)
}

package struct ExchangeReport: Sendable, Equatable {
    /// From the start to name, connection, security, first byte and end; zero for what did not happen.
    package var name = Duration.zero
    package var connect = Duration.zero
    package var secured = Duration.zero
    package var firstByte = Duration.zero
    package var total = Duration.zero
    /// 0 when a connection was reused.
    package var newConnections = 0
    package var isHTTP2 = false
    /// Empty if no address was connected to.
    package var address = ""
}

/// Follows an exchange, on the fetch thread. A class, so that it may hold what it gathers.
package protocol ExchangeHandler: AnyObject {
    /// An interim head (1xx); the default ignores it.
    func exchangeInterim(_ interim: ResponseHead)
    /// The final head. False breaks the exchange off.
    func exchangeBegan(_ head: ResponseHead) -> Bool
    /// Content, never empty. False breaks the exchange off.
    func exchangeReceived(_ data: RawSpan) -> Bool
    /// The last call.
    func exchangeEnded(_ end: ExchangeEnd, _ report: ExchangeReport)
}

extension ExchangeHandler {
    package func exchangeInterim(_ interim: ResponseHead) {}
}
