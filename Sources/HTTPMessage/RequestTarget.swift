import Bytes

/// What a request line asks for (RFC 9112 §3.2). Text is made when asked for; nothing is percent-decoded.
package struct RequestTarget: Sendable {
    /// The four forms of RFC 9112 §3.2.1–§3.2.4.
    package enum Form: Equatable, Sendable {
        /// `/path?query`.
        case origin
        /// `http://host/path?query`.
        case absolute
        /// `host:port`, with CONNECT only.
        case authority
        /// `*`, with OPTIONS only.
        case asterisk
    }

    /// Which of the four forms it has.
    package let form: Form

    let octets: [UInt8]
    let textRange: Range<Int>
    let authorityRange: Range<Int>
    let pathRange: Range<Int>
    let queryRange: Range<Int>?

    /// The whole target as it was sent.
    package var text: String { octets.span.bytes.extracting(textRange).text }

    /// The path as it was sent, beginning with `/`; `*` in asterisk form, empty in authority form.
    package var path: String {
        form == .absolute && pathRange.isEmpty ? "/" : octets.span.bytes.extracting(pathRange).text
    }

    /// Whether `path` is `text`, octet for octet; no allocation.
    package func hasPath(_ text: StaticString) -> Bool {
        if form == .absolute && pathRange.isEmpty { return text.utf8CodeUnitCount == 1 && text.utf8Start[0] == 0x2f }
        return octets.span.bytes.extracting(pathRange).equals(text)
    }

    /// Whether `path` begins with `text`, octet for octet; no allocation.
    package func hasPathPrefix(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard pathRange.count >= count else { return false }
        return octets.span.bytes.extracting(pathRange.lowerBound..<(pathRange.lowerBound + count)).equals(text)
    }

    /// What follows the first `?`, as it was sent; nil without a `?`.
    package var query: String? { queryRange.map { octets.span.bytes.extracting($0).text } }

    /// The octets of the query, empty when there is none; no allocation.
    package var queryOctets: RawSpan {
        @_lifetime(borrow self)
        get { octets.span.bytes.extracting(queryRange ?? 0..<0) }
    }

    /// The octets of the whole target as they were sent; no allocation.
    package var textOctets: RawSpan {
        @_lifetime(borrow self)
        get { octets.span.bytes.extracting(textRange) }
    }

    /// Host and port of the absolute and the authority form, else nil.
    package var authority: String? {
        authorityRange.isEmpty ? nil : octets.span.bytes.extracting(authorityRange).text
    }
}

extension RequestTarget: Equatable {
    /// Whether both were sent as the same octets in the same form.
    package static func == (left: RequestTarget, right: RequestTarget) -> Bool {
        left.form == right.form
            && left.octets.span.bytes.extracting(left.textRange).equals(
                right.octets.span.bytes.extracting(right.textRange))
    }
}

extension RequestTarget {
    /// Splits the target that lies at `range` of `octets`.
    ///
    /// Every octet is already known to be allowed in a target. Escapes in the path must be whole and not NUL; those in
    /// the query are left to who reads the query, who can name the parameter.
    init(octets: [UInt8], range: Range<Int>, method: Method) throws(RequestError) {
        let bytes = octets.span.bytes.extracting(range)
        let base = range.lowerBound
        var authority = 0..<0
        var rest = 0
        if method == .connect {
            guard Authority.isValid(bytes, portRequired: true) else { throw .invalidTargetForm }
            self.init(
                form: .authority, octets: octets, textRange: range, authorityRange: range,
                pathRange: range.upperBound..<range.upperBound, queryRange: nil)
            return
        }
        if bytes.equals("*") {
            guard method == .options else { throw .invalidTargetForm }
            self.init(
                form: .asterisk, octets: octets, textRange: range, authorityRange: authority, pathRange: range,
                queryRange: nil)
            return
        }
        let isAbsolute = bytes.byte(0) != UInt8(ascii: "/")
        if isAbsolute {
            authority = try Self.authority(in: bytes)
            rest = authority.upperBound
        }
        var pathEnd = rest
        while pathEnd < bytes.byteCount, bytes.byte(pathEnd) != UInt8(ascii: "?") { pathEnd += 1 }
        guard Self.hasWholeEscapes(bytes.extracting(rest..<pathEnd)) else { throw .invalidTargetForm }
        self.init(
            form: isAbsolute ? .absolute : .origin, octets: octets, textRange: range,
            authorityRange: (base + authority.lowerBound)..<(base + authority.upperBound),
            pathRange: (base + rest)..<(base + pathEnd),
            queryRange: pathEnd < bytes.byteCount ? (base + pathEnd + 1)..<range.upperBound : nil)
    }

    /// Where host and port stand in an absolute-form target.
    private static func authority(in bytes: RawSpan) throws(RequestError) -> Range<Int> {
        var start = 0
        for scheme: StaticString in ["http://", "https://"] where bytes.byteCount > scheme.utf8CodeUnitCount {
            if bytes.extracting(0..<scheme.utf8CodeUnitCount).equalsIgnoringCase(scheme) {
                start = scheme.utf8CodeUnitCount
            }
        }
        guard start > 0 else { throw .invalidTargetForm }
        var end = start
        while end < bytes.byteCount, bytes.byte(end) != UInt8(ascii: "/"), bytes.byte(end) != UInt8(ascii: "?") {
            end += 1
        }
        // User information is refused here too: `@` cannot stand in host or port (RFC 9110 §4.2.4).
        guard Authority.isValid(bytes.extracting(start..<end)) else { throw .invalidTargetForm }
        return start..<end
    }

    /// Whether each `%` is followed by two hexadecimal digits that are not both zero.
    private static func hasWholeEscapes(_ path: RawSpan) -> Bool {
        var index = 0
        while index < path.byteCount {
            guard path.byte(index) == UInt8(ascii: "%") else {
                index += 1
                continue
            }
            guard path.byteCount - index > 2, let high = ASCII.hexValue(path.byte(index + 1)),
                let low = ASCII.hexValue(path.byte(index + 2)), high | low != 0
            else { return false }
            index += 3
        }
        return true
    }
}
