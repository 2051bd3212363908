extension XMPReader {
    enum Namespace: String, CaseIterable {
        case rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        case dublinCore = "http://purl.org/dc/elements/1.1/"
        case rights = "http://ns.adobe.com/xap/1.0/rights/"
        case photoshop = "http://ns.adobe.com/photoshop/1.0/"

        /// All but that of RDF.
        static let others = allCases.filter { $0 != .rdf }

        /// As it is written.
        var prefix: String {
            switch self {
            case .rdf: "rdf"
            case .dublinCore: "dc"
            case .rights: "xmpRights"
            case .photoshop: "photoshop"
            }
        }

        init?(_ address: ArraySlice<UInt8>) { self.init(rawValue: String(decoding: address, as: UTF8.self)) }
    }

    struct Name {
        let namespace: Namespace?
        let local: ArraySlice<UInt8>

        func isRDF(_ name: String) -> Bool { namespace == .rdf && local.elementsEqual(name.utf8) }

        var property: Property? {
            Property.allCases.first { $0.name.namespace == namespace && local.elementsEqual($0.name.local.utf8) }
        }
    }

    enum Property: CaseIterable {
        case creator, rights, usageTerms, webStatement, marked, credit, source

        static func isNamed(_ local: ArraySlice<UInt8>) -> Bool {
            allCases.contains { local.elementsEqual($0.name.local.utf8) }
        }

        var name: (namespace: Namespace, local: String) {
            switch self {
            case .creator: (.dublinCore, "creator")
            case .rights: (.dublinCore, "rights")
            case .usageTerms: (.rights, "UsageTerms")
            case .webStatement: (.rights, "WebStatement")
            case .marked: (.rights, "Marked")
            case .credit: (.photoshop, "Credit")
            case .source: (.photoshop, "Source")
            }
        }
    }
}

extension Credits {
    /// Adds a text of a packet. The first one wins where only one is possible.
    mutating func add(_ text: String, _ property: XMPReader.Property, _ language: String) {
        func added(to translations: [Translation]) -> [Translation] {
            guard translations.count < Self.languageLimit, !translations.contains(where: { $0.language == language })
            else { return translations }
            return translations + [Translation(language: language, text: text)]
        }
        switch property {
        case .creator: if creators.count < Self.creatorLimit { creators.append(text) }
        case .rights: rights = added(to: rights)
        case .usageTerms: usageTerms = added(to: usageTerms)
        case .webStatement: webStatement = webStatement ?? text
        case .marked: isMarked = isMarked ?? ["true": true, "false": false][text.lowercased()]
        case .credit: credit = credit ?? text
        case .source: source = source ?? text
        }
    }
}
