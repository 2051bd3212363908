// XMP is RDF in XML (ISO 16684-1 §7). Only properties of the picture itself count; those of its ingredients are nested
// deeper. The text is read once; only predefined and numeric entities are expanded.

import Bytes

struct XMPReader: MarkupReader {
    /// Longer packets are not read: Photoshop writes several megabytes of history.
    static let byteLimit = 4 << 20
    private static let elementLimit = 200_000
    private static let nestingLimit = 64
    private static let attributeLimit = 256
    private static let prefixLimit = 64
    /// Bytes of a text that are read before leading blanks are dropped.
    private static let valueByteLimit = 4 * Credits.textByteLimit

    let text: [UInt8]
    private(set) var credits = Credits()
    /// Where the properties of the picture stand, in order: elements, and attributes with their values.
    private(set) var places: [(property: Property, range: Range<Int>)] = []
    /// Where the closing tag of `RDF` begins.
    private(set) var rootEnd = 0
    private var open: [Element] = []
    /// The known namespaces of each prefix, from the outermost element to the innermost.
    private var namespaces: [ArraySlice<UInt8>: [Namespace?]] = [:]
    private var prefixCount = 0
    private var value = Value()

    /// Nil without credits, or if the packet cannot be read.
    static func credits(in packet: [UInt8]) -> Credits? {
        guard let credits = XMPReader(packet)?.credits, !credits.isEmpty else { return nil }
        return credits
    }

    /// Nil if the packet is too long, not UTF-8, has a document type, or is malformed. O(bytes).
    init?(_ packet: [UInt8]) {
        guard packet.count <= Self.byteLimit, String(validating: packet, as: UTF8.self) != nil else { return nil }
        text = packet
        guard readsToTheEnd() else { return nil }
    }

    /// Whether nothing is said at `range` of `places`: no text, and no attribute beside languages and prefixes.
    func isEmpty(_ range: Range<Int>) -> Bool {
        guard text[range.lowerBound] == UInt8(ascii: "<") else {
            var attribute = MarkupAttributes(text, from: range.lowerBound)
            return attribute.next()?.value.allSatisfy(\.isBlank) ?? false
        }
        var index = range.lowerBound
        while index < range.upperBound {
            guard text[index] == UInt8(ascii: "<") else {
                guard text[index].isBlank else { return false }
                index += 1
                continue
            }
            // Comments and the like count as something said.
            guard text[index + 1] != UInt8(ascii: "!"), text[index + 1] != UInt8(ascii: "?") else { return false }
            let end = text[index...].firstIndex { $0.isBlank || $0 == UInt8(ascii: ">") } ?? text.count
            var attributes = MarkupAttributes(text, from: end)
            while let name = attributes.next()?.name {
                guard name.elementsEqual("xml:lang".utf8) || name.starts(with: "xmlns:".utf8) else { return false }
            }
            index = attributes.index
        }
        return true
    }

    /// Whether the element `RDF` was found and is complete.
    private mutating func readsToTheEnd() -> Bool {
        var (index, elementCount) = (0, 0)
        while let start = text[index...].firstIndex(of: UInt8(ascii: "<")), start + 1 < text.count {
            if isInText { value.append(text[index..<start], limit: Self.valueByteLimit) }
            switch text[start + 1] {
            case UInt8(ascii: "?"): index = end(of: "?>", from: start + 2)
            case UInt8(ascii: "!"):
                if starts(with: "<!--", at: start) {
                    index = end(of: "-->", from: start + 4)
                } else if starts(with: "<![CDATA[", at: start) {
                    index = end(of: "]]>", from: start + 9)
                    let end = max(start + 9, index - 3)
                    if isInText { value.append(literal: text[(start + 9)..<end], limit: Self.valueByteLimit) }
                } else {
                    return false
                }
            case UInt8(ascii: "/"):
                guard let close = text[start...].firstIndex(of: UInt8(ascii: ">")),
                    let ended = closesElement(text[(start + 2)..<close].trimmed(\.isBlank), before: close + 1)
                else { return false }
                if ended == .root {
                    rootEnd = start
                    return true
                }
                index = close + 1
            default:
                elementCount += 1
                guard elementCount <= Self.elementLimit, let after = opensElement(from: start + 1) else { return false }
                index = after
            }
        }
        return false
    }

    private var isInText: Bool {
        switch open.last?.kind {
        case .property, .item: true
        case .root, .description, .list, .other, nil: false
        }
    }

    /// Reads the tag whose name begins at `start`; returns the index after it, or nil if malformed or too much.
    private mutating func opensElement(from start: Int) -> Int? {
        let end = text[start...].firstIndex { $0.isBlank || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/") }
        guard let end, end > start, open.count < Self.nestingLimit else { return nil }
        let name = text[start..<end]
        guard !name.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return nil }
        var attributes: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []
        var prefixes: [ArraySlice<UInt8>] = []
        var reader = MarkupAttributes(text, from: end)
        while let attribute = reader.next() {
            attributes.append(attribute)
            guard attributes.count <= Self.attributeLimit else { return nil }
            guard attribute.name.starts(with: "xmlns:".utf8) else { continue }
            let prefix = attribute.name.dropFirst(6)
            namespaces[prefix, default: []].append(Namespace(attribute.value))
            prefixes.append(prefix)
            guard prefixCount + prefixes.count <= Self.prefixLimit else { return nil }
        }
        prefixCount += prefixes.count
        guard reader.hasEnded else { return nil }
        if !open.isEmpty { open[open.count - 1].hasChildren = true }
        let resolved = resolve(name)
        let kind = kind(of: resolved)
        if kind == .description { for attribute in attributes { takeAttribute(attribute.name, attribute.value) } }
        let language = attributes.first { $0.name.elementsEqual("xml:lang".utf8) }.flatMap { languageTag($0.value) }
        value = Value()
        guard reader.isOpen else {
            forget(prefixes)
            if case .property(let property) = kind { places.append((property, (start - 1)..<reader.index)) }
            return kind == .root ? nil : reader.index
        }
        open.append(
            Element(name: name, kind: kind, prefixes: prefixes, language: language ?? "x-default", start: start - 1))
        return reader.index
    }

    private mutating func closesElement(_ name: ArraySlice<UInt8>, before end: Int) -> Element.Kind? {
        guard let element = open.popLast(), element.name.elementsEqual(name) else { return nil }
        forget(element.prefixes)
        if case .property(let property) = element.kind { places.append((property, element.start..<end)) }
        if !element.hasChildren, let text = value.text {
            switch element.kind {
            case .property(let property), .item(of: let property): credits.add(text, property, element.language)
            case .root, .description, .list, .other: break
            }
        }
        value = Value()
        return element.kind
    }

    /// `RDF`, possibly in one wrapper; descriptions in it; properties in these; lists in these; items in these.
    private func kind(of name: Name) -> Element.Kind {
        switch open.last?.kind {
        case nil: name.isRDF("RDF") ? .root : .other
        case .other: open.count == 1 && name.isRDF("RDF") ? .root : .other
        case .root: name.isRDF("Description") ? .description : .other
        case .description: name.property.map { .property($0) } ?? .other
        case .property(let property): ["Seq", "Bag", "Alt"].contains(where: name.isRDF) ? .list(of: property) : .other
        case .list(let property): name.isRDF("li") ? .item(of: property) : .other
        case .item: .other
        }
    }

    /// Simple properties may be attributes of a description.
    private mutating func takeAttribute(_ name: ArraySlice<UInt8>, _ bytes: ArraySlice<UInt8>) {
        // The cheap test first: a packet may be all attributes.
        guard Property.isNamed(local(name)), let property = resolve(name).property else { return }
        places.append((property, name.startIndex..<min(text.count, bytes.endIndex + 1)))
        var value = Value()
        value.append(bytes, limit: Self.valueByteLimit)
        if let text = value.text { credits.add(text, property, "x-default") }
    }

    private func languageTag(_ bytes: ArraySlice<UInt8>) -> String? {
        guard (1...35).contains(bytes.count) else { return nil }
        let tag = String(decoding: bytes, as: UTF8.self)
        return tag.utf8.allSatisfy { $0 == UInt8(ascii: "-") || Self.isLetterOrDigit($0) } ? tag : nil
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || (0x61...0x7a).contains(byte | 0x20)
    }

    private func resolve(_ name: ArraySlice<UInt8>) -> Name {
        guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else { return Name(namespace: nil, local: name) }
        return Name(namespace: namespaces[name[..<colon]]?.last ?? nil, local: name[(colon + 1)...])
    }

    private mutating func forget(_ prefixes: [ArraySlice<UInt8>]) {
        for prefix in prefixes {
            namespaces[prefix]?.removeLast()
            if namespaces[prefix]?.isEmpty == true { namespaces[prefix] = nil }
        }
        prefixCount -= prefixes.count
    }
}

extension XMPReader {
    private struct Element {
        enum Kind: Equatable {
            case root, description, other
            case property(Property)
            case list(of: Property)
            case item(of: Property)
        }

        let name: ArraySlice<UInt8>
        let kind: Kind
        let prefixes: [ArraySlice<UInt8>]
        let language: String
        /// Where its tag begins.
        let start: Int
        var hasChildren = false
    }
}
