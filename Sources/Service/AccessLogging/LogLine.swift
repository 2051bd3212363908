import Glibc
import HTTPServer
import Reactor

// A log line is bytes throughout: no text is made. What clients send is written as printable ASCII alone, so that it
// can neither end a line nor control a terminal.

/// A log line that is being written, in memory that the next one uses again: an array would ask for every piece whether
/// it is alone.
struct LogLine: ~Copyable {
    enum Style {
        /// Inside a JSON string (RFC 8259 §7). What is not UTF-8 becomes U+FFFD.
        case json
        /// Between quotation marks in the formats of Apache: `\xhh`.
        case common
    }

    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 1)
    private var count = 0

    deinit { memory.deallocate() }

    var isEmpty: Bool { count == 0 }

    /// Valid until the line changes.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    mutating func clear() { count = 0 }

    private mutating func makeRoom(for byteCount: Int) {
        guard memory.count - count < byteCount else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * (count + byteCount), alignment: 1)
        larger.copyMemory(from: bytes)
        memory.deallocate()
        memory = larger
    }

    // MARK: Bytes

    mutating func append(_ byte: UInt8) {
        makeRoom(for: 1)
        memory[count] = byte
        count += 1
    }

    mutating func append(raw text: UnsafeRawBufferPointer) {
        guard let start = text.baseAddress else { return }
        append(start, text.count)
    }

    mutating func append(_ text: StaticString) { append(UnsafeRawPointer(text.utf8Start), text.utf8CodeUnitCount) }

    mutating func append(ascii text: String) { for byte in text.utf8 { append(byte) } }

    private mutating func append(_ start: UnsafeRawPointer, _ byteCount: Int) {
        makeRoom(for: byteCount)
        if let end = memory.baseAddress { memcpy(end + count, start, byteCount) }
        count += byteCount
    }

    mutating func append(_ id: RequestID) {
        makeRoom(for: RequestID.byteLimit)
        count += id.write(to: UnsafeMutableRawBufferPointer(rebasing: memory[count...]))
    }

    // MARK: Text

    /// Appends the first `limit` bytes of `text`, escaped; three dots stand for the rest.
    mutating func append(_ text: RawSpan, limit: Int, as style: Style) {
        text.withUnsafeBytes { append($0, limit: limit, as: style) }
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer, limit: Int, as style: Style) {
        let kept = UnsafeRawBufferPointer(rebasing: bytes.prefix(limit))
        var start = 0
        var index = 0
        while index < kept.count {
            guard Self.needsEscape(kept[index]) else {
                index += 1
                continue
            }
            append(raw: UnsafeRawBufferPointer(rebasing: kept[start..<index]))
            if style == .json, kept[index] >= 0x80 {
                let end = kept[index...].firstIndex { $0 < 0x80 } ?? kept.count
                appendEscapes(of: String(decoding: kept[index..<end], as: UTF8.self))
                index = end
            } else {
                appendEscape(of: kept[index], style)
                index += 1
            }
            start = index
        }
        append(raw: UnsafeRawBufferPointer(rebasing: kept[start...]))
        if kept.count < bytes.count { append("...") }
    }

    /// The bytes that may stand anywhere in a line: letters, digits, dots, dashes and underscores, at most 64.
    mutating func append(tokens text: Slice<UnsafeRawBufferPointer>) {
        for byte in text.prefix(64) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                append(byte)
            default: break
            }
        }
    }

    /// In decimal, with leading zeros up to `width` digits; a negative value is 0.
    mutating func append(_ value: Int, width: Int = 1) {
        makeRoom(for: max(20, width))
        var rest = UInt64(max(0, value))
        var digits = 1
        var bound: UInt64 = 10
        while digits < 19, rest >= bound {
            digits += 1
            bound &*= 10
        }
        digits = max(digits, width)
        for place in stride(from: count + digits - 1, through: count, by: -1) {
            memory[place] = UInt8(truncatingIfNeeded: rest % 10) + 0x30
            rest /= 10
        }
        count += digits
    }

    /// The host of a peer: `192.0.2.1`, `2001:db8::1`, or `unix`.
    mutating func append(_ peer: SocketAddress) {
        switch peer {
        case .ipv4(let address, _):
            for shift in [24, 16, 8, 0] as [UInt32] {
                if shift != 24 { append(UInt8(ascii: ".")) }
                append(Int(address >> shift & 255))
            }
        case .ipv6(let high, let low, _, _): appendGroups(high, low)
        case .local: append("unix")
        }
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x7f || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func appendEscape(of byte: UInt8, _ style: Style) {
        append(UInt8(ascii: "\\"))
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
            append(byte)
        } else {
            append(style == .json ? "u00" : "x")
            append(Self.hexDigit(byte >> 4))
            append(Self.hexDigit(byte & 15))
        }
    }

    /// Everything beyond ASCII by its UTF-16 units, so that neither C1 controls nor changes of direction reach a
    /// terminal.
    private mutating func appendEscapes(of text: String) {
        for unit in text.utf16 {
            append("\\u")
            for shift in [12, 8, 4, 0] as [UInt16] {
                append(Self.hexDigit(UInt8(truncatingIfNeeded: unit >> shift & 15)))
            }
        }
    }

    /// The eight groups of an address, the longest run of zeros as `::` (RFC 5952 §4).
    private mutating func appendGroups(_ high: UInt64, _ low: UInt64) {
        func group(_ index: Int) -> UInt64 { (index < 4 ? high : low) >> UInt64(48 - 16 * (index & 3)) & 0xffff }
        var longest = 0..<0
        var start = 0
        for index in 0..<8 {
            if group(index) != 0 {
                start = index + 1
            } else if index + 1 - start > max(1, longest.count) {
                longest = start..<(index + 1)
            }
        }
        var index = 0
        while index < 8 {
            if index == longest.lowerBound, !longest.isEmpty {
                append("::")
                index = longest.upperBound
                continue
            }
            if index > 0, index != longest.upperBound || longest.isEmpty { append(UInt8(ascii: ":")) }
            appendHex(group(index))
            index += 1
        }
    }

    private mutating func appendHex(_ value: UInt64) {
        var shift: UInt64 = 12
        while shift > 0, value >> shift == 0 { shift -= 4 }
        while true {
            append(Self.hexDigit(UInt8(truncatingIfNeeded: value >> shift & 15)))
            guard shift > 0 else { return }
            shift -= 4
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? value + 0x30 : value - 10 + UInt8(ascii: "a") }
}
