import CVips

/// What little of a color profile is read here (ICC.1:2022 §7); lcms reads the rest. Every offset is untrusted.
struct ICCProfile: ~Escapable {
    private let bytes: RawSpan

    @_lifetime(copy bytes)
    init(_ bytes: RawSpan) {
        self.bytes = bytes
    }

    /// Whether the colors that the profile is about are those of `model`. Grey images with the profile of a camera, and
    /// the like, are common; such a profile says nothing.
    func fits(_ model: cvips_model) -> Bool {
        switch model {
        case CVIPS_GREY: bytes.has("GRAY", at: 16)
        case CVIPS_CMYK: bytes.has("CMYK", at: 16)
        default: bytes.has("RGB ", at: 16)
        }
    }

    /// Whether the profile is sRGB: it has the primaries of sRGB and its description says so. The primaries alone do not
    /// tell, for linear variants have them too, and name themselves.
    var describesSRGB: Bool {
        let primaries: [(StaticString, [Double])] = [
            ("rXYZ", [0.4361, 0.2225, 0.0139]), ("gXYZ", [0.3851, 0.7169, 0.0971]), ("bXYZ", [0.1431, 0.0606, 0.7141]),
        ]
        for (name, expected) in primaries {
            guard let actual = point(name) else { return false }
            guard zip(actual, expected).allSatisfy({ abs($0 - $1) <= 0.003 }) else { return false }
        }
        // Without zeros, ASCII and UTF-16 are read alike.
        guard let tag = tag("desc") else { return false }
        let text = bytes.array(tag.prefix(1024)).filter { $0 != 0 }
        func contains(_ word: String) -> Bool { text.firstRange(of: Array(word.utf8)) != nil }
        return contains("sRGB") && !contains("inear") && !contains("scRGB")
    }

    /// The three numbers of a tag of type `XYZ `, which are in 1/65536.
    private func point(_ name: StaticString) -> [Double]? {
        guard let tag = tag(name), tag.count >= 20, bytes.has("XYZ ", at: tag.lowerBound) else { return nil }
        return [8, 12, 16].map { Double(Int32(truncatingIfNeeded: bytes.big(tag.lowerBound + $0, 4) ?? 0)) / 65536 }
    }

    /// Where the element of this name begins; nil where there is none among the first hundred.
    private func entry(_ name: StaticString) -> Int? {
        for index in 0..<min(bytes.big(128, 4) ?? 0, 100) where bytes.has(name, at: 132 + index * 12) {
            return 132 + index * 12
        }
        return nil
    }

    /// Where the element of this name lies; always inside the profile.
    private func tag(_ name: StaticString) -> Range<Int>? {
        guard let entry = entry(name), let offset = bytes.big(entry + 4, 4), let size = bytes.big(entry + 8, 4),
            offset + size <= bytes.byteCount
        else { return nil }
        return offset..<(offset + size)
    }

    // MARK: Name

    /// What the profile calls itself (ICC.1:2022 §9.2.41, §10.15; ICC.1:2001 §6.5.17); empty where it cannot be read.
    var name: String {
        guard let entry = entry("desc"), let offset = bytes.big(entry + 4, 4) else { return "" }
        let reader = ByteReader(bytes, isBigEndian: true)
        if bytes.has("desc", at: offset) { return Self.ascii(reader, offset) ?? "" }
        return bytes.has("mluc", at: offset) ? Self.unicode(reader, offset) ?? "" : ""
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
