import CVips

/// The parts of a color profile (ICC.1:2022 §7) that are not left to lcms. Every offset is untrusted.
struct ICCProfile: ~Escapable {
    private let bytes: RawSpan

    @_lifetime(copy bytes)
    init(_ bytes: RawSpan) { self.bytes = bytes }

    /// Whether the profile is for `model`. Mismatches, such as a camera's profile in a grey image, are ignored.
    func fits(_ model: cvips_model) -> Bool {
        switch model {
        case CVIPS_GREY: bytes.has("GRAY", at: 16)
        case CVIPS_CMYK: bytes.has("CMYK", at: 16)
        default: bytes.has("RGB ", at: 16)
        }
    }

    /// By primaries and description: linear variants have the same primaries, and say so in the description.
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

    /// The three numbers of an `XYZ ` tag, stored in 1/65536.
    private func point(_ name: StaticString) -> [Double]? {
        guard let tag = tag(name), tag.count >= 20, bytes.has("XYZ ", at: tag.lowerBound) else { return nil }
        return [8, 12, 16].map { Double(Int32(truncatingIfNeeded: bytes.big(tag.lowerBound + $0, 4) ?? 0)) / 65536 }
    }

    private func entry(_ name: StaticString) -> Int? {
        for index in 0..<min(bytes.big(128, 4) ?? 0, 100) where bytes.has(name, at: 132 + index * 12) {
            return 132 + index * 12
        }
        return nil
    }

    private func tag(_ name: StaticString) -> Range<Int>? {
        guard let entry = entry(name), let offset = bytes.big(entry + 4, 4), let size = bytes.big(entry + 8, 4),
            offset + size <= bytes.byteCount
        else { return nil }
        return offset..<(offset + size)
    }

    /// The description (ICC.1:2022 §9.2.41, §10.15; ICC.1:2001 §6.5.17); empty if it cannot be read.
    var name: String {
        guard let entry = entry("desc"), let offset = bytes.big(entry + 4, 4) else { return "" }
        if bytes.has("desc", at: offset) { return ascii(offset) ?? "" }
        return bytes.has("mluc", at: offset) ? unicode(offset) ?? "" : ""
    }

    /// Version 2: a count and ASCII.
    private func ascii(_ offset: Int) -> String? {
        guard let count = bytes.big(offset + 8, 4) else { return nil }
        let text = bytes.array((offset + 12)..<(offset + 12 + min(count, 128)))
        return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self).visible
    }

    /// Version 4: the first of several languages, in UTF-16.
    private func unicode(_ offset: Int) -> String? {
        guard let records = bytes.big(offset + 8, 4), records > 0, let byteCount = bytes.big(offset + 20, 4),
            let place = bytes.big(offset + 24, 4)
        else { return nil }
        let units = (0..<min(byteCount / 2, 128)).map { bytes.big(offset + place + $0 * 2, 2) ?? 0 }
        return String(decoding: units.prefix { $0 != 0 }.map { UInt16(truncatingIfNeeded: $0) }, as: UTF16.self).visible
    }
}
