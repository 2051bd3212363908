package import HTTPMessage

/// A GET that follows redirects, tries again and resumes.
package struct FetchRequest: Sendable {
    package var url: OriginURL
    /// What to send beside what every fetch sends: `Accept`, and validators of what is held (`If-None-Match`,
    /// `If-Modified-Since`), which make 304 an answer.
    package var fields = Fields()
    /// What to send besides, to the origin of `url` alone: after a redirect elsewhere it is left out.
    package var originFields = Fields()
    package var byteLimit: Int
    /// The part that is wanted; nil: everything.
    package var range: FetchRange?
    /// Whether content may come compressed with gzip; it is handed on as it comes, and whoever decompresses it has a limit.
    package var takesGzip = false
    /// What signs it as long as it is at the origin it begins with; see `S3Storage`.
    var signer: S3Signer?

    /// A fetch of `url` of at most `byteLimit` bytes.
    package init(_ url: OriginURL, byteLimit: Int) {
        self.url = url
        self.byteLimit = byteLimit
    }
}

/// A part of a representation (RFC 9110 §14). A success is 206 with just these bytes, less what lies past the end. With it a
/// broken transfer starts over.
package struct FetchRange: Sendable, Equatable {
    /// From the first byte to before the last; not empty.
    package var bytes: Range<Int>
    /// An origin may answer 200 with everything: at most this many bytes of that are taken; 0: such an answer is refused, as
    /// ``OriginError/status(_:)``.
    package var wholeLimit: Int

    /// A part; `bytes` must not be empty.
    package init(_ bytes: Range<Int>, wholeLimit: Int = 0) {
        self.bytes = bytes
        self.wholeLimit = wholeLimit
    }
}

/// How long to try, and how often.
package struct FetchLimits: Sendable, Equatable {
    package var exchange = ExchangeLimits()
    /// From the start to the end, all attempts and waits between them.
    package var total = Duration.seconds(60)
    package var redirects = 5
    /// Attempts at one URL, the first included.
    package var attempts = 3
    /// The wait before the second attempt, doubled for each further one; half of it is left to chance.
    package var backoff = Duration.milliseconds(200)
    /// The longest wait that an origin may ask for by `Retry-After` while somebody waits for the answer.
    package var patience = Duration.seconds(5)

    package init() {}
}

/// What came of a fetch.
package struct Fetched: Sendable, Equatable {
    /// The head of the last answer: 200, 206 where a part was asked for, or 304 where validators were sent.
    package let head: ResponseHead
    /// Where it came from, after redirects.
    package let url: OriginURL
    /// Bytes of content that the sink got.
    package let byteCount: Int
    package let exchangeCount: Int

    /// Whether what is held is still right.
    package var isNotModified: Bool { head.status == .notModified }
}

/// What came of one exchange: the whole of an answer.
package struct Exchanged: Sendable, Equatable {
    package let head: ResponseHead
    /// When the head arrived, in seconds since 1970.
    package let headTime: Int64
    package let content: [UInt8]
}

/// Gets the content of a fetch, on the fetch thread.
package protocol FetchSink: AnyObject, Sendable {
    /// The content of an answer begins; called again when an attempt has to start over, and what came before is void then.
    /// False ends the fetch with ``OriginError/notKept``.
    func began(_ head: ResponseHead) -> Bool
    /// More content. False ends the fetch.
    func received(_ bytes: RawSpan) -> Bool
}
