/// What a color profile calls itself (ICC.1:2022 §9.2.41, §10.15; ICC.1:2001 §6.5.17). Every offset is a stranger's.
enum ProfileName {
    /// The text of the `desc` element, empty where it cannot be read.
    static func text(_ profile: RawSpan) -> String {
        let reader = ByteReader(profile, isBigEndian: true)
        for index in 0..<min(reader.number(128, width: 4) ?? 0, 100) {
            let entry = 132 + index * 12
            guard reader.number(entry, width: 4) == 0x6465_7363 else { continue }
            guard let offset = reader.number(entry + 4, width: 4) else { return "" }
            switch reader.number(offset, width: 4) {
            case 0x6465_7363: return ascii(reader, offset) ?? ""
            case 0x6d6c_7563: return unicode(reader, offset) ?? ""
            default: return ""
            }
        }
        return ""
    }

    /// Version 2: a count and ASCII.
    private static func ascii(_ reader: borrowing ByteReader, _ offset: Int) -> String? {
        guard let count = reader.number(offset + 8, width: 4) else { return nil }
        return reader.text((offset + 12)..<(offset + 12 + count))
    }

    /// Version 4: the first of several languages, in UTF-16.
    private static func unicode(_ reader: borrowing ByteReader, _ offset: Int) -> String? {
        guard let records = reader.number(offset + 8, width: 4), records > 0,
            let byteCount = reader.number(offset + 20, width: 4), let place = reader.number(offset + 24, width: 4)
        else { return nil }
        var units: [UInt16] = []
        for index in 0..<min(byteCount / 2, 128) {
            guard let unit = reader.number(offset + place + index * 2, width: 2), unit != 0 else { break }
            units.append(UInt16(truncatingIfNeeded: unit))
        }
        return ByteReader.cleaned(String(decoding: units, as: UTF16.self))
    }
}
