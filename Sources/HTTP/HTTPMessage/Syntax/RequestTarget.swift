import Bytes

/// What a request line asks for (RFC 9112 §3.2). Text is made on demand; only needless escapes in paths are decoded.
package struct RequestTarget: Sendable {
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

    package let form: Form

    let bytes: [UInt8]
    let textRange: Range<Int>
    let authorityRange: Range<Int>
    let pathRange: Range<Int>
    let queryRange: Range<Int>?
    /// The path without escapes of unreserved characters; nil if it has none.
    let plainPath: [UInt8]?

    package var text: String { bytes.span.bytes.extracting(textRange).text }

    /// `*` in asterisk form, empty in authority form. Needless escapes (RFC 3986 §2.3, RFC 9110 §4.2.3) are decoded.
    package var path: String {
        if let plainPath { return plainPath.span.bytes.text }
        return form == .absolute && pathRange.isEmpty ? "/" : bytes.span.bytes.extracting(pathRange).text
    }

    /// Compares byte for byte; no allocation.
    package func hasPath(_ text: StaticString) -> Bool {
        if let plainPath { return plainPath.span.bytes.equals(text) }
        if form == .absolute && pathRange.isEmpty { return text.utf8CodeUnitCount == 1 && text.utf8Start[0] == 0x2f }
        return bytes.span.bytes.extracting(pathRange).equals(text)
    }

    /// Compares byte for byte; no allocation.
    package func hasPathPrefix(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        if let plainPath { return plainPath.count >= count && plainPath.span.bytes.extracting(0..<count).equals(text) }
        guard pathRange.count >= count else { return false }
        return bytes.span.bytes.extracting(pathRange.lowerBound..<(pathRange.lowerBound + count)).equals(text)
    }

    /// What follows the first `?`, as sent.
    package var query: String? { queryRange.map { bytes.span.bytes.extracting($0).text } }

    /// Empty without a query; no allocation.
    package var queryBytes: RawSpan {
        @_lifetime(borrow self)
        get { bytes.span.bytes.extracting(queryRange ?? 0..<0) }
    }

    package var textBytes: RawSpan {
        @_lifetime(borrow self)
        get { bytes.span.bytes.extracting(textRange) }
    }

    /// Host and port of the absolute and the authority form.
    package var authority: String? { authorityRange.isEmpty ? nil : bytes.span.bytes.extracting(authorityRange).text }
}

extension RequestTarget: Equatable {
    /// The same bytes in the same form.
    package static func == (left: RequestTarget, right: RequestTarget) -> Bool {
        left.form == right.form
            && left.bytes.span.bytes.extracting(left.textRange).equals(
                right.bytes.span.bytes.extracting(right.textRange))
    }
}

extension RequestTarget {
    /// All bytes at `range` are known to be allowed. Escapes in the path must be whole; queries' are left to their reader.
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
        let pathEnd = span.position(of: UInt8(ascii: "?"), from: rest)
        let plainPath = try Self.plainPath(span.extracting(rest..<pathEnd))
        self.init(
            form: isAbsolute ? .absolute : .origin, bytes: bytes, textRange: range,
            authorityRange: (base + authority.lowerBound)..<(base + authority.upperBound),
            pathRange: (base + rest)..<(base + pathEnd),
            queryRange: pathEnd < span.byteCount ? (base + pathEnd + 1)..<range.upperBound : nil,
            plainPath: plainPath)
    }

    /// Host and port of an absolute-form target.
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
        // This refuses user information too: `@` is in no host or port (RFC 9110 §4.2.4).
        guard Authority.isValid(span.extracting(start..<end)) else { throw .invalidTargetForm }
        return start..<end
    }

    /// `path` without escapes of unreserved characters; nil if it has none. Throws for broken escapes and `%00`.
    private static func plainPath(_ path: RawSpan) throws(RequestError) -> [UInt8]? {
        // `plain` holds the path up to `copied`; nothing before the first such escape.
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

extension RequestTarget {
    /// RFC 3986 §5.2.4; `path` is empty or begins with a slash.
    package static func withoutDotSegments(_ path: String) -> String {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var kept: [Substring] = []
        for segment in segments where segment != "." {
            if segment == ".." { _ = kept.popLast() } else { kept.append(segment) }
        }
        if segments.last == "." || segments.last == ".." { kept.append("") }
        return "/" + kept.joined(separator: "/")
    }
}
