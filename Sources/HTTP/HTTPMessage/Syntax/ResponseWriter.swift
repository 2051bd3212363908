// Values from outside are checked byte by byte before they are written: none can end its line. Static text is the
// program's own; a control byte in it becomes a space, so that it needs no `try`.

/// Appends heads to a reused buffer (RFC 9112 §4, §5): `begin`, `append`s, `end`. What throws adds nothing to it.
package enum ResponseWriter {
    package enum Persistence: Sendable, Equatable {
        /// Says nothing: HTTP/1.1 persists.
        case implied
        /// `Connection: keep-alive`, for a client of HTTP/1.0 that asked for it.
        case keepAlive
        case close
    }

    /// Appends the status line and `dateLine`: a whole line as in `DateLine.bytes`, or empty for 1xx.
    package static func begin(_ status: Status, dateLine: [UInt8], into buffer: inout [UInt8]) {
        switch status.code {
        case 200: append("HTTP/1.1 200 OK\r\n", into: &buffer)
        case 304: append("HTTP/1.1 304 Not Modified\r\n", into: &buffer)
        default:
            append("HTTP/1.1 ", into: &buffer)
            appendDecimal(status.code, into: &buffer)
            buffer.append(0x20)
            append(status.reason, into: &buffer)
            endLine(&buffer)
        }
        buffer.append(contentsOf: dateLine)
    }

    package static func appendContentLength(_ byteCount: Int, into buffer: inout [UInt8]) {
        append("Content-Length: ", into: &buffer)
        appendDecimal(byteCount, into: &buffer)
        endLine(&buffer)
    }

    /// Appends Connection, if needed, and the empty line.
    package static func end(_ persistence: Persistence, into buffer: inout [UInt8]) {
        switch persistence {
        case .implied: break
        case .keepAlive: append("Connection: keep-alive\r\n", into: &buffer)
        case .close: append("Connection: close\r\n", into: &buffer)
        }
        endLine(&buffer)
    }

    package static func append(_ name: FieldName, _ value: String, into buffer: inout [UInt8]) throws(ResponseError) {
        try append(name, bytes: value.utf8.span.bytes, into: &buffer)
    }

    package static func append(_ name: FieldName, _ value: [UInt8], into buffer: inout [UInt8]) throws(ResponseError) {
        try append(name, bytes: value.span.bytes, into: &buffer)
    }

    /// Control bytes in `value` become spaces.
    package static func append(_ name: FieldName, literal value: StaticString, into buffer: inout [UInt8]) {
        appendName(name, into: &buffer)
        let text = UnsafeRawBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount).bytes
        if isValue(text) {
            append(value, into: &buffer)
        } else {
            for index in 0..<text.byteCount {
                buffer.append(text.byte(index) < 0x20 || text.byte(index) == 0x7f ? 0x20 : text.byte(index))
            }
        }
        endLine(&buffer)
    }

    package static func append(_ name: FieldName, _ value: Int, into buffer: inout [UInt8]) {
        appendName(name, into: &buffer)
        appendDecimal(value, into: &buffer)
        endLine(&buffer)
    }

    package static func append(_ name: FieldName, date unixSeconds: Int64, into buffer: inout [UInt8]) {
        appendName(name, into: &buffer)
        HTTPDate.append(unixSeconds, into: &buffer)
        endLine(&buffer)
    }

    package static func append(_ name: FieldName, _ tag: EntityTag, into buffer: inout [UInt8]) {
        appendName(name, into: &buffer)
        // No tag holds a byte that could end the line.
        append(tag.isWeak ? "W/\"" : "\"", into: &buffer)
        buffer.append(contentsOf: tag.opaque.utf8)
        buffer.append(UInt8(ascii: "\""))
        endLine(&buffer)
    }
}

extension ResponseWriter {
    /// Precedes a chunk of `byteCount` bytes, at least one (RFC 9112 §7.1).
    package static func beginChunk(_ byteCount: Int, into buffer: inout [UInt8]) {
        buffer.append(contentsOf: String(byteCount, radix: 16).utf8)
        endLine(&buffer)
    }

    package static func endChunk(into buffer: inout [UInt8]) { endLine(&buffer) }

    /// The last chunk and an empty trailer section.
    package static func endChunks(into buffer: inout [UInt8]) { append("0\r\n\r\n", into: &buffer) }
}

extension ResponseWriter {
    private static func append(_ name: FieldName, bytes value: RawSpan, into buffer: inout [UInt8])
        throws(ResponseError)
    {
        guard isValue(value) else { throw .invalidFieldValue(name: name.text) }
        appendName(name, into: &buffer)
        append(value, into: &buffer)
        endLine(&buffer)
    }

    private static func isValue(_ value: RawSpan) -> Bool {
        FieldValue.endOfText(in: value, from: 0, to: value.byteCount) == value.byteCount
    }

    private static func appendName(_ name: FieldName, into buffer: inout [UInt8]) {
        append(name.text.utf8.span.bytes, into: &buffer)
        buffer.append(UInt8(ascii: ":"))
        buffer.append(0x20)
    }

    private static func endLine(_ buffer: inout [UInt8]) {
        buffer.append(0x0d)
        buffer.append(0x0a)
    }

    private static func append(_ bytes: RawSpan, into buffer: inout [UInt8]) {
        bytes.withUnsafeBytes { buffer.append(contentsOf: $0) }
    }

    private static func append(_ text: StaticString, into buffer: inout [UInt8]) {
        buffer.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    static func appendDecimal(_ value: Int, into buffer: inout [UInt8]) {
        // Twenty digits, the most that 64 bits need, filled from the end.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var magnitude = value.magnitude
            var first = 20
            repeat {
                first -= 1
                digits[first] = UInt8(truncatingIfNeeded: magnitude % 10) + 0x30
                magnitude /= 10
            } while magnitude > 0
            if value < 0 { buffer.append(UInt8(ascii: "-")) }
            buffer.append(contentsOf: UnsafeBufferPointer(rebasing: digits[first...]))
        }
    }
}
