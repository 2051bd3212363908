import Bytes

/// `uri-host [ ":" port ]` (RFC 3986 §3.2.2, §3.2.3; RFC 9110 §7.2).
enum Authority {
    static func isValid(_ text: RawSpan, portRequired: Bool = false) -> Bool {
        guard text.byteCount > 0 else { return false }
        let hostEnd: Int
        if text.byte(0) == UInt8(ascii: "[") {
            let close = text.position(of: UInt8(ascii: "]"), from: 0)
            guard close < text.byteCount, isAddressLiteral(text.extracting(1..<close)) else { return false }
            hostEnd = close + 1
        } else {
            hostEnd = text.position(of: UInt8(ascii: ":"), from: 0)
            guard isRegisteredName(text.extracting(0..<hostEnd)) else { return false }
        }
        if hostEnd == text.byteCount { return !portRequired }
        guard text.byte(hostEnd) == UInt8(ascii: ":") else { return false }
        return isPort(text.extracting((hostEnd + 1)..<text.byteCount), mayBeEmpty: !portRequired)
    }

    private static func isPort(_ text: RawSpan, mayBeEmpty: Bool) -> Bool {
        var value = 0
        for index in 0..<text.byteCount {
            guard ASCII.isDigit(text.byte(index)) else { return false }
            value = value * 10 + Int(text.byte(index) - UInt8(ascii: "0"))
            guard value <= 65535 else { return false }
        }
        return text.byteCount > 0 || mayBeEmpty
    }

    private static func isRegisteredName(_ text: RawSpan) -> Bool {
        var index = 0
        while index < text.byteCount {
            if text.byte(index) == UInt8(ascii: "%") {
                guard text.byteCount - index > 2, ASCII.hexValue(text.byte(index + 1)) != nil,
                    ASCII.hexValue(text.byte(index + 2)) != nil
                else { return false }
                index += 3
            } else {
                guard ByteSet.hostBytes.contains(text.byte(index)) else { return false }
                index += 1
            }
        }
        return text.byteCount > 0
    }

    /// An IPv6 address; *IPvFuture*, which nobody has ever defined, is refused.
    private static func isAddressLiteral(_ text: RawSpan) -> Bool {
        var groupCount = 0
        var isCompressed = false
        var index = 0
        if text.byteCount >= 2, text.byte(0) == UInt8(ascii: ":") {
            guard text.byte(1) == UInt8(ascii: ":") else { return false }
            isCompressed = true
            index = 2
        }
        while index < text.byteCount {
            let start = index
            while index < text.byteCount, ASCII.hexValue(text.byte(index)) != nil { index += 1 }
            if index < text.byteCount, text.byte(index) == UInt8(ascii: ".") {
                guard isIPv4(text.extracting(start..<text.byteCount)) else { return false }
                groupCount += 2
                break
            }
            guard (1...4).contains(index - start) else { return false }
            groupCount += 1
            if index == text.byteCount { break }
            guard text.byte(index) == UInt8(ascii: ":") else { return false }
            index += 1
            if index < text.byteCount, text.byte(index) == UInt8(ascii: ":") {
                guard !isCompressed else { return false }
                isCompressed = true
                index += 1
            } else if index == text.byteCount {
                return false
            }
        }
        return isCompressed ? groupCount <= 7 : groupCount == 8
    }

    private static func isIPv4(_ text: RawSpan) -> Bool {
        var parts = 0
        var digits = 0
        var value = 0
        for index in 0..<text.byteCount {
            let byte = text.byte(index)
            if byte == UInt8(ascii: ".") {
                guard digits > 0 else { return false }
                parts += 1
                (digits, value) = (0, 0)
            } else {
                guard ASCII.isDigit(byte), digits < 3, !(digits > 0 && value == 0) else { return false }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
                digits += 1
                guard value <= 255 else { return false }
            }
        }
        return parts == 3 && digits > 0
    }
}
