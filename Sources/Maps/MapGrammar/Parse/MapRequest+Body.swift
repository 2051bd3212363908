import JSON
package import Parameters

extension MapRequest {
    /// The most bytes of the content of `POST /map` unless said otherwise.
    package static let bodyByteLimit = 2 << 20
    /// The most items of the content of `POST /map`.
    package static let bodyItemLimit = 4096

    /// Turns the content of `POST /map`, a JSON object whose members are parameters, into items for `parse`.
    ///
    /// Values are strings, numbers and booleans. An array has the values of a repeatable parameter, or the numbers of a
    /// list (`"bbox": [10, 40, 11, 41]`). `geojson` is a GeoJSON object or an array of them. null counts as absent.
    package static func items(
        ofBody bytes: [UInt8], for purpose: Purpose = .picture, byteLimit: Int = bodyByteLimit
    ) throws(ParameterFaults) -> [QueryItem] {
        var reader = BodyReader(table: table(purpose))
        do throws(JSONError) {
            let json = try JSONReader.read(
                bytes, depthLimit: OverlayLimits.depthLimit + BodyReader.outerDepth, byteLimit: byteLimit)
            if let object = json.object {
                for member in object.members where !reader.isFull { reader.read(member.name, member.value) }
            } else {
                reader.note("body", .malformed(allowed: "a JSON object whose members are parameters"))
            }
        } catch {
            reader.note("body", .malformed(allowed: "a JSON object: \(error.message)"))
        }
        guard reader.faults.isEmpty else { throw ParameterFaults(reader.faults) }
        return reader.items
    }

    /// The canonical query for `Content-Location` and links; nil if it is too long or has too many items.
    package func canonical(byteLimit: Int) -> String? {
        let items = canonicalItems
        guard items.count <= QueryItems.countLimit else { return nil }
        // Encoding only makes it longer.
        guard items.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count }) <= byteLimit else { return nil }
        let text = canonical
        return text.utf8.count <= byteLimit ? text : nil
    }
}

private struct BodyReader {
    /// Objects and arrays around GeoJSON.
    static let outerDepth = 2
    private static let allowed = "a string, a number, a boolean or an array of these"

    let table: ParameterTable
    var items: [QueryItem] = []
    var faults: [ParameterFault] = []
    /// Whether there are too many items; further ones are ignored.
    private(set) var isFull = false

    init(table: ParameterTable) { self.table = table }

    mutating func note(_ name: String, _ reason: Fault) {
        faults.append(ParameterFault(parameter: name, value: "", reason: reason))
    }

    mutating func read(_ name: String, _ value: JSONValue) {
        guard value != .null else { return }
        let parameter = table.parameter(named: name)
        if parameter?.name == "geojson" {
            for value in value.elements ?? [value] where !isFull {
                add(name, value.text ?? value.withoutControls.jsonText)
            }
        } else if let elements = value.elements, parameter?.isRepeatable == true {
            for element in elements where !isFull {
                add(name, element.elements.flatMap { joined($0, ",") } ?? Self.text(element))
            }
        } else if let elements = value.elements {
            add(name, joined(elements, parameter?.name == "size" ? "x" : ","))
        } else {
            add(name, Self.text(value))
        }
    }

    private mutating func add(_ name: String, _ text: String?) {
        guard items.count + faults.count < MapRequest.bodyItemLimit else {
            isFull = true
            faults.insert(
                ParameterFault(parameter: "body", value: "", reason: .tooManyItems(limit: MapRequest.bodyItemLimit)),
                at: 0)
            return
        }
        guard let text else { return note(name, .malformed(allowed: Self.allowed)) }
        guard name.isPlain, text.isPlain else { return note(name, .badEncoding) }
        items.append(QueryItem(name: name, value: text))
    }

    private func joined(_ elements: [JSONValue], _ separator: String) -> String? {
        let texts = elements.compactMap(Self.text)
        return texts.count == elements.count ? texts.joined(separator: separator) : nil
    }

    /// nil for arrays, objects and null.
    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .boolean(let isTrue): isTrue ? "1" : "0"
        // The reader of a parameter refuses larger numbers.
        case .number(let number):
            abs(number) < 999_999_999
                ? PlainDecimal(billionths: Int64((number * 1e9).rounded())).description : "\(number)"
        case .null, .array, .object: nil
        }
    }
}

extension JSONValue {
    /// With spaces for control characters, which parameters refuse.
    var withoutControls: JSONValue {
        switch self {
        case .null, .boolean, .number: return self
        case .string(let text): return .string(Self.withoutControls(text))
        case .array(let elements): return .array(elements.map(\.withoutControls))
        case .object(let object):
            var plain = OrderedObject<JSONValue>()
            for member in object.members { plain[Self.withoutControls(member.name)] = member.value.withoutControls }
            return .object(plain)
        }
    }

    private static func withoutControls(_ text: String) -> String {
        String(decoding: text.utf8.map { $0 < 0x20 || $0 == 0x7f ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }
}
