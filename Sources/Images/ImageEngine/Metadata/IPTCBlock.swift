/// Reads and writes records of IPTC-IIM 4.2 §1.6: data sets one after another, each with its number and length.
enum IPTCBlock {
    /// Longer blocks are not read.
    static let byteLimit = 1 << 20
    private static let dataSetLimit = 10_000
    /// Bytes of one text that are read and written.
    static let textByteLimit = 1000

    private enum DataSet {
        static let byLine = 80
        static let credit = 110
        static let source = 115
        static let copyright = 116
        static let all = [byLine, credit, source, copyright]
    }

    /// The records in `bytes`, which are the records themselves or Photoshop's resources, with the name that JPEG puts before
    /// them; nil where there are none. Other resources, a small picture among them, are not looked at.
    static func records(in bytes: [UInt8]) -> [UInt8]? {
        if bytes.first == 0x1c { return bytes }
        let name = Array("Photoshop 3.0\0".utf8)
        var rest = bytes.starts(with: name) ? bytes.dropFirst(name.count) : bytes[...]
        // Its mark, a number, a name that is padded to be even with its length, and a length of what follows.
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

    /// What a segment APP13 of JPEG holds for `records`.
    static func segment(_ records: [UInt8]) -> [UInt8] {
        Array("Photoshop 3.0\08BIM".utf8) + [4, 4, 0, 0] + bigEndian(records.count, 4) + records
            + [UInt8](repeating: 0, count: records.count % 2)
    }

    /// What `records` say of who made the picture; nil where that is nothing, or they are too long or break off.
    static func credits(of records: [UInt8]) -> Credits? {
        guard records.count <= byteLimit else { return nil }
        var (index, count, isUTF8) = (0, 0, false)
        var texts: [Int: [ArraySlice<UInt8>]] = [:]
        while index + 5 <= records.count, records[index] == 0x1c {
            count += 1
            var length = Int(records[index + 3]) << 8 | Int(records[index + 4])
            var start = index + 5
            if length & 0x8000 != 0 {
                // As many bytes of length as these say (§1.6).
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
        // What is left may be padding, but no data set that breaks off.
        guard index >= records.count || records[index] != 0x1c else { return nil }
        func all(_ number: Int) -> [String] { (texts[number] ?? []).compactMap { text($0, isUTF8: isUTF8) } }
        var credits = Credits()
        credits.creators = all(DataSet.byLine)
        credits.rights = all(DataSet.copyright).prefix(1).map { Credits.Translation(language: "x-default", text: $0) }
        credits.credit = all(DataSet.credit).first
        credits.source = all(DataSet.source).first
        return credits.isEmpty ? nil : credits
    }

    /// Records of what `credits` say that IPTC has a place for, in UTF-8; nil where that is nothing.
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

    /// A text in UTF-8 where that is said or it is nothing else, or in Latin-1, which is what most of the others are.
    private static func text(_ bytes: ArraySlice<UInt8>, isUTF8: Bool) -> String? {
        let bytes = Array(bytes.prefix { $0 != 0 })
        if String(validating: bytes, as: UTF8.self) != nil {
            return Credits.text(bytes, byteLimit: textByteLimit)
        }
        guard !isUTF8 else { return nil }
        return Credits.text(
            bytes.prefix(4 * textByteLimit).flatMap { Array(String(Unicode.Scalar($0)).utf8) },
            byteLimit: textByteLimit)
    }

    /// ISO 2022 calls UTF-8 so (§5 1:90).
    private static let utf8Mark: [UInt8] = [0x1b, 0x25, 0x47]
}
