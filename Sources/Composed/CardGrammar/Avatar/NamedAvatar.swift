import Colors
import ImagePlan
package import Parameters

/// `/api/` as ui-avatars has it: the initials of a name, for programs that have that server's address built in.
package struct NamedAvatar: Sendable {
    /// In canonical order.
    package static let table = ParameterTable([
        .init("name"), .init("size"), .init("background"), .init("color"), .init("length"), .init("font-size"),
        .init("rounded"), .init("bold"), .init("uppercase"), .init("format"),
    ])

    private static let usualName = "John Doe"
    private static let usualGround = Color(rgb: 0xf0e9e9)
    private static let usualInk = Color(rgb: 0x8b5d5d)
    private static let usualShare: PlainDecimal = 0.5

    package let request: AvatarRequest
    /// Full names, fixed order, no defaults; parsing it gives the request again.
    package let canonical: String

    package static func parse(_ items: [QueryItem]) throws(ParameterFaults) -> NamedAvatar {
        var reader = ParameterReader(items, table: table)
        var request = AvatarRequest()
        var query = CanonicalQuery()
        func add(_ name: String, _ value: String, unless usual: String) {
            if value != usual { query.append(name, value) }
        }
        let name = reader.value("name") { text throws(Fault) in try CardText.parse(text, 100) } ?? usualName
        add("name", name, unless: usualName)
        request.sizePx = reader.int("size", 16...512) ?? 64
        add("size", "\(request.sizePx)", unless: "64")
        let isRandom = items.last { $0.name == "background" }?.value == "random"
        let ground = isRandom ? nil : reader.value("background", NamedParts.opaque) ?? usualGround
        add("background", ground?.canonical ?? "random", unless: usualGround.canonical)
        let ink = reader.value("color", NamedParts.opaque) ?? usualInk
        add("color", ink.canonical, unless: usualInk.canonical)
        let count = reader.int("length", 1...3) ?? 2
        add("length", "\(count)", unless: "2")
        let share = reader.decimal("font-size", 0.1...1) ?? usualShare
        add("font-size", share.description, unless: usualShare.description)
        let isRounded = flag("rounded", &reader) ?? false
        add("rounded", "\(isRounded)", unless: "false")
        let isBold = flag("bold", &reader) ?? false
        add("bold", "\(isBold)", unless: "false")
        let isUpper = flag("uppercase", &reader) ?? true
        add("uppercase", "\(isUpper)", unless: "true")
        let format = reader.choice("format", [DrawnEncoding.vector] + DrawnEncoding.formats.map(\.rawValue))
        request.encoding.format = format.flatMap(OutputFormat.init(rawValue:))
        request.encoding.isVector = format == DrawnEncoding.vector
        if let format { query.append("format", format) }
        try reader.finish()
        var person = AvatarPerson(name: name)
        person.color = ground
        request.persons = [person]
        request.shape = isRounded ? .circle : .square
        request.spelledInitials = Initials.ofWord(name, count, isUpper: isUpper)
        request.letters = AvatarLetters(ink: ink, isBold: isBold, share: share)
        return NamedAvatar(request: request, canonical: query.text)
    }

    private static func flag(_ name: String, _ reader: inout ParameterReader) -> Bool? {
        reader.choice(name, ["true", "false", "1", "0"]).map { $0 == "true" || $0 == "1" }
    }
}
