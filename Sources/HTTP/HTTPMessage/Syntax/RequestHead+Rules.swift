import Bytes

// The rules that need the whole head: Host, framing, persistence, expectation. Repeated framing fields are refused
// before anything is merged, so that no proxy in front and this server can disagree on where the request ends.

extension RequestHead {
    /// What the parser found; ranges are into `bytes`.
    struct Parts {
        var bytes: [UInt8]
        var entries: [Fields.Entry]
        var methodByteCount: Int
        var targetRange: Range<Int>
        var version: HTTPVersion
    }

    convenience init(_ parts: Parts) throws(RequestError) {
        var survey = FieldSurvey()
        let span = parts.bytes.span.bytes
        for entry in parts.entries {
            try survey.note(span.extracting(entry.nameRange), span.extracting(entry.valueRange))
        }
        let method = Method(token: span.extracting(0..<parts.methodByteCount))
        // HTTP/1.0 may leave Host out (RFC 9112 §3.2).
        guard survey.hasHost || parts.version == .http10 else { throw .missingHost }
        self.init(
            method: method, version: parts.version,
            target: try RequestTarget(bytes: parts.bytes, range: parts.targetRange, method: method),
            fields: Fields(bytes: parts.bytes, entries: parts.entries),
            framing: try survey.framing(version: parts.version),
            keepAlive: !survey.saysClose && (parts.version == .http11 || survey.saysKeepAlive),
            expectation: parts.version == .http11 ? survey.expectation : .none,
            methodByteCount: parts.methodByteCount)
    }
}

/// What one pass over the fields finds out for the connection.
private struct FieldSurvey {
    private(set) var hasHost = false
    private(set) var saysClose = false
    private(set) var saysKeepAlive = false
    private(set) var expectation = RequestExpectation.none
    private var length: Int?
    private var hasTransferEncoding = false
    private var isChunked = false
    private var hasUnknownCoding = false

    mutating func note(_ name: RawSpan, _ value: RawSpan) throws(RequestError) {
        if name.equalsIgnoringCase("host") {
            guard !hasHost else { throw .repeatedHost }
            guard Authority.isValid(value) else { throw .invalidHost }
            hasHost = true
        } else if name.equalsIgnoringCase("connection") {
            ListElements.forEach(in: value) { element in
                if element.equalsIgnoringCase("close") { saysClose = true }
                if element.equalsIgnoringCase("keep-alive") { saysKeepAlive = true }
            }
        } else if name.equalsIgnoringCase("content-length") {
            // RFC 9110 §8.6 also allows to accept equal repeats; refusing is safer.
            guard length == nil else { throw .repeatedContentLength }
            length = try Self.decimal(value)
        } else if name.equalsIgnoringCase("transfer-encoding") {
            try noteTransferEncoding(value)
        } else if name.equalsIgnoringCase("expect") {
            let isContinue = value.equalsIgnoringCase("100-continue")
            expectation = isContinue && expectation != .unknown ? .continue : .unknown
        }
    }

    func framing(version: HTTPVersion) throws(RequestError) -> Framing {
        guard hasTransferEncoding else { return length.map { $0 == 0 ? .none : .length($0) } ?? .none }
        guard version == .http11 else { throw .invalidTransferEncoding }
        guard length == nil else { throw .contentLengthWithTransferEncoding }
        // Nothing tells where the content ends (RFC 9112 §6.3).
        guard isChunked else { throw .invalidTransferEncoding }
        guard !hasUnknownCoding else { throw .unknownTransferCoding }
        return .chunked
    }

    /// Several lines are one list (RFC 9112 §6.1).
    private mutating func noteTransferEncoding(_ value: RawSpan) throws(RequestError) {
        hasTransferEncoding = true
        var isInvalid = false
        ListElements.forEach(in: value) { element in
            // Nothing may follow `chunked`, not even itself, and an empty element hides from some parsers.
            if isChunked || element.byteCount == 0 {
                isInvalid = true
            } else if element.equalsIgnoringCase("chunked") {
                isChunked = true
            } else {
                hasUnknownCoding = true
            }
        }
        if isInvalid { throw .invalidTransferEncoding }
    }

    /// Decimal digits only, fitting `Int`.
    private static func decimal(_ text: RawSpan) throws(RequestError) -> Int {
        guard text.byteCount > 0 else { throw .invalidContentLength }
        var value = 0
        for index in 0..<text.byteCount {
            guard ASCII.isDigit(text.byte(index)) else { throw .invalidContentLength }
            let (scaled, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, carries) = scaled.addingReportingOverflow(Int(text.byte(index) - UInt8(ascii: "0")))
            guard !overflows, !carries else { throw .invalidContentLength }
            value = sum
        }
        return value
    }
}
