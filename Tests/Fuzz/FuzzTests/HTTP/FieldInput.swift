import Bytes
import HTTPMessage

// Lines of `byte value`: the byte picks the name of the field.

/// Field values that are read for what they say, and written.
enum FieldInput {
    private static let names: [FieldName] = [
        .accept, .ifNoneMatch, .ifMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange, .range, .connection,
    ]
    private static let now: Int64 = 1_800_000_000

    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var fields = Fields()
        for line in bytes.split(separator: 0x0a) {
            guard let picked = line.first else { continue }
            let name = names[Int(picked) % names.count]
            let value = String(decoding: line.dropFirst(), as: UTF8.self)
            fields.append(name, value)
            try checkTag(value)
            try checkDate(value)
            try checkWriting(name, value)
            try RangeInput.check(value, byteCount: Int(picked))
        }
        ask(.get, fields)
        ask(.put, fields)
        try checkAccept(fields)
    }

    /// Has everything that reads field values read `fields`.
    static func ask(_ method: Method, _ fields: Fields) {
        let validators = Validators(entityTag: EntityTag(opaque: "a"), lastModified: now)
        _ = Preconditions.evaluate(method, fields, validators, now: now)
        _ = Preconditions.evaluate(method, fields, Validators(entityTag: nil), now: now)
        _ = AcceptField.parse(fields).quality(of: "image/webp")
        _ = RangeSelection.evaluate(method, fields, validators, byteCount: 100, now: now)
    }

    private static func checkAccept(_ fields: Fields) throws(BrokenInvariant) {
        let accept = AcceptField.parse(fields)
        for type in ["image/webp", "image/avif", "*/*", "text", ""] {
            let quality = accept.quality(of: type)
            try BrokenInvariant.require((0...1).contains(quality), "a weight of \(quality)")
            try BrokenInvariant.require(!accept.isExplicit(type) || quality > 0, "\(type) is explicit and refused")
        }
    }

    private static func checkTag(_ text: String) throws(BrokenInvariant) {
        guard let tag = EntityTag(text) else { return }
        try BrokenInvariant.require(tag.text == text, "\(text) became \(tag.text)")
        var fields = Fields()
        fields.append(.ifNoneMatch, "\"other\" , " + text)
        let outcome = Preconditions.evaluate(.get, fields, Validators(entityTag: tag), now: now)
        try BrokenInvariant.require(outcome == .notModified, "\(text) is not found in a list: \(outcome)")
    }

    private static func checkDate(_ text: String) throws(BrokenInvariant) {
        guard let instant = HTTPDate.parse(text, now: now) else { return }
        let written = HTTPDate.text(instant)
        let again = HTTPDate.parse(written, now: now)
        try BrokenInvariant.require(again == min(instant, HTTPDate.range.upperBound), "\(text) became \(written)")
    }

    /// A value is refused, or it is one field line with that value.
    private static func checkWriting(_ name: FieldName, _ value: String) throws(BrokenInvariant) {
        var bytes = Array("GET / HTTP/1.0\r\n".utf8)
        do throws(ResponseError) { try ResponseWriter.append(name, value, into: &bytes) } catch { return }
        bytes += [0x0d, 0x0a]
        var parser = RequestHeadParser()
        switch parser.parse(bytes.span.bytes) {
        case .complete(let head, let consumed):
            let isOneLine = consumed == bytes.count && head.fields.count == 1
            try BrokenInvariant.require(isOneLine && head.fields.contains(name), "\(value) is more than a value")
            let read = head.fields.first(name).map { Array($0.utf8) } ?? []
            let blanks: [UInt8] = [0x20, 0x09]
            let start = value.utf8.drop { blanks.contains($0) }
            try BrokenInvariant.require(Array(start).starts(with: read), "\(value) was read as another")
        case .failed(.fieldTooLarge), .failed(.headTooLarge): break
        case let other: throw BrokenInvariant("\(value) came to \(other)")
        }
    }
}
