import Bytes

/// What a request line asks for (RFC 9112 §3.2). Text is made when asked for; nothing is percent-decoded but what a path
/// escapes without need.
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

    let bytes: [UInt8]
    let textRange: Range<Int>
    let authorityRange: Range<Int>
    let pathRange: Range<Int>
    let queryRange: Range<Int>?
    /// The path without escapes of unreserved characters; nil where it has none.
    let plainPath: [UInt8]?

    /// The whole target as it was sent.
    package var text: String { bytes.span.bytes.extracting(textRange).text }

    /// The path, beginning with `/`; `*` in asterisk form, empty in authority form. An escape of an unreserved character
    /// (RFC 3986 §2.3) is that character, as it makes no other resource (RFC 9110 §4.2.3); others stand as they were sent.
    package var path: String {
        if let plainPath { return plainPath.span.bytes.text }
        return form == .absolute && pathRange.isEmpty ? "/" : bytes.span.bytes.extracting(pathRange).text
    }

    /// Whether `path` is `text`, byte for byte; no allocation.
    package func hasPath(_ text: StaticString) -> Bool {
        if let plainPath { return plainPath.span.bytes.equals(text) }
        if form == .absolute && pathRange.isEmpty { return text.utf8CodeUnitCount == 1 && text.utf8Start[0] == 0x2f }
        return bytes.span.bytes.extracting(pathRange).equals(text)
    }

    /// Whether `path` begins with `text`, byte for byte; no allocation.
    package func hasPathPrefix(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        if let plainPath {
            return plainPath.count >= count && plainPath.span.bytes.extracting(0..<count).equals(text)
        }
        guard pathRange.count >= count else { return false }
        return bytes.span.bytes.extracting(pathRange.lowerBound..<(pathRange.lowerBound + count)).equals(text)
    }

    /// What follows the first `?`, as it was sent; nil without a `?`.
    package var query: String? { queryRange.map { bytes.span.bytes.extracting($0).text } }

    /// The bytes of the query, empty when there is none; no allocation.
    package var queryBytes: RawSpan {
        @_lifetime(borrow self)
        get { bytes.span.bytes.extracting(queryRange ?? 0..<0) }
    }

    /// The bytes of the whole target as they were sent; no allocation.
    package var textBytes: RawSpan {
        @_lifetime(borrow self)
        get { bytes.span.bytes.extracting(textRange) }
    }

    /// Host and port of the absolute and the authority form, else nil.
    package var authority: String? {
        authorityRange.isEmpty ? nil : bytes.span.bytes.extracting(authorityRange).text
    }
}

extension RequestTarget: Equatable {
    /// Whether both were sent as the same bytes in the same form.
    package static func == (left: RequestTarget, right: RequestTarget) -> Bool {
        left.form == right.form
            && left.bytes.span.bytes.extracting(left.textRange).equals(
                right.bytes.span.bytes.extracting(right.textRange))
    }
}

extension RequestTarget {
    /// Splits the target that lies at `range` of `bytes`.
    ///
    /// Every byte is already known to be allowed in a target. Escapes in the path must be whole and not NUL; those in
    /// the query are left to who reads the query, who can name the parameter.
    init(bytes: [UInt8], range: Range<Int>, method: Method) throws(RequestError) {
        let span = bytes.span.bytes.extracting(range)
        let base = range.lowerBound
        var authority = 0..<0
        var rest = 0
        if method == .connect {
            guard Authority.isValid(span, portRequired: true) else { throw .invalidTargetForm }
            self.init(
                form: .authority, bytes: bytes, textRange: range, authorityRange: range,
                pathRange: range.upperBound..<range.upperBound, queryRange: nil, plainPath: nil)
            return
        }
        if span.equals("*") {
            guard method == .options else { throw .invalidTargetForm }
            self.init(
                form: .asterisk, bytes: bytes, textRange: range, authorityRange: authority, pathRange: range,
                queryRange: nil, plainPath: nil)
            return
        }
        let isAbsolute = span.byte(0) != UInt8(ascii: "/")
        if isAbsolute {
            authority = try Self.authority(in: span)
            rest = authority.upperBound
        }
        var pathEnd = rest
        while pathEnd < span.byteCount, span.byte(pathEnd) != UInt8(ascii: "?") { pathEnd += 1 }
        let plainPath = try Self.plainPath(span.extracting(rest..<pathEnd))
        self.init(
            form: isAbsolute ? .absolute : .origin, bytes: bytes, textRange: range,
            authorityRange: (base + authority.lowerBound)..<(base + authority.upperBound),
            pathRange: (base + rest)..<(base + pathEnd),
            queryRange: pathEnd < span.byteCount ? (base + pathEnd + 1)..<range.upperBound : nil,
            plainPath: plainPath)
    }

    /// Where host and port stand in an absolute-form target.
    private static func authority(in span: RawSpan) throws(RequestError) -> Range<Int> {
        var start = 0
        for scheme: StaticString in ["http://", "https://"] where span.byteCount > scheme.utf8CodeUnitCount {
            if span.extracting(0..<scheme.utf8CodeUnitCount).equalsIgnoringCase(scheme) {
                start = scheme.utf8CodeUnitCount
            }
        }
        guard start > 0 else { throw .invalidTargetForm }
        var end = start
        while end < span.byteCount, span.byte(end) != UInt8(ascii: "/"), span.byte(end) != UInt8(ascii: "?") {
            end += 1
        }
        // User information is refused here too: `@` cannot stand in host or port (RFC 9110 §4.2.4).
        guard Authority.isValid(span.extracting(start..<end)) else { throw .invalidTargetForm }
        return start..<end
    }

    /// `path` without escapes of unreserved characters; nil where it has none.
    ///
    /// - Throws: where a `%` is not followed by two hexadecimal digits that are not both zero.
    private static func plainPath(_ path: RawSpan) throws(RequestError) -> [UInt8]? {
        // Up to `copied` it stands in `plain`; nothing does before the first such escape.
        var (index, copied) = (0, 0)
        var plain: [UInt8] = []
        while index < path.byteCount {
            guard path.byte(index) == UInt8(ascii: "%") else {
                index += 1
                continue
            }
            guard path.byteCount - index > 2, let high = ASCII.hexValue(path.byte(index + 1)),
                let low = ASCII.hexValue(path.byte(index + 2)), high | low != 0
            else { throw .invalidTargetForm }
            let byte = high << 4 | low
            if PercentEncoding.isUnreserved(byte) {
                path.extracting(copied..<index).withUnsafeBytes { plain.append(contentsOf: $0) }
                plain.append(byte)
                copied = index + 3
            }
            index += 3
        }
        guard copied > 0 else { return nil }
        path.extracting(copied..<path.byteCount).withUnsafeBytes { plain.append(contentsOf: $0) }
        return plain
    }
}
