import Bytes
import ImagePlan

@testable import ImageEngine

// The first byte of an input says what the rest is: XMP, IPTC, or a file of one format.

/// What `scripts/fuzz metadata` runs: XMP and IPTC, and what is done to the bytes of files without decoding them.
enum MetadataInput {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var input = FuzzInput(bytes)
        let selector = input.next()
        let rest = input.rest()
        switch selector & 3 {
        case 0: try checkXMP(rest)
        case 1: try checkIPTC(rest)
        case 2: try checkStripping(rest, selector)
        default: checkHeads(rest)
        }
    }

    private static func checkXMP(_ packet: [UInt8]) throws(BrokenInvariant) {
        let plain = XMPPacket.withoutThumbnails(packet)
        try BrokenInvariant.require(plain.count <= packet.count, "\(packet.count) bytes became \(plain.count)")
        try BrokenInvariant.require(XMPPacket.upright(packet).count == packet.count, "turning changes the length")
        if let properties = GainMapXMP(text: packet).properties() {
            let written = GainMapXMP.packet(GainMapXMP.description(properties))
            try BrokenInvariant.require(
                GainMapXMP(text: written).properties() == properties, "\(properties) are read otherwise")
        }
        let others = Credits(creators: ["A"], rights: [.init(language: "x-default", text: "<B>")], credit: "C")
        let filled = XMPPacket.filled(packet, from: others)
        try BrokenInvariant.require(XMPPacket.filled(filled, from: others) == filled, "credits are added twice")
        guard let credits = XMPReader.credits(in: packet), let written = XMPPacket.bytes(for: credits) else { return }
        try BrokenInvariant.require(written.count <= XMPPacket.byteLimit, "\(written.count) bytes")
        guard let again = XMPReader.credits(in: written) else {
            throw BrokenInvariant("\(credits) is written unreadably")
        }
        // Over the limit some is left out.
        guard written.count < XMPPacket.byteLimit / 2 else { return }
        try BrokenInvariant.require(XMPPacket.bytes(for: again) == written, "\(credits) became \(again)")
    }

    private static func checkIPTC(_ bytes: [UInt8]) throws(BrokenInvariant) {
        guard let records = IPTCBlock.records(in: bytes), let credits = IPTCBlock.credits(of: records),
            let written = IPTCBlock.records(for: credits)
        else { return }
        try BrokenInvariant.require(
            IPTCBlock.records(in: IPTCBlock.segment(written)) == written, "a segment of \(written) is read otherwise")
        try BrokenInvariant.require(
            IPTCBlock.credits(of: written) == credits,
            "\(credits) became \(String(describing: IPTCBlock.credits(of: written)))"
        )
    }

    private static let heads: [(SourceFormat, [UInt8])] = [
        (.jpeg, [0xff, 0xd8]), (.png, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), (.webp, Array("RIFF".utf8)),
        (.gif, Array("GIF89a".utf8)), (.avif, []),
    ]

    /// Nothing is left that is taken away a second time.
    private static func checkStripping(_ rest: [UInt8], _ selector: UInt8) throws(BrokenInvariant) {
        let (format, head) = heads[Int(selector >> 3) % heads.count]
        let keepsProfile = selector & 4 != 0
        let file = SharedBytes(head + rest)
        guard let stripped = MetadataStripper.stripped(file, format, keepsProfile: keepsProfile) else { return }
        try BrokenInvariant.require(stripped.count <= file.count, "\(file.count) bytes became \(stripped.count)")
        guard let again = MetadataStripper.stripped(stripped, format, keepsProfile: keepsProfile) else {
            throw BrokenInvariant("what is left is no \(format) any more")
        }
        try BrokenInvariant.require(
            again.count == stripped.count
                && again.withUnsafeBytes { left in stripped.withUnsafeBytes { left.elementsEqual($0) } },
            "once more changes the file")
    }

    /// Readers of the beginnings of files.
    private static func checkHeads(_ bytes: [UInt8]) {
        let file = SharedBytes(bytes)
        _ = ImageEngine.announcedFormat(file)
        _ = JPEGScan(file.span, limit: 100)
        _ = try? HEIFItems(file.span).partPixelCount()
        _ = HEIFBoxes.sizes(file.span)
        _ = GainMapFile.find(in: file, limits: ImageLimits())
        _ = JXLContainer.content(of: "Exif", in: file.span, byteLimit: 1 << 20)
        let profile = ICCProfile(file.span)
        _ = (profile.describesSRGB, profile.name)
        _ = (Bitmap(file: file), Bitmap(icon: file), Icon(file))
    }
}
