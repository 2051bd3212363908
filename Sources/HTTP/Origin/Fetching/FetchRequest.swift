package import HTTPMessage

/// A GET that follows redirects, retries and resumes.
package struct FetchRequest: Sendable {
    package var url: OriginURL
    /// Besides those of every fetch: `Accept`, and validators of what is held, which make 304 an answer.
    package var fields = Fields()
    /// Sent to the origin of `url` alone, not after a redirect elsewhere.
    package var originFields = Fields()
    package var byteLimit: Int
    package var range: FetchRange?
    /// Whether content may be compressed with gzip; it stays compressed, and code that decompresses it needs a limit.
    package var takesGzip = false
    /// Signs the request at its first origin; see `S3Storage`.
    var signer: S3Signer?

    package init(_ url: OriginURL, byteLimit: Int) {
        self.url = url
        self.byteLimit = byteLimit
    }
}

/// RFC 9110 §14. The answer is 206 with just these bytes, cut at the end. A broken transfer starts over.
package struct FetchRange: Sendable, Equatable {
    package var bytes: Range<Int>
    /// Bytes taken of a 200 with everything; 0 refuses it with ``OriginError/status(_:)``.
    package var wholeLimit: Int

    package init(_ bytes: Range<Int>, wholeLimit: Int = 0) {
        self.bytes = bytes
        self.wholeLimit = wholeLimit
    }
}

package struct FetchLimits: Sendable, Equatable {
    package var exchange = ExchangeLimits()
    /// From start to end, with all attempts and waits.
    package var total = Duration.seconds(60)
    package var redirects = 5
    /// At one URL, the first included.
    package var attempts = 3
    /// The wait before the second attempt, doubled for each further one; half of it is random.
    package var backoff = Duration.milliseconds(200)
    /// The longest `Retry-After` that is waited for.
    package var patience = Duration.seconds(5)

    package init() {}
}

package struct Fetched: Sendable, Equatable {
    /// Of the last answer: 200, 206 for a part, or 304 for validators.
    package let head: ResponseHead
    package let url: OriginURL
    package let byteCount: Int
    package let exchangeCount: Int

    package var isNotModified: Bool { head.status == .notModified }
}

package struct Exchanged: Sendable, Equatable {
    package let head: ResponseHead
    /// When the head arrived, in seconds since 1970.
    package let headTime: Int64
    package let content: [UInt8]
}

/// Takes the content of a fetch, on the fetch thread.
package protocol FetchSink: AnyObject, Sendable {
    /// Called again, which voids earlier content, when an attempt starts over. False: ``OriginError/notKept``.
    func began(_ head: ResponseHead) -> Bool
    /// False ends the fetch.
    func received(_ bytes: RawSpan) -> Bool
}
