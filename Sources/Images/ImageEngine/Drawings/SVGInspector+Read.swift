extension SVGInspector {
    mutating func read() throws(ImageError) {
        var index = 0
        while let start = text[index...].firstIndex(of: UInt8(ascii: "<")) {
            if isInStyle { try note(rules: text[index..<start], mayHaveEntities: true) }
            try note(characters: text[index..<start])
            index = start
            if starts(with: "<!--", at: index) {
                index = end(of: "-->", from: index + 4)
            } else if starts(with: "<![CDATA[", at: index) {
                let end = end(of: "]]>", from: index + 9)
                if isInStyle { try note(rules: text[index..<end].dropFirst(9).dropLast(3)) }
                if isInText { note(laidOut: end - index) }
                index = end
            } else if starts(with: "<?", at: index) {
                let end = end(of: "?>", from: index + 2)
                if starts(with: "<?xml", at: index) { try checkInstruction(text[index..<end]) }
                index = end
            } else if starts(with: "<!", at: index) {
                index = try declaration(from: index)
            } else if starts(with: "</", at: index) {
                if open.count > 1 { open.removeLast() }
                if open.count < styleDepth { styleDepth = .max }
                if open.count < textDepth { textDepth = .max }
                index = end(of: ">", from: index + 2)
            } else {
                index = try element(from: index + 1)
            }
        }
    }

    /// Refuses encodings without ASCII and style sheets at a `data:` URL, which could not be counted.
    private func checkInstruction(_ declaration: ArraySlice<UInt8>) throws(ImageError) {
        let words = String(decoding: declaration, as: UTF8.self).lowercased()
        if words.hasPrefix("<?xml-stylesheet"), words.contains("data:") || words.contains("&") {
            throw .tooComplex(.expansion)
        }
        guard let start = words.firstRange(of: "encoding")?.upperBound else { return }
        let name = words[start...].drop { !$0.isLetter }
        guard ["utf-8", "us-ascii", "ascii", "iso-8859-", "windows-125", "latin1"].contains(where: name.hasPrefix)
        else { throw .tooComplex(.expansion) }
    }

    /// Skips a document type. Attribute defaults are refused, because they would not be counted, except namespaces.
    private mutating func declaration(from start: Int) throws(ImageError) -> Int {
        var (index, depth, quote, opened) = (start, 0, UInt8(0), start)
        // The start of an attribute declaration.
        var attributes: Int?
        while index < text.count {
            let byte = text[index]
            if quote != 0 {
                if byte == quote {
                    quote = 0
                    longestEntity = max(longestEntity, index - opened)
                } else if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") {
                    throw .tooComplex(.expansion)
                }
            } else {
                switch byte {
                case UInt8(ascii: "%"): if attributes != nil { throw .tooComplex(.expansion) }
                case UInt8(ascii: "\""), UInt8(ascii: "'"):
                    if let start = attributes {
                        guard givesNamespacesAlone(start) else { throw .tooComplex(.expansion) }
                        attributes = nil
                    }
                    (quote, opened) = (byte, index)
                case UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "]"): depth -= 1
                case UInt8(ascii: ">") where depth <= 0: return index + 1
                case UInt8(ascii: "<") where starts(with: "<!--", at: index):
                    index = end(of: "-->", from: index + 4)
                    continue
                case UInt8(ascii: "<"): attributes = starts(with: "<!ATTLIST", at: index) ? index : nil
                default: break
                }
            }
            index += 1
        }
        return index
    }

    /// Whether the attribute declaration at `start` sets nothing but namespaces, as older programs write it.
    private func givesNamespacesAlone(_ start: Int) -> Bool {
        let declaration = text[start...].prefix(1024).prefix { $0 != UInt8(ascii: ">") }
        var words = declaration.split(whereSeparator: \.isBlank)[...]
        guard declaration.endIndex < text.count, text[declaration.endIndex] == UInt8(ascii: ">"),
            words.popFirst()?.elementsEqual("<!ATTLIST".utf8) == true, words.popFirst() != nil
        else { return false }
        while let name = words.popFirst() {
            guard name.starts(with: "xmlns".utf8), !name.contains(where: { "%&\"'(".utf8.contains($0) }),
                words.popFirst()?.elementsEqual("CDATA".utf8) == true
            else { return false }
            if words.first?.elementsEqual("#FIXED".utf8) == true { words.removeFirst() }
            guard let value = words.popFirst(), value.count > 1, let quote = value.first, value.last == quote,
                "\"'".utf8.contains(quote), !value.dropFirst().dropLast().contains(quote)
            else { return false }
        }
        return true
    }

    private mutating func note(rules: ArraySlice<UInt8>, mayHaveEntities: Bool = false) throws(ImageError) {
        guard readsSheets else { return }
        if mayHaveEntities { try refuseEntities(rules) }
        try sheet.add(try StyleText.normalised(rules))
    }

    private mutating func note(characters: ArraySlice<UInt8>) throws(ImageError) {
        guard isInText else { return try noteEntities(characters) }
        try refuseEntities(characters, butNumbers: true)
        note(laidOut: characters.count)
    }

    /// Text laid out in one piece takes time quadratic in its length: measured with librsvg 2.54.
    private mutating func note(laidOut byteCount: Int) {
        guard byteCount > 0 else { return }
        longestText = max(longestText, byteCount)
        let count = Double(byteCount)
        let node = open[open.count - 1]
        nodes[node].own[0] += (14_000 * count + 60 * count * count) / Self.nanosecondsPerElement
        nodes[node].own[7] += 6 * count * lengths.fontSize
    }

    private mutating func element(from start: Int) throws(ImageError) -> Int {
        try checkStop()
        let mark = text[start...].firstIndex { $0.isBlank || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/") }
        let end = mark ?? text.count
        let name = local(text[start..<end])
        var node = Node()
        node.isHidden = Self.hidden.contains { name.elementsEqual($0.utf8) }
        var marks = Marks()
        let (after, isOpen) = try attributes(from: end, of: name, into: &node, &marks)
        try note(referenceCount: node.references.count + marks.references.count)
        try apply(to: name, &marks)
        try finish(name, &node, marks)
        let index = nodes.count
        // The parser holds all elements, drawn or not.
        guard index <= DrawingLimits.elements else { throw .tooComplex(.elements(limit: DrawingLimits.elements)) }
        let parent = open[open.count - 1]
        ancestorCount += Double(open.count)
        siblingCount += Double(nodes[parent].childCount)
        nodes[parent].childCount += 1
        node.elderSibling = nodes[parent].lastChild
        nodes[parent].lastChild = index
        nodes.append(node)
        if let id = marks.id, places[id] == nil { places[id] = index }
        guard isOpen else { return after }
        open.append(index)
        guard open.count <= DrawingLimits.nesting + 1 else { throw .tooComplex(.nesting(limit: DrawingLimits.nesting)) }
        if !isInStyle, name.elementsEqual("style".utf8) { styleDepth = open.count }
        if !isInText, name.elementsEqual("text".utf8) { textDepth = open.count }
        return after
    }

    static func diagonal(_ width: Double, _ height: Double) -> Double {
        let found = (width * width + height * height).squareRoot()
        return found.isFinite ? found : 0
    }

    static func numbers(of value: ArraySlice<UInt8>) -> [Double] {
        var reader = NumberReader(value)
        var found: [Double] = []
        while found.count < 64, let token = reader.next() {
            if case .number(let number) = token { found.append(number) }
        }
        return found
    }

    /// The `name` in `url(#name)`.
    static func reference(in value: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let hash = value.firstIndex(of: UInt8(ascii: "#")), value[..<hash].contains(UInt8(ascii: "(")) else {
            return nil
        }
        return value[(hash + 1)...].prefix { !")\"'".utf8.contains($0) }
    }

    /// `value` with references to blanks (`&#10;`) replaced by spaces, so that they separate numbers.
    static func withBlanks(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var (plain, rest) = (value, value)
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            rest = rest[(start + 1)...]
            let name = rest.prefix(64).prefix { $0 != UInt8(ascii: ";") }
            guard name.endIndex < value.endIndex, value[name.endIndex] == UInt8(ascii: ";"), isBlank(name) else {
                continue
            }
            for index in start...name.endIndex { plain[index] = UInt8(ascii: " ") }
        }
        return plain
    }

    /// Whether an entity is the code of a tab, line end or space.
    private static func isBlank(_ name: ArraySlice<UInt8>) -> Bool {
        guard name.first == UInt8(ascii: "#") else { return false }
        let isHexadecimal = name.dropFirst().first == UInt8(ascii: "x")
        let digits = name.dropFirst(isHexadecimal ? 2 : 1).drop { $0 == UInt8(ascii: "0") }
        let number = String(decoding: digits, as: UTF8.self).lowercased()
        return (isHexadecimal ? ["9", "a", "d", "20"] : ["9", "10", "13", "32"]).contains(number)
    }

    /// Refuses entities, whose content would not be counted; with `butNumbers` character codes are allowed.
    func refuseEntities(_ value: ArraySlice<UInt8>, butNumbers: Bool = false) throws(ImageError) {
        var rest = value
        while let name = Self.nextEntity(in: &rest) {
            guard butNumbers, name.first == UInt8(ascii: "#") else { throw .tooComplex(.expansion) }
        }
    }

    /// Adds the length of entities in a value that is not read itself; throws `tooComplex` over the limit.
    mutating func noteEntities(_ value: ArraySlice<UInt8>) throws(ImageError) {
        var rest = value
        while let name = Self.nextEntity(in: &rest) {
            guard name.first != UInt8(ascii: "#") else { continue }
            entityByteCount += longestEntity
            guard entityByteCount <= DrawingLimits.byteCount else { throw .tooComplex(.expansion) }
        }
    }

    /// The name of the next entity other than the five of XML; moves `text` after its `&`.
    private static func nextEntity(in text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        while let start = text.firstIndex(of: UInt8(ascii: "&")) {
            text = text[(start + 1)...]
            let name = text.prefix(64).prefix { $0 != UInt8(ascii: ";") }
            guard ["quot", "apos", "amp", "lt", "gt"].contains(where: { name.elementsEqual($0.utf8) }) else {
                return name
            }
        }
        return nil
    }
}
