/// Reads and writes IPTC-IIM 4.2 records (§1.6): data sets in a row, each with its number and length.
enum IPTCBlock {
    static let byteLimit = 1 << 20
    private static let dataSetLimit = 10_000
    static let textByteLimit = 1000

    private enum DataSet {
        static let byLine = 80
        static let credit = 110
        static let source = 115
        static let copyright = 116
        static let all = [byLine, credit, source, copyright]
    }

    /// The records in `bytes`, which are either records or Photoshop resources, of which others are skipped.
    static func records(in bytes: [UInt8]) -> [UInt8]? {
        if bytes.first == 0x1c { return bytes }
        let name = Array("Photoshop 3.0\0".utf8)
        var rest = bytes.starts(with: name) ? bytes.dropFirst(name.count) : bytes[...]
        // Signature, number, a name with its length padded to even, and the length of the content.
        while rest.count > 12, rest.starts(with: "8BIM".utf8) {
            let start = rest.startIndex
            let isRecords = rest[start + 4] == 4 && rest[start + 5] == 4
            let named = (Int(rest[start + 6]) + 2) / 2 * 2
            guard rest.count >= 10 + named else { return nil }
            let length = (0..<4).reduce(0) { $0 << 8 | Int(rest[start + 6 + named + $1]) }
            rest = rest.dropFirst(10 + named)
            guard length <= rest.count else { return nil }
            if isRecords { return length > 0 ? Array(rest.prefix(length)) : nil }
            rest = rest.dropFirst(length + length % 2)
        }
        return nil
    }

    static func segment(_ records: [UInt8]) -> [UInt8] {
        Array("Photoshop 3.0\08BIM".utf8) + [4, 4, 0, 0] + bigEndian(records.count, 4) + records
            + [UInt8](repeating: 0, count: records.count % 2)
    }

    /// The credits in `records`; nil if there are none, or the records are too long or truncated.
    static func credits(of records: [UInt8]) -> Credits? {
        guard records.count <= byteLimit else { return nil }
        var (index, count, isUTF8) = (0, 0, false)
        var texts: [Int: [ArraySlice<UInt8>]] = [:]
        while index + 5 <= records.count, records[index] == 0x1c {
            count += 1
            var length = Int(records[index + 3]) << 8 | Int(records[index + 4])
            var start = index + 5
            if length & 0x8000 != 0 {
                // The rest is the number of length bytes (§1.6).
                let width = length & 0x7fff
                guard width <= 4, start + width <= records.count else { return nil }
                length = records[start..<(start + width)].reduce(0) { $0 << 8 | Int($1) }
                start += width
            }
            guard length <= records.count - start, count <= dataSetLimit else { return nil }
            let value = records[start..<(start + length)]
            switch (Int(records[index + 1]), Int(records[index + 2])) {
            case (1, 90): isUTF8 = value.elementsEqual(utf8Mark)
            case (2, let number) where DataSet.all.contains(number):
                if texts[number, default: []].count < Credits.creatorLimit { texts[number, default: []].append(value) }
            default: break
            }
            index = start + length
        }
        // The rest may be padding, but not a truncated data set.
        guard index >= records.count || records[index] != 0x1c else { return nil }
        func all(_ number: Int) -> [String] { (texts[number] ?? []).compactMap { text($0, isUTF8: isUTF8) } }
        var credits = Credits()
        credits.creators = all(DataSet.byLine)
        credits.rights = all(DataSet.copyright).prefix(1).map { Credits.Translation(language: "x-default", text: $0) }
        credits.credit = all(DataSet.credit).first
        credits.source = all(DataSet.source).first
        return credits.isEmpty ? nil : credits
    }

    /// UTF-8 records for the credits that IPTC has a place for; nil if there are none.
    static func records(for credits: Credits) -> [UInt8]? {
        func set(_ record: UInt8, _ number: Int, _ value: [UInt8]) -> [UInt8] {
            [0x1c, record, UInt8(truncatingIfNeeded: number)] + bigEndian(value.count, 2) + value
        }
        func texts(_ number: Int, _ texts: [String]) -> [UInt8] {
            texts.flatMap { set(2, number, Array((Credits.text(Array($0.utf8), byteLimit: textByteLimit) ?? "").utf8)) }
        }
        var records = texts(DataSet.byLine, credits.creators)
        records += texts(DataSet.credit, [credits.credit].compactMap(\.self))
        records += texts(DataSet.source, [credits.source].compactMap(\.self))
        records += texts(DataSet.copyright, credits.rights.prefix(1).map(\.text))
        return records.isEmpty ? nil : set(1, 90, utf8Mark) + set(2, 0, [0, 4]) + records
    }

    /// Decodes UTF-8 where it is declared or valid, Latin-1 otherwise, the most common other encoding.
    private static func text(_ bytes: ArraySlice<UInt8>, isUTF8: Bool) -> String? {
        let bytes = Array(bytes.prefix { $0 != 0 })
        if String(validating: bytes, as: UTF8.self) != nil { return Credits.text(bytes, byteLimit: textByteLimit) }
        guard !isUTF8 else { return nil }
        let latin1 = bytes.prefix(4 * textByteLimit).flatMap { Array(String(Unicode.Scalar($0)).utf8) }
        return Credits.text(latin1, byteLimit: textByteLimit)
    }

    /// The ISO 2022 designation of UTF-8 (§5 1:90).
    private static let utf8Mark: [UInt8] = [0x1b, 0x25, 0x47]
}
