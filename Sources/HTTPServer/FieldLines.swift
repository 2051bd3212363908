package import HTTPMessage

/// Field lines as they go out. A value that could end its line is left out, so that nothing a client or a file name
/// brings can add a field.
package struct FieldLines: Sendable {
    /// The lines, each with its end.
    package private(set) var octets: [UInt8] = []

    /// No lines.
    package init() {}

    /// Lines that were taken from `octets` of another value, as a cache keeps them.
    package init(formatted octets: [UInt8]) {
        self.octets = octets
    }

    /// Adds a line with text from anywhere.
    package mutating func append(_ name: FieldName, _ value: String) {
        do throws(ResponseError) {
            try ResponseWriter.append(name, value, into: &octets)
        } catch {
            // The writer has added nothing.
        }
    }

    /// Adds a line with the program's own text.
    package mutating func append(_ name: FieldName, literal value: StaticString) {
        ResponseWriter.append(name, literal: value, into: &octets)
    }

    /// Adds a line with a number.
    package mutating func append(_ name: FieldName, _ value: Int) {
        ResponseWriter.append(name, value, into: &octets)
    }

    /// Adds a line with a date in seconds since 1970.
    package mutating func append(_ name: FieldName, date unixSeconds: Int64) {
        ResponseWriter.append(name, date: unixSeconds, into: &octets)
    }

    /// Adds a line with an entity tag.
    package mutating func append(_ name: FieldName, _ tag: EntityTag) {
        ResponseWriter.append(name, tag, into: &octets)
    }
    /// Adds the lines of `other`.
    package mutating func append(_ other: FieldLines) {
        octets.append(contentsOf: other.octets)
    }
}
