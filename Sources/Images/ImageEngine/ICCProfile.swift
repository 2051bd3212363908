import CVips

/// What little is read of a color profile here (ICC.1:2022 §7); lcms reads the rest. Every offset is a stranger's.
enum ICCProfile {
    /// Whether the colors that the profile is about are those of `model`. Grey pictures with the profile of a camera, and
    /// the like, are common; such a profile says nothing.
    static func fits(_ model: cvips_model, _ profile: RawSpan) -> Bool {
        let name: StaticString =
            switch model {
            case CVIPS_GREY: "GRAY"
            case CVIPS_CMYK: "CMYK"
            default: "RGB "
            }
        return number(profile, 16) == code(name)
    }

    /// Whether the profile is sRGB: it has the primaries of sRGB and its description says so. The primaries alone do not
    /// tell, for linear variants have them too, and name themselves.
    static func describesSRGB(_ profile: RawSpan) -> Bool {
        let primaries: [(StaticString, [Double])] = [
            ("rXYZ", [0.4361, 0.2225, 0.0139]), ("gXYZ", [0.3851, 0.7169, 0.0971]), ("bXYZ", [0.1431, 0.0606, 0.7141]),
        ]
        for (name, expected) in primaries {
            guard let actual = point(profile, name) else { return false }
            guard zip(actual, expected).allSatisfy({ abs($0 - $1) <= 0.003 }) else { return false }
        }
        let text = description(profile)
        return contains(text, "sRGB") && !contains(text, "inear") && !contains(text, "scRGB")
    }

    /// The bytes of the description without zeros, so that ASCII and UTF-16 are read alike.
    private static func description(_ profile: RawSpan) -> [UInt8] {
        guard let tag = tag(profile, "desc") else { return [] }
        return tag.prefix(1024).compactMap { byte(profile, $0) }.filter { $0 != 0 }
    }

    private static func contains(_ text: [UInt8], _ word: String) -> Bool {
        let word = Array(word.utf8)
        guard text.count >= word.count else { return false }
        return (0...(text.count - word.count)).contains { text[$0..<($0 + word.count)].elementsEqual(word) }
    }

    /// The three numbers of a tag of type `XYZ `, which are in 1/65536.
    private static func point(_ profile: RawSpan, _ name: StaticString) -> [Double]? {
        guard let tag = tag(profile, name), tag.count >= 20, number(profile, tag.lowerBound) == code("XYZ ") else {
            return nil
        }
        return [8, 12, 16].map { offset in
            Double(Int32(bitPattern: number(profile, tag.lowerBound + offset) ?? 0)) / 65536
        }
    }

    /// Where the element of this name lies; always inside the profile.
    private static func tag(_ profile: RawSpan, _ name: StaticString) -> Range<Int>? {
        let count = min(Int(number(profile, 128) ?? 0), 100)
        for index in 0..<count {
            let entry = 132 + index * 12
            guard number(profile, entry) == code(name) else { continue }
            guard let offset = number(profile, entry + 4), let size = number(profile, entry + 8) else { return nil }
            let end = Int(offset) + Int(size)
            return end <= profile.byteCount ? Int(offset)..<end : nil
        }
        return nil
    }

    private static func number(_ profile: RawSpan, _ offset: Int) -> UInt32? {
        guard offset >= 0, offset + 4 <= profile.byteCount else { return nil }
        return (0..<4).reduce(0) { $0 << 8 | UInt32(byte(profile, offset + $1) ?? 0) }
    }

    private static func code(_ name: StaticString) -> UInt32 {
        name.description.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
