package import HTTPMessage

/// Field lines as they go out. A value that could end its line is left out, so that nothing a client or a file name
/// brings can add a field.
package struct FieldLines: Sendable {
    /// The lines, each with its end.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Lines that were taken from `bytes` of another value, as a cache keeps them.
    package init(formatted bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Adds a line with text from anywhere.
    package mutating func append(_ name: FieldName, _ value: String) {
        do throws(ResponseError) {
            try ResponseWriter.append(name, value, into: &bytes)
        } catch {
            // The writer has added nothing.
        }
    }

    /// Adds a line with the program's own text.
    package mutating func append(_ name: FieldName, literal value: StaticString) {
        ResponseWriter.append(name, literal: value, into: &bytes)
    }

    /// Adds a line with a number.
    package mutating func append(_ name: FieldName, _ value: Int) {
        ResponseWriter.append(name, value, into: &bytes)
    }

    /// Adds a line with a date in seconds since 1970.
    package mutating func append(_ name: FieldName, date unixSeconds: Int64) {
        ResponseWriter.append(name, date: unixSeconds, into: &bytes)
    }

    /// Adds a line with an entity tag.
    package mutating func append(_ name: FieldName, _ tag: EntityTag) {
        ResponseWriter.append(name, tag, into: &bytes)
    }

    /// Adds the lines of `other`.
    package mutating func append(_ other: FieldLines) {
        bytes.append(contentsOf: other.bytes)
    }

    /// Takes the first line called `name` out and returns its value; nil when there is none. Looks at every byte before it,
    /// so it is not for what happens with every request.
    package mutating func remove(_ name: FieldName) -> String? {
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
            let colon = bytes[start..<end].firstIndex(of: UInt8(ascii: ":")) ?? end
            if FieldName(String(decoding: bytes[start..<colon], as: UTF8.self)) == name {
                // What follows the colon is a space, the value and the two bytes that end the line.
                let value = String(decoding: bytes[colon..<end].dropFirst(2).dropLast(2), as: UTF8.self)
                bytes.removeSubrange(start..<end)
                return value
            }
            start = end
        }
        return nil
    }
}
