/// The names that are looked for in XMP.
extension XMPReader {
    /// What prefixes may stand for.
    enum Namespace: String, CaseIterable {
        case rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        case dublinCore = "http://purl.org/dc/elements/1.1/"
        case rights = "http://ns.adobe.com/xap/1.0/rights/"
        case photoshop = "http://ns.adobe.com/photoshop/1.0/"

        init?(_ address: ArraySlice<UInt8>) {
            guard let known = Self.allCases.first(where: { address.elementsEqual($0.rawValue.utf8) }) else {
                return nil
            }
            self = known
        }
    }

    /// A name whose prefix has been looked up; nil where it stands for something else.
    struct Name {
        let namespace: Namespace?
        let local: ArraySlice<UInt8>

        func isRDF(_ name: String) -> Bool { namespace == .rdf && local.elementsEqual(name.utf8) }

        var property: Property? {
            Property.allCases.first { $0.name.namespace == namespace && local.elementsEqual($0.name.local.utf8) }
        }
    }

    /// What is taken out of a packet.
    enum Property: CaseIterable {
        case creator, rights, usageTerms, webStatement, marked, credit, source

        /// Whether a property is called so in any namespace.
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
    /// Takes in what a packet says. Of several the first counts, where there can be but one.
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
