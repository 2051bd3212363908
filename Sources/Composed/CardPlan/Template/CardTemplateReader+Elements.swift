import ImagePlan
import JSON
import Parameters

// What is drawn.
extension CardTemplateReader {
    mutating func elements(
        _ value: JSONValue?, _ name: String, _ members: inout MemberReader, mayStack: Bool
    ) -> [CardElement] {
        guard let value else { return [] }
        guard let given = value.elements else {
            members.fail(name, "an array of elements is expected")
            return []
        }
        var elements: [CardElement] = []
        for (index, value) in given.enumerated() {
            let path = [members.path, "\(name)[\(index)]"].filter { !$0.isEmpty }.joined(separator: ".")
            elementCount += 1
            guard elementCount <= CardTemplate.elementLimit else {
                members.fail(name, "at most \(CardTemplate.elementLimit) elements are allowed")
                break
            }
            guard let object = value.object else {
                members.fail("\(name)[\(index)]", "an object is expected")
                continue
            }
            var inner = MemberReader(object: object, path: path)
            if let element = element(&inner, isStacked: !mayStack) { elements.append(element) }
            note(inner)
        }
        return elements
    }

    mutating func element(_ members: inout MemberReader, isStacked: Bool) -> CardElement? {
        let words = ["box", "text", "picture", "map"] + (isStacked ? [] : ["stack"])
        guard members.has("type") else {
            members.fail("type", "one of \(words.joined(separator: ", ")) is expected")
            return nil
        }
        guard let word = members.word("type", words) else { return nil }
        let common =
            ["type", "if", "unless", "left", "right", "width", "height"] + (isStacked ? ["gap"] : ["top", "bottom"])
        let content: CardElement.Content?
        switch word {
        case "text":
            members.requireKnown(common + Self.wordsMembers)
            content = self.words(&members).map { .text($0) }
        case "picture":
            members.requireKnown(common + ["id", "fit", "radius", "circle", "gravity"])
            content = picture(&members).map { .picture($0) }
        case "map":
            members.requireKnown(common + ["latitude", "longitude", "zoom", "style", "marker", "radius"])
            content = map(&members).map { .map($0) }
        case "stack":
            members.requireKnown(common + ["gap", "gravity", "elements"])
            content = stack(&members).map { .stack($0) }
        default:
            members.requireKnown(common + ["color", "radius", "border"])
            content = .box(box(&members))
        }
        let frame = frame(&members, isStacked: isStacked)
        if isStacked, word != "text", frame.down.size == nil {
            members.fail("height", "elements of a stack other than texts need a height")
        }
        let (given, absent) = (condition("if", &members), condition("unless", &members))
        let gap = isStacked ? number("gap", 0...2400, &members) : nil
        return content.map { CardElement(frame: frame, given: given, absent: absent, gap: gap, content: $0) }
    }

    func condition(_ name: String, _ members: inout MemberReader) -> [String] {
        guard let value = members.object[name] else { return [] }
        let names = value.text.map { [$0] } ?? members.texts(name, limit: 8)
        return names.compactMap { check($0, of: [], name, &members) }
    }

    func frame(_ members: inout MemberReader, isStacked: Bool) -> CardFrame {
        var frame = CardFrame()
        frame.across = extent("left", "right", size: "width", &members)
        frame.down =
            isStacked ? extent(nil, nil, size: "height", &members) : extent("top", "bottom", size: "height", &members)
        return frame
    }

    func extent(_ start: String?, _ end: String?, size: String, _ members: inout MemberReader) -> CardFrame.Extent {
        let given = [start, end, size].compactMap(\.self).filter { members.has($0) }
        if given.count == 3 { members.fail(given[2], "at most two of \(given.joined(separator: ", ")) are allowed") }
        return CardFrame.Extent(
            start: start.flatMap { length($0, -2400...2400, &members) },
            end: end.flatMap { length($0, -2400...2400, &members) }, size: length(size, 1...2400, &members))
    }

    func length(_ name: String, _ range: ClosedRange<Double>, _ members: inout MemberReader) -> CardFrame.Length? {
        guard let value = members.object[name] else { return nil }
        if let pixels = value.number, range.contains(pixels) { return .pixels(pixels) }
        if let text = value.text, text.hasSuffix("%"),
            let percent = try? PlainNumber.decimal(text.dropLast(), in: -100...200)
        {
            return .share(percent.double / 100)
        }
        members.fail(
            name,
            "pixels from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound)), or percents such as \"50%\", are expected"
        )
        return nil
    }

    func box(_ members: inout MemberReader) -> CardBox {
        var box = CardBox()
        box.paint = paint("color", &members)
        box.radius = number("radius", 0...1200, &members) ?? 0
        guard let value = members.object["border"] else { return box }
        guard let object = value.object else {
            members.fail("border", "an object of width and color is expected")
            return box
        }
        var inner = MemberReader(object: object, path: "border")
        inner.requireKnown(["width", "color"])
        let width = number("width", 0.5...200, &inner) ?? 1
        if let color = color("color", &inner) {
            box.border = CardBox.Border(width: width, color: color)
        } else if !inner.has("color") {
            inner.fail("color", "a color is expected")
        }
        for fault in inner.faults { members.fail(fault.path, fault.cause) }
        return box
    }

    mutating func picture(_ members: inout MemberReader) -> CardPicture? {
        pictureCount += 1
        if pictureCount > CardTemplate.pictureLimit {
            members.fail(nil, "at most \(CardTemplate.pictureLimit) pictures are allowed")
        }
        let fit = members.word("fit", CardPicture.Fit.allCases.map(\.rawValue)).flatMap(CardPicture.Fit.init)
        let radius = number("radius", 0...1200, &members) ?? 0
        let isCircle = flag("circle", &members) ?? false
        let gravity = members.word("gravity", ["attention"] + Compass.allCases.map(\.rawValue))
        if !members.has("id") { members.fail("id", "the id of an asset is expected, or a field such as {picture}") }
        let id = value("id", of: ["picture"], &members, expecting: "the id of an asset") { value in
            value.text.flatMap { (1...2048).contains($0.utf8.count) ? $0 : nil }
        }
        return id.map {
            CardPicture(id: $0, fit: fit ?? .cover, shape: isCircle ? .circle : .rounded(radius), gravity: gravity)
        }
    }

    mutating func map(_ members: inout MemberReader) -> CardMap? {
        mapCount += 1
        if mapCount > 1 { members.fail(nil, "at most one map is allowed") }
        func number(_ name: String, _ range: ClosedRange<Double>) -> CardValue<PlainDecimal>? {
            value(
                name, of: ["number"], &members,
                expecting: "a number from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))"
            ) { value in
                value.number.flatMap { range.contains($0) ? PlainDecimal(floatLiteral: $0) : nil }
            }
        }
        for name in ["latitude", "longitude"] where !members.has(name) {
            members.fail(name, "a number or a field such as {\(name)} is expected")
        }
        let (latitude, longitude) = (number("latitude", -85...85), number("longitude", -180...180))
        let zoom = number("zoom", 0...22) ?? .fixed(14)
        let style = value("style", of: ["style", "choice"], &members, expecting: "the name of a style") { $0.text }
        let marker = color("marker", &members)
        let radius = self.number("radius", 0...1200, &members) ?? 0
        guard let latitude, let longitude else { return nil }
        return CardMap(
            latitude: latitude, longitude: longitude, zoom: zoom, style: style, marker: marker, radius: radius)
    }

    mutating func stack(_ members: inout MemberReader) -> CardStack? {
        var stack = CardStack()
        stack.gap = number("gap", 0...2400, &members) ?? 0
        stack.gravity = gravity(&members)
        if !members.has("elements") { members.fail("elements", "an array of elements is expected") }
        stack.elements = elements(members.object["elements"], "elements", &members, mayStack: false)
        return stack
    }

    func gravity(_ members: inout MemberReader) -> CardWords.Gravity {
        members.word("gravity", CardWords.Gravity.allCases.map(\.rawValue)).flatMap(CardWords.Gravity.init) ?? .top
    }
}
