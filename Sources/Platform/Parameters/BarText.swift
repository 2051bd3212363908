/// Values made of parts between bars: `name:value|…|rest`. A backslash escapes the next byte, so that parts may contain bars.
package enum BarText {
    /// Takes the bytes up to the next bar, without backslashes and leading spaces.
    package static func takePart(_ rest: inout Substring.UTF8View) -> [UInt8] {
        var bytes: [UInt8] = []
        while let byte = rest.first, byte != UInt8(ascii: "|") {
            rest.removeFirst()
            if byte == UInt8(ascii: "\\") {
                if let next = rest.popFirst() { bytes.append(next) }
            } else if byte != UInt8(ascii: " ") || !bytes.isEmpty {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// At least one part, which may be empty.
    package static func parts(of text: String) -> [String] {
        var rest = Substring(text).utf8
        var parts: [String] = []
        repeat { parts.append(String(decoding: takePart(&rest), as: UTF8.self)) } while rest.popFirst() != nil
        return parts
    }

    package static func escaped(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 == UInt8(ascii: "|") || $0 == UInt8(ascii: "\\") }) else { return value }
        var bytes: [UInt8] = []
        for byte in value.utf8 {
            if byte == UInt8(ascii: "|") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
