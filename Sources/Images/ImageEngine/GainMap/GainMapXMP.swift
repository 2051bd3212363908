import Bytes

/// Reads the properties of a gain map from its XMP packet. Only numbers and truth values come through.
struct GainMapXMP: MarkupReader {
    enum Property: String, CaseIterable {
        case version = "Version"
        case isBaseHDR = "BaseRenditionIsHDR"
        case gainMapMin = "GainMapMin"
        case gainMapMax = "GainMapMax"
        case gamma = "Gamma"
        case offsetSDR = "OffsetSDR"
        case offsetHDR = "OffsetHDR"
        case capacityMin = "HDRCapacityMin"
        case capacityMax = "HDRCapacityMax"
    }

    let text: [UInt8]
    static let namespace = "http://ns.adobe.com/hdr-gain-map/1.0/"
    private static let byteLimit = 1 << 16
    private static let numberByteLimit = 32

    /// Nil unless the properties that must be there are, and all have values that can be passed on.
    func properties() -> [Property: [String]]? {
        guard text.count <= Self.byteLimit, let prefix = prefix() else { return nil }
        var found: [Property: [String]] = [:]
        var open: Property?
        var index = 0
        func property(_ name: ArraySlice<UInt8>) -> Property? {
            guard name.starts(with: prefix), name.dropFirst(prefix.count).first == UInt8(ascii: ":") else { return nil }
            return Property(rawValue: String(decoding: name.dropFirst(prefix.count + 1), as: UTF8.self))
        }
        while let start = text[index...].firstIndex(of: UInt8(ascii: "<")), start + 1 < text.count {
            if starts(with: "<!--", at: start) {
                index = end(of: "-->", from: start + 4)
                continue
            }
            let isEnd = text[start + 1] == UInt8(ascii: "/")
            let name = text[(start + (isEnd ? 2 : 1))...].prefix {
                !$0.isBlank && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
            }
            var attributes = MarkupAttributes(text, from: name.endIndex)
            while let (name, value) = attributes.next() {
                if let property = property(name) { found[property] = [String(decoding: value, as: UTF8.self)] }
            }
            index = max(start + 1, attributes.index)
            if isEnd {
                if property(name) != nil { open = nil }
            } else if attributes.isOpen {
                if let property = property(name) { open = property }
                guard let open else { continue }
                let value = text[index...].prefix { $0 != UInt8(ascii: "<") }.trimmed(\.isBlank)
                // Three numbers are items of a list.
                if !value.isEmpty { found[open, default: []].append(String(decoding: value, as: UTF8.self)) }
                guard found[open, default: []].count <= 3 else { return nil }
            }
        }
        guard found[.version] != nil, found[.gainMapMax] != nil, found[.capacityMax] != nil,
            found.allSatisfy({ Self.isSound($1, of: $0) })
        else { return nil }
        return found
    }

    private static func isSound(_ values: [String], of property: Property) -> Bool {
        switch property {
        case .isBaseHDR: values == ["True"] || values == ["False"]
        case .gainMapMin, .gainMapMax, .gamma, .offsetSDR, .offsetHDR:
            (values.count == 1 || values.count == 3) && values.allSatisfy(isNumber)
        case .version, .capacityMin, .capacityMax: values.count == 1 && values.allSatisfy(isNumber)
        }
    }

    private static func isNumber(_ text: String) -> Bool {
        (1...numberByteLimit).contains(text.utf8.count) && text.utf8.contains(where: ASCII.isDigit)
            && text.utf8.allSatisfy { ASCII.isDigit($0) || "+-.eE".utf8.contains($0) }
    }

    private func prefix() -> ArraySlice<UInt8>? {
        var index = 0
        while let start = text[index...].firstRange(of: Array("xmlns:".utf8)) {
            let prefix = text[start.upperBound...].prefix { !$0.isBlank && $0 != UInt8(ascii: "=") }
            let value = text[prefix.endIndex...].drop { $0.isBlank || "=\"'".utf8.contains($0) }
            if value.starts(with: Self.namespace.utf8), !prefix.isEmpty { return prefix }
            index = max(start.upperBound, prefix.endIndex)
        }
        return nil
    }
}

extension GainMapXMP {
    static func packet(_ description: String) -> [UInt8] {
        Array(
            ("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">"
                + "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\(description)</rdf:RDF></x:xmpmeta>")
                .utf8)
    }

    static func description(_ properties: [Property: [String]]) -> String {
        var attributes = ""
        var elements = ""
        for property in Property.allCases {
            guard let values = properties[property], let first = values.first else { continue }
            let name = "hdrgm:\(property.rawValue)"
            if values.count == 1 {
                attributes += " \(name)=\"\(first)\""
            } else {
                let items = values.map { "<rdf:li>\($0)</rdf:li>" }.joined()
                elements += "<\(name)><rdf:Seq>\(items)</rdf:Seq></\(name)>"
            }
        }
        return "<rdf:Description rdf:about=\"\" xmlns:hdrgm=\"\(namespace)\"\(attributes)"
            + (elements.isEmpty ? "/>" : ">\(elements)</rdf:Description>")
    }

    /// The description of the first picture, which is followed by a map of `mapByteCount` bytes.
    static func directory(version: String, mapByteCount: Int) -> String {
        let container = "http://ns.google.com/photos/1.0/container/"
        func item(_ attributes: String) -> String {
            "<rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Mime=\"image/jpeg\" \(attributes)/></rdf:li>"
        }
        return "<rdf:Description rdf:about=\"\" xmlns:hdrgm=\"\(namespace)\" xmlns:Container=\"\(container)\" "
            + "xmlns:Item=\"\(container)item/\" hdrgm:Version=\"\(version)\"><Container:Directory><rdf:Seq>"
            + item("Item:Semantic=\"Primary\"") + item("Item:Semantic=\"GainMap\" Item:Length=\"\(mapByteCount)\"")
            + "</rdf:Seq></Container:Directory></rdf:Description>"
    }
}
