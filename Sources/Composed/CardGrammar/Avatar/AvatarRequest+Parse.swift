import Bytes
import Colors
import ImagePlan
package import Parameters
import TextLines

extension AvatarRequest {
    /// The parameters of `/avatar`, in canonical order.
    package static let table = ParameterTable(
        [
            .init("person", aliases: ["persons"], isRepeatable: true), .init("ids"), .init("names"),
            .init("size", aliases: ["s"]), .init("scale", aliases: ["dpr"]), .init("shape"), .init("layout"),
            .init("max"), .init("total"), .init("order"), .init("gap"), .init("ring"),
            .init("background", aliases: ["bg"]), .init("fallback"), .init("initials"), .init("palette"),
            .init("status"), .init("badge"), .init("gravity"),
        ] + DrawnEncoding.parameters + [.init("explain")])

    package static func items(ofBody bytes: [UInt8]) throws(ParameterFaults) -> [QueryItem] {
        var form = JSONItems.Form()
        form.byteLimit = PollRequest.bodyByteLimit
        form.itemLimit = QueryItems.countLimit
        form.objectMembers = ["person": AvatarText.form.names]
        return try JSONItems.read(bytes, table: table, form)
    }

    /// Throws all faults at once, in the order of the URL. `digest` gives the SHA-256 of a text in hexadecimal digits, which a
    /// stable order follows.
    package static func parse(
        _ items: [QueryItem], digest: (String) -> String
    ) throws(ParameterFaults) -> AvatarRequest {
        var reader = ParameterReader(items, table: table)
        var request = AvatarRequest()
        request.readPersons(&reader)
        request.sizePx = reader.int("size", 16...1024) ?? usualSize
        request.scale = reader.decimal("scale", 1...4) ?? 1
        request.shape = reader.value("shape", AvatarText.shape) ?? .circle
        request.layout = reader.choice("layout") ?? .auto
        let limit = request.layout == .stack ? rowLimitPx : sideLimitPx
        if let device = request.scale.multiplied(by: request.sizePx), device > limit {
            reader.refuse("scale", .outOfRange(allowed: "small enough for size × scale of at most \(limit) pixels"))
        }
        request.cellLimit = reader.int("max", 1...9) ?? 4
        request.total = reader.int("total", 1...1_000_000)
        if let total = request.total, total < request.persons.count {
            reader.refuse("total", .outOfRange(allowed: "at least the number of people"))
        }
        request.isStable = reader.choice("order", ["given", "stable"]) == "stable"
        request.gap = reader.decimal("gap", 0...20) ?? 2
        request.ring = reader.value("ring", AvatarText.ring)
        request.background = reader.color("background") ?? .transparent
        request.fallbacks = reader.value("fallback", AvatarText.fallbacks) ?? usualFallbacks
        request.initialCount = reader.int("initials", 1...3) ?? 2
        request.palette = reader.value("palette", AvatarText.palette) ?? .calm
        request.status = reader.choice("status")
        request.badge = reader.value("badge", AvatarText.badge)
        if reader.choice("gravity", ["attention", "center"]) == "center" { request.gravity = .center }
        request.encoding = DrawnEncoding(&reader, takesVector: true)
        if request.encoding.isVector {
            if !request.pictureIDs.isEmpty {
                reader.refuse("format", .malformed(allowed: "another one than svg where assets are shown"))
            }
            if !request.encoding.filters.isEmpty { reader.refuse("filter", .conflict(with: ["format"])) }
        }
        request.isExplained = reader.flag("explain") ?? false
        try reader.finish()
        request.sort(digest)
        return request
    }

    private mutating func readPersons(_ reader: inout ParameterReader) {
        let counts = Self.personCounts
        let allowed = "given \(counts.lowerBound) to \(counts.upperBound) times"
        var count = 0
        persons = reader.values("person") { text throws(Fault) in
            count += 1
            guard count <= counts.upperBound else { throw .outOfRange(allowed: allowed) }
            return try AvatarText.person(text)
        }
        let ids =
            reader.value("ids") { text throws(Fault) in try AvatarText.list(text, limit: counts.upperBound) } ?? []
        let names =
            reader.value("names") { text throws(Fault) in try AvatarText.names(text, limit: counts.upperBound) } ?? []
        for name in ["ids", "names"] where reader.isPresent(name) {
            if count > 0 { reader.refuse(name, .conflict(with: ["person"])) }
        }
        if count == 0 {
            persons = AvatarPerson.joined(ids: ids, names: names)
            idParameters.people = "ids"
            let isNobody = persons.count == 1 && persons[0].identity.isEmpty
            if isNobody || !reader.isPresent("ids") && !reader.isPresent("names") { reader.require("person") }
        }
    }
}

extension AvatarPerson {
    /// People by their ids and names, which belong together by position and may be empty.
    static func joined(ids: [String], names: [String]) -> [AvatarPerson] {
        (0..<max(ids.count, names.count)).map { index in
            var person = AvatarPerson()
            if ids.indices.contains(index), !ids[index].isEmpty { person.id = ids[index] }
            let name = names.indices.contains(index) ? CleanText.cleaned(names[index]) : ""
            if CleanText.isVisible(name) { person.name = name }
            return person
        }
    }
}

enum AvatarText {
    private static let nameLimit = 100
    static let idByteLimit = 2048
    static let form = NamedParts(
        names: ["id", "name", "seed", "color"], main: "name",
        usage: "a person such as id:anna.jpg|color:1f6feb|Anna Bell")

    static func person(_ text: String) throws(Fault) -> AvatarPerson {
        let values = try form.read(text)
        var person = AvatarPerson()
        if let id = values["id"] {
            guard (1...idByteLimit).contains(id.utf8.count) else { throw .malformed(allowed: form.usage) }
            person.id = id
        }
        // A name may be empty where something else tells who it is.
        if let name = values["name"], values.count == 1 || !name.isEmpty {
            person.name = try CardText.parse(name, nameLimit)
        }
        if let seed = values["seed"] {
            guard (1...200).contains(seed.utf8.count) else { throw .malformed(allowed: form.usage) }
            person.seed = seed
        }
        if let color = values["color"] { person.color = try NamedParts.opaque(color) }
        return person
    }

    static func canonical(_ person: AvatarPerson) -> String {
        var parts: [String] = []
        if let id = person.id { parts.append(BarText.escaped("id:" + id)) }
        if let seed = person.seed { parts.append(BarText.escaped("seed:" + seed)) }
        if let color = person.color { parts.append("color:" + color.canonical) }
        if let name = person.name { parts.append(form.mainPart(name)) }
        return parts.joined(separator: "|")
    }

    static func list(_ text: String, limit: Int) throws(Fault) -> [String] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= limit else { throw .outOfRange(allowed: "a list of at most \(limit)") }
        guard parts.allSatisfy({ $0.utf8.count <= 800 }) else {
            throw .outOfRange(allowed: "a list of texts of at most 800 bytes each")
        }
        return parts
    }

    /// As a list, each as short as the name of a `person`, in which it is written in the end.
    static func names(_ text: String, limit: Int) throws(Fault) -> [String] {
        let names = try list(text, limit: limit)
        guard names.allSatisfy({ $0.count <= nameLimit }) else {
            throw .outOfRange(allowed: "a list of names of at most \(nameLimit) characters each")
        }
        return names
    }

    static func shape(_ text: String) throws(Fault) -> AvatarRequest.Shape {
        switch text {
        case "circle": return .circle
        case "squircle": return .squircle
        case "square": return .square
        default:
            let allowed = "circle, squircle, square or rounded: and 1 to 512 pixels, such as rounded:16"
            guard text.hasPrefix("rounded:") else { throw .malformed(allowed: allowed) }
            return .rounded(try PlainNumber.int(text.dropFirst(8), in: 1...512, allowed: allowed))
        }
    }

    static func ring(_ text: String) throws(Fault) -> AvatarRequest.Ring {
        let allowed = "a width from 0 to 20 percent and a color, such as 4:white"
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let color = Color(text: String(parts[1])) else { throw .malformed(allowed: allowed) }
        return AvatarRequest.Ring(width: try PlainNumber.decimal(parts[0], in: 0...20, allowed: allowed), color: color)
    }

    /// Digits are a number.
    static func badge(_ text: String) throws(Fault) -> AvatarRequest.Badge {
        let allowed = "a whole number from 0 to 1000000, or the id of an asset"
        guard !text.utf8.allSatisfy(ASCII.isDigit) else {
            return .number(try PlainNumber.int(text, in: 0...1_000_000, allowed: allowed))
        }
        guard text.utf8.count <= idByteLimit else { throw .malformed(allowed: allowed) }
        return .asset(text)
    }

    static func fallbacks(_ text: String) throws(Fault) -> [AvatarRequest.Fallback] {
        let named: [String: AvatarRequest.Fallback] = [
            "initials": .initials, "identicon": .identicon, "retro": .retro, "shape": .shape, "silhouette": .silhouette,
            "color": .color, "blank": .blank, "404": .absent,
        ]
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 4, parts.allSatisfy({ (1...idByteLimit).contains($0.utf8.count) }) else {
            throw .malformed(
                allowed:
                    "up to 4 of initials, identicon, retro, shape, silhouette, color, blank, 404 and ids of assets, separated by commas"
            )
        }
        return parts.map { named[$0] ?? .asset($0) }
    }

    static func canonical(_ fallback: AvatarRequest.Fallback) -> String {
        switch fallback {
        case .initials: "initials"
        case .identicon: "identicon"
        case .retro: "retro"
        case .shape: "shape"
        case .silhouette: "silhouette"
        case .color: "color"
        case .blank: "blank"
        case .absent: "404"
        case .asset(let id): id
        }
    }

    static func palette(_ text: String) throws(Fault) -> AvatarRequest.Palette {
        switch text {
        case "calm": return .calm
        case "bold": return .bold
        case "grey", "gray": return .grey
        default:
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            let colors = parts.compactMap { Color(text: String($0)) }.filter(\.isOpaque)
            guard colors.count == parts.count, colors.count <= 64 else {
                throw .malformed(
                    allowed: "calm, bold, grey or up to 64 colors without transparency, separated by commas")
            }
            return .colors(colors)
        }
    }
}

extension AvatarRequest {
    /// The canonical text: full names, fixed order, no defaults; parsing it gives the request again.
    package var canonical: String { CanonicalQuery(canonicalItems).text }

    package var canonicalItems: [QueryItem] {
        var items: [QueryItem] = []
        func add(_ name: String, _ value: String?) {
            if let value { items.append(QueryItem(name: name, value: value)) }
        }
        if persons.contains(where: { AvatarText.canonical($0).isEmpty }) {
            // Only the short forms have people of whom nothing is known.
            add("names", persons.map { $0.name ?? "" }.joined(separator: ","))
            if persons.contains(where: { $0.id != nil }) {
                add("ids", persons.map { $0.id ?? "" }.joined(separator: ","))
            }
        } else {
            for person in persons { add("person", AvatarText.canonical(person)) }
        }
        add("size", sizePx == Self.usualSize ? nil : sizePx.description)
        add("scale", scale == 1 ? nil : scale.description)
        switch shape {
        case .circle: break
        case .squircle: add("shape", "squircle")
        case .square: add("shape", "square")
        case .rounded(let radius): add("shape", "rounded:\(radius)")
        }
        add("layout", layout == .auto ? nil : layout.rawValue)
        add("max", cellLimit == 4 ? nil : cellLimit.description)
        add("total", total?.description)
        add("order", isStable ? "stable" : nil)
        add("gap", gap == 2 ? nil : gap.description)
        add("ring", ring.map { "\($0.width):\($0.color.canonical)" })
        add("background", background == .transparent ? nil : background.canonical)
        add(
            "fallback",
            fallbacks == Self.usualFallbacks ? nil : fallbacks.map(AvatarText.canonical).joined(separator: ","))
        add("initials", initialCount == 2 ? nil : initialCount.description)
        switch palette {
        case .calm: break
        case .bold: add("palette", "bold")
        case .grey: add("palette", "grey")
        case .colors(let colors): add("palette", colors.map(\.canonical).joined(separator: ","))
        }
        add("status", status?.rawValue)
        switch badge {
        case nil: break
        case .number(let number): add("badge", number.description)
        case .asset(let id): add("badge", id)
        }
        add("gravity", gravity == .center ? "center" : nil)
        items += encoding.canonicalItems
        add("explain", isExplained ? "1" : nil)
        return items
    }

    package func canonical(byteLimit: Int) -> String? { CanonicalQuery.text(canonicalItems, byteLimit: byteLimit) }
}
