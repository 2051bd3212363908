/// RFC 3986 §2.1.
package enum PercentEncoding {
    /// RFC 3986 §2.3.
    @inlinable package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Escapes all but unreserved characters and `kept`.
    package static func encoded(_ text: String, keeping kept: String = "") -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        append(text, keeping: kept, to: &encoded)
        return String(decoding: encoded, as: UTF8.self)
    }

    package static func append(_ text: String, keeping kept: String, to bytes: inout [UInt8]) {
        for byte in text.utf8 {
            if isUnreserved(byte) || kept.utf8.contains(byte) {
                bytes.append(byte)
            } else {
                appendEscape(of: byte, to: &bytes)
            }
        }
    }

    package static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
        func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10 }
        bytes.append(UInt8(ascii: "%"))
        bytes.append(digit(byte >> 4))
        bytes.append(digit(byte & 15))
    }

    /// A broken escape stays as it is if `keepsBroken`; otherwise the result is nil.
    @inlinable package static func decoded(
        _ text: some Collection<UInt8>, plusIsSpace: Bool = false, keepsBroken: Bool = false
    ) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                var after = rest
                if let high = after.popFirst().flatMap(ASCII.hexValue),
                    let low = after.popFirst().flatMap(ASCII.hexValue)
                {
                    bytes.append(high << 4 | low)
                    rest = after
                } else if keepsBroken {
                    bytes.append(byte)
                } else {
                    return nil
                }
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}
