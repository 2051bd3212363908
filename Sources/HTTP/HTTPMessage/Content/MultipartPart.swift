import Bytes

/// The head of a part of form data: what of it means something to a server (RFC 7578 §4).
package struct MultipartPart: Equatable, Sendable {
    /// The name of the field; text that is not UTF-8 is repaired.
    package var name: String
    /// The name of the file as the client sent it, which may be a path and is never one of ours; nil for other fields.
    package var fileName: String?
    /// The media type as the client sent it; nil when it sent none.
    package var mediaType: String?

    package init(name: String, fileName: String? = nil, mediaType: String? = nil) {
        self.name = name
        self.fileName = fileName
        self.mediaType = mediaType
    }

    /// Reads the lines of `head`, of which each and the last, empty one end with CR LF; `offset` is where it began.
    ///
    /// Fields other than Content-Disposition and Content-Type are checked for their form and passed over. A transfer encoding
    /// that would have to be undone is refused (RFC 7578 §4.7).
    init(head: [UInt8], at offset: Int) throws(MultipartError) {
        var disposition: [ValueParameter]?
        var mediaType: String?
        let span = head.span.bytes
        var start = 0
        while start < span.byteCount {
            guard let end = Self.lineEnd(in: span, from: start) else { throw .invalidPartHead(offset: offset + start) }
            defer { start = end + 2 }
            if end == start { break }
            let nameEnd = ByteSet.tokenBytes.endOfRun(in: span, from: start, to: end)
            guard nameEnd > start, nameEnd < end, span.byte(nameEnd) == UInt8(ascii: ":") else {
                throw .invalidPartHead(offset: offset + start)
            }
            let name = span.extracting(start..<nameEnd)
            let value = span.extracting(span.trimmed((nameEnd + 1)..<end))
            if name.equalsIgnoringCase("content-disposition") {
                guard disposition == nil, let parameters = Self.formData(value) else {
                    throw .invalidPartHead(offset: offset + start)
                }
                disposition = parameters
            } else if name.equalsIgnoringCase("content-type") {
                guard mediaType == nil else { throw .invalidPartHead(offset: offset + start) }
                mediaType = value.text
            } else if name.equalsIgnoringCase("content-transfer-encoding"), !Self.isIdentity(value) {
                throw .encodedPart(offset: offset + start)
            }
        }
        guard let disposition, let name = disposition.first(where: { $0.name == "name" }) else {
            throw .partWithoutName(offset: offset)
        }
        // `filename*` is ignored: RFC 7578 §4.2 forbids it.
        self.init(
            name: name.text, fileName: disposition.first { $0.name == "filename" }?.text, mediaType: mediaType)
    }

    /// Where the line that begins at `start` ends; nil when it has a byte that no line has, or no end.
    private static func lineEnd(in span: RawSpan, from start: Int) -> Int? {
        var index = start
        while index < span.byteCount {
            let byte = span.byte(index)
            if byte == 0x0d { break }
            guard byte >= 0x20 && byte != 0x7f || byte == 0x09 else { return nil }
            index += 1
        }
        return index + 1 < span.byteCount && span.byte(index + 1) == 0x0a ? index : nil
    }

    private static func formData(_ value: RawSpan) -> [ValueParameter]? {
        let end = ByteSet.tokenBytes.endOfRun(in: value, from: 0, to: value.byteCount)
        guard value.extracting(0..<end).equalsIgnoringCase("form-data") else { return nil }
        return ValueParameter.read(value, from: end)
    }

    private static func isIdentity(_ encoding: RawSpan) -> Bool {
        encoding.equalsIgnoringCase("binary") || encoding.equalsIgnoringCase("8bit")
            || encoding.equalsIgnoringCase("7bit")
    }
}

/// What stands between the parts of multipart content (RFC 2046 §5.1.1).
package struct MultipartBoundary: Equatable, Sendable {
    /// The bytes: 1 to 70 of the few that a boundary may have.
    let bytes: [UInt8]

    /// The boundary that the value of a Content-Type field names; nil unless that is `multipart/form-data` with one that
    /// keeps the rules.
    package init?(contentType: String) {
        let bytes = Array(contentType.utf8)
        let span = bytes.span.bytes
        let value = span.extracting(span.trimmed(0..<span.byteCount))
        let essenceByteCount = "multipart/form-data".utf8.count
        guard value.byteCount > essenceByteCount,
            value.extracting(0..<essenceByteCount).equalsIgnoringCase("multipart/form-data"),
            let parameters = ValueParameter.read(value, from: essenceByteCount),
            let boundary = parameters.first(where: { $0.name == "boundary" })
        else { return nil }
        self.init(bytes: boundary.bytes)
    }

    /// `bytes` if they keep the rules.
    init?(bytes: [UInt8]) {
        guard (1...70).contains(bytes.count), bytes.last != 0x20, bytes.allSatisfy(Self.allows) else { return nil }
        self.bytes = bytes
    }

    private static func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "'")...UInt8(ascii: ")"),
            UInt8(ascii: "+")...UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "="),
            UInt8(ascii: "?"), 0x20:
            true
        default: false
        }
    }
}

/// Bounds of multipart content.
package struct MultipartLimits: Equatable, Sendable {
    /// Bytes of the head of one part, of what comes up to the first delimiter, and of the rest of a delimiter's line.
    package var partHeadByteCount = 8192
    package var partCount = 64

    package init() {}
}

/// Why content is not read as multipart content. Offsets are from its first byte.
package enum MultipartError: Error, Equatable, Sendable {
    /// Something else than dashes, white space or the end of the line follows a delimiter.
    case invalidDelimiter(offset: Int)
    /// A line of a part's head is none of a field, or a field that must be one stands there twice or cannot be read.
    case invalidPartHead(offset: Int)
    /// A part is no form data or has no name; `offset` is that of its head.
    case partWithoutName(offset: Int)
    /// A part is in a transfer encoding, which form data over HTTP never is.
    case encodedPart(offset: Int)
    /// A part's head has more than `limit` bytes.
    case partHeadTooLarge(limit: Int)
    /// More than `limit` bytes came and no delimiter among them.
    case preambleTooLarge(limit: Int)
    /// There are more than `limit` parts.
    case tooManyParts(limit: Int)
}
