import Reactor

// A log line is bytes throughout: no text is made. What clients send is written as printable ASCII alone, so that it
// can neither end a line nor control a terminal.

/// Appends parts of log lines to a reused buffer.
enum LogText {
    enum Style {
        /// Inside a JSON string (RFC 8259 §7). What is not UTF-8 becomes U+FFFD.
        case json
        /// Between quotation marks in the formats of Apache: `\xhh`.
        case common
    }

    /// Appends the first `limit` bytes of `text`, escaped; three dots stand for the rest.
    static func append(_ text: RawSpan, limit: Int, as style: Style, into data: inout [UInt8]) {
        text.withUnsafeBytes { bytes in
            let kept = UnsafeRawBufferPointer(rebasing: bytes.prefix(limit))
            var start = 0
            var index = 0
            while index < kept.count {
                guard needsEscape(kept[index]) else {
                    index += 1
                    continue
                }
                data.append(contentsOf: kept[start..<index])
                if style == .json, kept[index] >= 0x80 {
                    let end = kept[index...].firstIndex { $0 < 0x80 } ?? kept.count
                    appendEscapes(of: String(decoding: kept[index..<end], as: UTF8.self), into: &data)
                    index = end
                } else {
                    appendEscape(of: kept[index], style, into: &data)
                    index += 1
                }
                start = index
            }
            data.append(contentsOf: kept[start...])
            if kept.count < bytes.count { append("...", into: &data) }
        }
    }

    static func append(_ text: StaticString, into data: inout [UInt8]) {
        data.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// In decimal, with leading zeros up to `width` digits; a negative value is 0.
    static func append(_ value: Int, width: Int = 1, into data: inout [UInt8]) {
        let value = max(0, value)
        var divisor = 1
        var digits = 1
        while digits < width || value / divisor >= 10 {
            divisor *= 10
            digits += 1
        }
        while divisor > 0 {
            data.append(UInt8(truncatingIfNeeded: value / divisor % 10) + 0x30)
            divisor /= 10
        }
    }

    /// The host of a peer: `192.0.2.1`, `2001:db8::1`, or `unix`.
    static func append(_ peer: SocketAddress, into data: inout [UInt8]) {
        switch peer {
        case .ipv4(let address, _):
            for shift in [24, 16, 8, 0] as [UInt32] {
                if shift != 24 { data.append(UInt8(ascii: ".")) }
                append(Int(address >> shift & 255), into: &data)
            }
        case .ipv6(let high, let low, _, _): appendGroups(high, low, into: &data)
        case .local: append("unix", into: &data)
        }
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x7f || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func appendEscape(of byte: UInt8, _ style: Style, into data: inout [UInt8]) {
        data.append(UInt8(ascii: "\\"))
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
            data.append(byte)
        } else {
            append(style == .json ? "u00" : "x", into: &data)
            data.append(hexDigit(byte >> 4))
            data.append(hexDigit(byte & 15))
        }
    }

    /// Everything beyond ASCII by its UTF-16 units, so that neither C1 controls nor changes of direction reach a
    /// terminal.
    private static func appendEscapes(of text: String, into data: inout [UInt8]) {
        for unit in text.utf16 {
            append("\\u", into: &data)
            for shift in [12, 8, 4, 0] as [UInt16] {
                data.append(hexDigit(UInt8(truncatingIfNeeded: unit >> shift & 15)))
            }
        }
    }

    /// The eight groups of an address, the longest run of zeros as `::` (RFC 5952 §4).
    private static func appendGroups(_ high: UInt64, _ low: UInt64, into data: inout [UInt8]) {
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
                append("::", into: &data)
                index = longest.upperBound
                continue
            }
            if index > 0, index != longest.upperBound || longest.isEmpty { data.append(UInt8(ascii: ":")) }
            appendHex(group(index), into: &data)
            index += 1
        }
    }

    private static func appendHex(_ value: UInt64, into data: inout [UInt8]) {
        var shift: UInt64 = 12
        while shift > 0, value >> shift == 0 { shift -= 4 }
        while true {
            data.append(hexDigit(UInt8(truncatingIfNeeded: value >> shift & 15)))
            guard shift > 0 else { return }
            shift -= 4
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? value + 0x30 : value - 10 + UInt8(ascii: "a") }
}
