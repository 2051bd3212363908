/// How a gain map is applied: in XMP (Adobe's gain map specification, Ultra HDR 1.0), in binary (ISO 21496-1 Annex C), or both.
struct GainMapMetadata: Equatable {
    /// The texts of the properties in XMP; empty without XMP.
    var properties: [GainMapXMP.Property: [String]] = [:]
    /// Without its name; nil if there is none.
    var iso: [UInt8]?

    static let isoMark: StaticString = "urn:iso:std:iso:ts:21496:-1\0"
    static let xmpMark: StaticString = "http://ns.adobe.com/xap/1.0/\0"

    /// A JPEG has one packet of this name; more than these are not read.
    private static let packetLimit = 4

    /// What the segments of a gain map say; nil if none says enough, as in a picture that is no gain map.
    init?(_ segments: [JPEGSegment], in file: RawSpan) {
        var packetCount = 0
        for segment in segments {
            if segment.isApplication(1, Self.xmpMark, in: file), properties.isEmpty {
                packetCount += 1
                guard packetCount <= Self.packetLimit else { continue }
                let start = segment.content.lowerBound + Self.xmpMark.utf8CodeUnitCount
                properties = GainMapXMP(text: file.array(start..<segment.content.upperBound)).properties() ?? [:]
            } else if segment.isApplication(2, Self.isoMark, in: file), iso == nil {
                let start = segment.content.lowerBound + Self.isoMark.utf8CodeUnitCount
                iso = Self.binary(file.extracting(start..<segment.content.upperBound))
            }
        }
        guard !properties.isEmpty || iso != nil else { return nil }
    }

    /// The metadata at the beginning of `bytes`, without what may follow; nil if it is malformed.
    private static func binary(_ bytes: RawSpan) -> [UInt8]? {
        // A later format may have another length.
        guard bytes.big(0, 2) == 0, let flags = bytes.byte(4) else { return nil }
        let channels = flags & 0x80 == 0 ? 1 : 3
        // libultrahdr writes one denominator for all where it can.
        let hasOneDenominator = flags & 0x08 != 0
        let count = 5 + (hasOneDenominator ? 12 + 20 * channels : 16 + 40 * channels)
        guard bytes.byteCount >= count else { return nil }
        let denominators = hasOneDenominator ? [5] : [9, 17] + (0..<(5 * channels)).map { 25 + 8 * $0 }
        guard denominators.allSatisfy({ bytes.big($0, 4) != 0 }) else { return nil }
        return bytes.array(0..<count)
    }

    /// Whether red, green and blue have numbers of their own.
    var isPerColor: Bool { properties.values.contains { $0.count > 1 } || (iso?[4] ?? 0) & 0x80 != 0 }

    /// Whether the profile of the map says for which colors it holds (`use_base_colour_space` is off).
    var needsProfile: Bool { iso.map { $0[4] & 0x40 == 0 } ?? false }

    /// The segments of the map itself.
    func segments() -> [UInt8] {
        var segments: [UInt8] = []
        if !properties.isEmpty { segments += Self.xmp(GainMapXMP.packet(GainMapXMP.description(properties))) }
        if let iso { segments += JPEGSegment.written(0xe2, Array(Self.isoMark.description.utf8) + iso) }
        return segments
    }

    /// The segment of the first picture that names the version alone.
    func versionSegment() -> [UInt8] {
        guard let iso else { return [] }
        return JPEGSegment.written(0xe2, Array(Self.isoMark.description.utf8) + iso[..<4])
    }

    static func xmp(_ packet: [UInt8]) -> [UInt8] {
        JPEGSegment.written(0xe1, Array(xmpMark.description.utf8) + packet)
    }
}
