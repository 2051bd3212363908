import Colors
import ImagePlan
package import Parameters

extension PollRequest {
    /// The parameters of `/poll` or `/poll.json`, in canonical order.
    package static func table(_ purpose: Purpose) -> ParameterTable { purpose == .picture ? table : positionsTable }

    private static let table = ParameterTable(positionsTable.parameters + [.init("explain")])
    private static let positionsTable = ParameterTable(
        [
            .init("question"), .init("option", aliases: ["options"], isRepeatable: true), .init("data"),
            .init("layout"), .init("width", aliases: ["w"]), .init("card"), .init("scale", aliases: ["dpr"]),
            .init("multiple"), .init("voters"), .init("closes"), .init("now"), .init("closed"), .init("anonymous"),
            .init("sort"), .init("winner"), .init("percent"), .init("theme"), .init("accent"),
            .init("language", aliases: ["lang"]), .init("animate"),
        ] + DrawnEncoding.parameters)

    /// Throws all faults at once, in the order of the URL.
    package static func parse(
        _ items: [QueryItem], for purpose: Purpose = .picture
    ) throws(ParameterFaults) -> PollRequest {
        var reader = ParameterReader(items, table: table(purpose))
        var request = PollRequest()
        request.question = reader.value("question") { text throws(Fault) in try CardText.parse(text, questionLimit) }
        request.dataID = reader.value("data") { text throws(Fault) in
            guard (1...2048).contains(text.utf8.count) else {
                throw .malformed(allowed: "an address or the id of an asset")
            }
            return text
        }
        if reader.isPresent("data") {
            for name in contentNames where reader.isPresent(name) { reader.refuse(name, .conflict(with: ["data"])) }
        } else {
            request.readOptions(&reader)
        }
        request.layout = reader.choice("layout") ?? .bars
        request.readSize(&reader)
        request.readVoters(&reader)
        request.closes = reader.value("closes", Moment.parse)
        request.now = reader.value("now", Moment.parse)
        if request.now != nil, !reader.isPresent("closes"), !reader.isPresent("data") {
            reader.refuse("now", .incomplete(without: ["closes"]))
        }
        request.isClosed = reader.flag("closed") ?? false
        request.isAnonymous = reader.flag("anonymous") ?? false
        request.order = reader.choice("sort") ?? .given
        request.winner = reader.choice("winner") ?? .bold
        request.percent = reader.choice("percent") ?? .largestRemainder
        request.theme = reader.choice("theme") ?? .light
        request.accent = reader.value("accent", NamedParts.opaque)
        request.language = reader.choice("language")
        request.readEncoding(&reader)
        if purpose == .picture { request.isExplained = reader.flag("explain") ?? false }
        try reader.finish()
        return request
    }

    /// For `POST`, whose content has the parameters as members of an object.
    package static func items(ofBody bytes: [UInt8]) throws(ParameterFaults) -> [QueryItem] {
        try JSONItems.read(bytes, table: table, bodyForm)
    }

    package static let bodyByteLimit = 256 << 10

    private static var bodyForm: JSONItems.Form {
        var form = JSONItems.Form()
        form.byteLimit = bodyByteLimit
        form.itemLimit = QueryItems.countLimit
        form.objectMembers = ["option": PollOptionText.form.names]
        return form
    }

    /// What the file of `data` has in place of the request.
    private static let contentNames = [
        "question", "option", "multiple", "voters", "closes", "closed", "anonymous",
    ]
    private static let contentTable = ParameterTable(
        table.parameters.filter { contentNames.contains($0.name) })

    /// This request with what the file of `data` says; its other members are passed over.
    package func filled(with bytes: [UInt8]) throws(ParameterFaults) -> PollRequest {
        var form = Self.bodyForm
        form.ignoresUnknown = true
        var own = self
        own.dataID = nil
        // When it ends is told by the file, and may not be.
        let told = try JSONItems.read(bytes, table: Self.contentTable, form)
        let looks = own.canonicalItems.filter { $0.name != "now" || told.contains { $0.name == "closes" } }
        var filled = try Self.parse(told + looks)
        // What an answer is made of follows from its request, which the file does not.
        for index in filled.options.indices { (filled.options[index].iconID, filled.options[index].faces) = (nil, []) }
        return filled
    }

    private mutating func readOptions(_ reader: inout ParameterReader) {
        var count = 0
        let counts = Self.optionCounts
        let allowed = "given \(counts.lowerBound) to \(counts.upperBound) times"
        options = reader.values("option") { text throws(Fault) in
            count += 1
            guard count <= counts.upperBound else { throw .outOfRange(allowed: allowed) }
            return try PollOptionText.parse(text)
        }
        if count == 0 {
            reader.require("option")
        } else if count < counts.lowerBound {
            reader.refuse("option", .outOfRange(allowed: allowed))
        }
    }

    private mutating func readSize(_ reader: inout ParameterReader) {
        widthPx = reader.int("width", Self.widths) ?? Self.usualWidth
        isPreview = reader.choice("card", ["og"]) != nil
        if isPreview, widthPx != Self.usualWidth { reader.refuse("width", .conflict(with: ["card"])) }
        scale = reader.decimal("scale", 1...4) ?? 1
        let width = isPreview ? Self.previewWidth : widthPx
        guard let device = scale.multiplied(by: width), device > Self.sideLimitPx else { return }
        let name = reader.isPresent("width") && scale == 1 ? "width" : "scale"
        reader.refuse(
            name, .outOfRange(allowed: "small enough for width × scale of at most \(Self.sideLimitPx) pixels"))
    }

    private mutating func readEncoding(_ reader: inout ParameterReader) {
        isAnimated = reader.flag("animate") ?? false
        encoding = DrawnEncoding(&reader, formats: DrawnEncoding.formats + [.gif])
        if isAnimated {
            if !encoding.filters.isEmpty { reader.refuse("filter", .conflict(with: ["animate"])) }
            if encoding.format == .jpeg || encoding.format == .avif {
                reader.refuse("format", .conflict(with: ["animate"]))
            }
        } else if encoding.format == .gif {
            reader.refuse("format", .incomplete(without: ["animate"]))
        }
    }

    private mutating func readVoters(_ reader: inout ParameterReader) {
        isMultiple = reader.flag("multiple") ?? false
        voters = reader.int("voters", 0...Self.voteLimit)
        let most = options.compactMap(\.votes).max()
        if let voters, let most, voters < most {
            reader.refuse("voters", .outOfRange(allowed: "at least the \(most) votes that an option has"))
        }
        if isMultiple, most != nil, !reader.isPresent("voters") {
            reader.refuse("multiple", .incomplete(without: ["voters"]))
        }
    }
}

/// `votes:12|color:f80|chosen:1|icon:a.png|faces:b.jpg,c.jpg|names:Bo,Cy|Label`.
enum PollOptionText {
    static let form = NamedParts(
        names: ["votes", "color", "chosen", "icon", "faces", "names", "label"], main: "label",
        usage: "options and a label such as votes:12|color:1f6feb|Pizza")

    static func parse(_ text: String) throws(Fault) -> PollOption {
        let values = try form.read(text)
        guard let label = values["label"] else { throw .malformed(allowed: form.usage) }
        var option = PollOption(label: try CardText.parse(label, PollRequest.labelLimit))
        if let votes = values["votes"] {
            option.votes = try PlainNumber.int(
                votes, in: 0...PollRequest.voteLimit, allowed: "written so that votes is a whole number from 0 to 2⁵³")
        }
        if let color = values["color"] { option.color = try NamedParts.opaque(color) }
        option.isChosen = try NamedParts.flag(values["chosen"], "chosen")
        if let icon = values["icon"] {
            guard (1...AvatarText.idByteLimit).contains(icon.utf8.count) else { throw .malformed(allowed: form.usage) }
            option.iconID = icon
        }
        let ids = try AvatarText.list(values["faces"] ?? "", limit: PollRequest.faceLimit)
        let names = try AvatarText.names(values["names"] ?? "", limit: PollRequest.faceLimit)
        option.faces = AvatarPerson.joined(ids: ids, names: names).filter { $0.id != nil || $0.name != nil }
        return option
    }

    static func canonical(_ option: PollOption) -> String {
        var parts: [String] = []
        if let votes = option.votes { parts.append("votes:\(votes)") }
        if let color = option.color { parts.append("color:\(color.canonical)") }
        if option.isChosen { parts.append("chosen:1") }
        if let icon = option.iconID { parts.append(BarText.escaped("icon:" + icon)) }
        for (name, texts) in [("faces", option.faces.map(\.id)), ("names", option.faces.map(\.name))]
        where texts.contains(where: { $0 != nil }) {
            parts.append(BarText.escaped("\(name):" + texts.map { $0 ?? "" }.joined(separator: ",")))
        }
        return (parts + [form.mainPart(option.label)]).joined(separator: "|")
    }
}

extension PollRequest {
    /// The canonical text: full names, fixed order, no defaults; parsing it gives the request again.
    package var canonical: String { CanonicalQuery(canonicalItems).text }

    package var canonicalItems: [QueryItem] {
        var items: [QueryItem] = []
        func add(_ name: String, _ value: String?) {
            if let value { items.append(QueryItem(name: name, value: value)) }
        }
        add("question", question)
        for option in options { add("option", PollOptionText.canonical(option)) }
        add("data", dataID)
        add("layout", layout == .bars ? nil : layout.rawValue)
        add("width", widthPx == Self.usualWidth ? nil : widthPx.description)
        add("card", isPreview ? "og" : nil)
        add("scale", scale == 1 ? nil : scale.description)
        add("multiple", isMultiple ? "1" : nil)
        add("voters", voters?.description)
        add("closes", closes?.text)
        add("now", now?.text)
        add("closed", isClosed ? "1" : nil)
        add("anonymous", isAnonymous ? "1" : nil)
        add("sort", order == .given ? nil : order.rawValue)
        add("winner", winner == .bold ? nil : winner.rawValue)
        add("percent", percent == .largestRemainder ? nil : percent.rawValue)
        add("theme", theme == .light ? nil : theme.rawValue)
        add("accent", accent?.canonical)
        add("language", language?.rawValue)
        add("animate", isAnimated ? "1" : nil)
        items += encoding.canonicalItems
        add("explain", isExplained ? "1" : nil)
        return items
    }

    package func canonical(byteLimit: Int) -> String? { CanonicalQuery.text(canonicalItems, byteLimit: byteLimit) }
}
