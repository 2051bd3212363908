import Parameters

/// What `scripts/fuzz query` runs: splitting and decoding a query, and writing it again.
enum QueryInput {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        guard let items = try items(of: String(decoding: bytes, as: UTF8.self)) else { return }
        try BrokenInvariant.require(items.count <= QueryItems.countLimit, "\(items.count) items")
        for item in items {
            let isPlain = (item.name + item.value).unicodeScalars.allSatisfy {
                $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value)
            }
            try BrokenInvariant.require(isPlain, "a control character in \(item)")
        }
        let text = CanonicalQuery(items).text
        try BrokenInvariant.require(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }, "\(items) is written \(text)")
        guard let again = try Self.items(of: text) else { throw BrokenInvariant("\(text) is refused") }
        try BrokenInvariant.require(again.elementsEqual(items, by: isSame), "\(items) became \(again)")
        try BrokenInvariant.require(CanonicalQuery(again).text == text, "\(text) is written in another way")
    }

    /// nil for faults, which are as a client may see them.
    static func items(of text: String) throws(BrokenInvariant) -> [QueryItem]? {
        try parsed { () throws(ParameterFaults) in try QueryItems.parse(text) }
    }

    /// The items of a canonical text, which is a query that every server takes.
    static func items(ofCanonical text: String) throws(BrokenInvariant) -> [QueryItem] {
        guard let items = try items(of: text) else { throw BrokenInvariant("\(text) is no query") }
        return items
    }

    /// nil for faults, which are as a client may see them.
    static func parsed<Value>(_ parse: () throws(ParameterFaults) -> Value) throws(BrokenInvariant) -> Value? {
        do throws(ParameterFaults) {
            return try parse()
        } catch {
            try check(error)
            return nil
        }
    }

    /// What a canonical text is read as has the same canonical text, which `canonical` gives.
    static func checkReading(
        _ text: String, by canonical: ([QueryItem]) throws(ParameterFaults) -> String
    ) throws(BrokenInvariant) {
        let written = try items(ofCanonical: text)
        let again = try parsed { () throws(ParameterFaults) in try canonical(written) }
        try BrokenInvariant.require(again == text, "\(text) became \(again ?? "nothing")")
    }

    /// An answer is never many times as long as its request, and its texts disturb neither a log line nor a page.
    static func check(_ faults: ParameterFaults) throws(BrokenInvariant) {
        try BrokenInvariant.require(
            (1...ParameterFaults.countLimit).contains(faults.faults.count), "\(faults.faults.count) faults")
        for fault in faults.faults {
            for text in [fault.parameter, fault.value] {
                let isShort = text.unicodeScalars.count <= 100
                let isSafe = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) }
                try BrokenInvariant.require(isShort && isSafe, "a fault shows \(text)")
            }
            _ = fault.message
        }
    }

    /// By their bytes: `String` would equate composed and decomposed letters.
    private static func isSame(_ left: QueryItem, _ right: QueryItem) -> Bool {
        left.name.utf8.elementsEqual(right.name.utf8) && left.value.utf8.elementsEqual(right.value.utf8)
    }
}
