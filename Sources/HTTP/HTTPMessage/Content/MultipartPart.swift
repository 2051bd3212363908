/// What a server needs of the head of a part of form data (RFC 7578 §4).
package struct MultipartPart: Equatable, Sendable {
    /// Text that is not UTF-8 is repaired.
    package var name: String
    /// As the client sent it: it may be a path and is never a name of ours. Nil for other fields.
    package var fileName: String?
    package var mediaType: String?

    package init(name: String, fileName: String? = nil, mediaType: String? = nil) {
        self.name = name
        self.fileName = fileName
        self.mediaType = mediaType
    }

    /// Reads the lines of `head`, each ended by CR LF and the last one empty. Refuses a transfer encoding (RFC 7578 §4.7).
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
        self.init(name: name.text, fileName: disposition.first { $0.name == "filename" }?.text, mediaType: mediaType)
    }

    /// The end of the line that begins at `start`; nil if it holds a forbidden byte or does not end.
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

/// The boundary of multipart content (RFC 2046 §5.1.1).
package struct MultipartBoundary: Equatable, Sendable {
    let bytes: [UInt8]

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

package struct MultipartLimits: Equatable, Sendable {
    /// Limits the head of one part, the bytes up to the first delimiter, and the rest of a delimiter's line.
    package var partHeadByteCount = 8192
    package var partCount = 64

    package init() {}
}

/// Why content is no valid multipart content. Offsets are from its first byte.
package enum MultipartError: Error, Equatable, Sendable {
    /// Something other than dashes, white space or the end of the line follows a delimiter.
    case invalidDelimiter(offset: Int)
    /// A line is no field, or one of ours is repeated or cannot be read.
    case invalidPartHead(offset: Int)
    /// A part is no form data or has no name; `offset` is that of its head.
    case partWithoutName(offset: Int)
    case encodedPart(offset: Int)
    case partHeadTooLarge(limit: Int)
    case preambleTooLarge(limit: Int)
    case tooManyParts(limit: Int)
}
