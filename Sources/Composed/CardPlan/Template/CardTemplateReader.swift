import Colors
import Digest
import JSON
import Parameters

/// What is wrong with a template, and where in its file.
package struct CardTemplateFault: Error, Equatable, Sendable {
    package let path: String
    package let cause: String
}

package struct CardTemplateFaults: Error, Equatable, Sendable {
    package let faults: [CardTemplateFault]
}

extension CardTemplate {
    /// Reads the file of a template; throws all its faults at once.
    package static func read(_ bytes: [UInt8], name: String) throws(CardTemplateFaults) -> CardTemplate {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONReader.read(bytes, depthLimit: 12, byteLimit: byteLimit)
        } catch {
            throw CardTemplateFaults(faults: [CardTemplateFault(path: "", cause: "it is not JSON: \(error.message)")])
        }
        guard let root = json.object else {
            throw CardTemplateFaults(faults: [CardTemplateFault(path: "", cause: "an object is expected")])
        }
        var reader = CardTemplateReader()
        let digest = SHA256.digest(of: bytes).hex.prefix(24)
        let template = reader.template(
            MemberReader(object: root, path: ""), CardTemplate(name: name, digest: String(digest)))
        guard reader.faults.isEmpty else { throw CardTemplateFaults(faults: reader.faults) }
        return template
    }
}

/// Reads a template. Goes on after a fault, so that all are told at once.
struct CardTemplateReader {
    private(set) var faults: [CardTemplateFault] = []
    private var fields: [CardField] = []
    var elementCount = 0
    var pictureCount = 0
    var mapCount = 0

    mutating func note(_ members: MemberReader) {
        faults += members.faults.map { CardTemplateFault(path: $0.path, cause: $0.cause) }
    }

    mutating func template(_ members: MemberReader, _ empty: CardTemplate) -> CardTemplate {
        var (members, template) = (members, empty)
        members.requireKnown(["width", "height", "description", "fields", "background", "mirror", "elements"])
        _ = members.text("description")
        template.widthPx = members.integer("width", in: CardTemplate.sides) ?? template.widthPx
        template.heightPx = members.integer("height", in: CardTemplate.sides) ?? template.heightPx
        readFields(&members)
        template.fields = fields
        template.background = paint("background", &members) ?? template.background
        template.mirroredBy = field("mirror", of: ["text"], &members)
        let elements = members.object["elements"]
        if elements == nil { members.fail("elements", "an array of elements is expected") }
        template.elements = self.elements(elements, "elements", &members, mayStack: true)
        note(members)
        return template
    }

    // MARK: Fields

    private mutating func readFields(_ members: inout MemberReader) {
        guard let value = members.object["fields"] else { return }
        guard let object = value.object, object.members.count <= CardTemplate.fieldLimit else {
            return members.fail("fields", "an object of at most \(CardTemplate.fieldLimit) fields is expected")
        }
        for member in object.members {
            let path = "fields.\(member.name)"
            guard CardTemplate.isName(member.name), !CardTemplate.reservedNames.contains(member.name) else {
                members.fail(
                    path,
                    "a field has 1 to 64 of a-z, 0-9, - and _, and is none of \(CardTemplate.reservedNames.joined(separator: ", "))"
                )
                continue
            }
            guard let inner = member.value.object else {
                members.fail(path, "an object is expected")
                continue
            }
            var reader = MemberReader(object: inner, path: path)
            fields.append(field(member.name, &reader))
            note(reader)
        }
    }

    private mutating func field(_ name: String, _ members: inout MemberReader) -> CardField {
        let word = members.word("type", CardField.Kind.names) ?? "text"
        var known = ["type", "default", "required", "description"]
        _ = members.text("description")
        var field = CardField(name: name, kind: .text(limit: 200))
        switch word {
        case "number":
            known += ["min", "max"]
            let least = decimal("min", &members) ?? -999_999_999
            let most = decimal("max", &members) ?? 999_999_999
            if least > most { members.fail("max", "a number of at least min is expected") }
            field.kind = .number(least...max(least, most))
        case "color": field.kind = .color
        case "picture": field.kind = .picture
        case "style": field.kind = .style
        case "choice":
            known += ["values"]
            if !members.has("values") { members.fail("values", "an array of 1 to 64 strings is expected") }
            field.kind = .choice(members.texts("values", limit: 64))
        default:
            known += ["limit"]
            field.kind = .text(limit: members.integer("limit", in: CardTemplate.textLimits) ?? 200)
        }
        members.requireKnown(known)
        field.isRequired = flag("required", &members) ?? false
        if let value = members.object["default"] {
            let text = value.text ?? value.number.map { "\(PlainDecimal(floatLiteral: $0))" }
            do throws(ParameterFault.Reason) {
                field.usual = try field.parse(text ?? "")
            } catch {
                members.fail("default", ParameterFault(parameter: "it", value: "", reason: error).message)
            }
            if field.isRequired { members.fail("default", "a field with a default cannot be required") }
        }
        return field
    }

    // MARK: Values

    private func decimal(_ name: String, _ members: inout MemberReader) -> PlainDecimal? {
        members.number(name).map { PlainDecimal(floatLiteral: $0) }
    }

    func flag(_ name: String, _ members: inout MemberReader) -> Bool? {
        guard let value = members.object[name] else { return nil }
        if value.boolean == nil { members.fail(name, "true or false is expected") }
        return value.boolean
    }

    func number(_ name: String, _ range: ClosedRange<Double>, _ members: inout MemberReader) -> Double? {
        guard let number = members.number(name) else { return nil }
        if range.contains(number) { return number }
        members.fail(name, "a number from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound)) is expected")
        return nil
    }

    static func text(_ number: Double) -> String { PlainDecimal(floatLiteral: number).description }

    /// The name of a field of one of these kinds.
    func field(_ name: String, of kinds: [String], _ members: inout MemberReader) -> String? {
        guard let text = members.text(name) else { return nil }
        return check(text, of: kinds, name, &members)
    }

    @discardableResult
    func check(_ field: String, of kinds: [String], _ name: String, _ members: inout MemberReader) -> String? {
        guard let known = fields.first(where: { $0.name == field }) else {
            let hint = Suggestion.hint(for: field, among: fields.map(\.name), quote: "'")
            members.fail(name, "there is no field '\(field)'\(hint)")
            return nil
        }
        guard kinds.isEmpty || kinds.contains(known.kind.word) else {
            members.fail(
                name,
                "a field of type \(kinds.joined(separator: " or ")) is expected, '\(field)' is a \(known.kind.word)")
            return nil
        }
        return field
    }

    /// The name between braces that are all of a text.
    private static func fieldName(_ text: String) -> String? {
        text.hasPrefix("{") && text.hasSuffix("}") && text.count > 2 ? String(text.dropFirst().dropLast()) : nil
    }

    func value<Value>(
        _ name: String, of kinds: [String], _ members: inout MemberReader, expecting words: String,
        by read: (JSONValue) -> Value?
    ) -> CardValue<Value>? {
        guard let value = members.object[name] else { return nil }
        return self.value(value, name, of: kinds, &members, expecting: words, by: read)
    }

    func value<Value>(
        _ value: JSONValue, _ name: String, of kinds: [String], _ members: inout MemberReader, expecting words: String,
        by read: (JSONValue) -> Value?
    ) -> CardValue<Value>? {
        if let field = value.text.flatMap(Self.fieldName) {
            return check(field, of: kinds, name, &members).map { .field($0) }
        }
        if let fixed = read(value) { return .fixed(fixed) }
        members.fail(name, "\(words) is expected, or a field such as {\(kinds.first ?? "")}")
        return nil
    }

    func color(_ name: String, _ members: inout MemberReader) -> CardValue<Color>? {
        members.object[name].flatMap { color($0, name, &members) }
    }

    private func color(_ value: JSONValue, _ name: String, _ members: inout MemberReader) -> CardValue<Color>? {
        self.value(value, name, of: ["color"], &members, expecting: Color.allowed) {
            $0.text.flatMap { Color(text: $0) }
        }
    }

    /// A color, or `{"angle": 135, "colors": […]}`.
    func paint(_ name: String, _ members: inout MemberReader) -> CardPaint? {
        guard let value = members.object[name] else { return nil }
        guard let object = value.object else { return color(value, name, &members).map { .color($0) } }
        var inner = MemberReader(
            object: object, path: [members.path, name].filter { !$0.isEmpty }.joined(separator: "."))
        inner.requireKnown(["angle", "colors"])
        let degrees = number("angle", -360...360, &inner) ?? 180
        let given = object["colors"]?.elements ?? []
        if !(2...8).contains(given.count) { inner.fail("colors", "an array of 2 to 8 colors is expected") }
        let colors = given.prefix(8).enumerated().compactMap { color($1, "colors[\($0)]", &inner) }
        for fault in inner.faults {
            members.fail(String(fault.path.dropFirst(members.path.isEmpty ? 0 : members.path.count + 1)), fault.cause)
        }
        return colors.isEmpty ? nil : .gradient(degrees: degrees, colors)
    }
}
