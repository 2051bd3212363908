package import HTTPMessage

/// Leaves out values that could end their line, so that nothing from a client or a file name adds a field.
package struct FieldLines: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// `bytes` are those of another value, as a cache keeps them.
    package init(formatted bytes: [UInt8]) { self.bytes = bytes }

    package mutating func append(_ name: FieldName, _ value: String) {
        // What throws has added nothing.
        try? ResponseWriter.append(name, value, into: &bytes)
    }

    package mutating func append(_ name: FieldName, literal value: StaticString) {
        ResponseWriter.append(name, literal: value, into: &bytes)
    }

    package mutating func append(_ name: FieldName, _ value: Int) { ResponseWriter.append(name, value, into: &bytes) }

    package mutating func append(_ name: FieldName, date unixSeconds: Int64) {
        ResponseWriter.append(name, date: unixSeconds, into: &bytes)
    }

    package mutating func append(_ name: FieldName, _ tag: EntityTag) { ResponseWriter.append(name, tag, into: &bytes) }
    package mutating func append(_ other: FieldLines) { bytes.append(contentsOf: other.bytes) }

    /// Takes out the first line called `name` and returns its value. Scans every byte before it: not for every request.
    package mutating func remove(_ name: FieldName) -> String? {
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
            let colon = bytes[start..<end].firstIndex(of: UInt8(ascii: ":")) ?? end
            if FieldName(String(decoding: bytes[start..<colon], as: UTF8.self)) == name {
                // A space follows the colon, and two bytes end the line.
                let value = String(decoding: bytes[colon..<end].dropFirst(2).dropLast(2), as: UTF8.self)
                bytes.removeSubrange(start..<end)
                return value
            }
            start = end
        }
        return nil
    }
}
