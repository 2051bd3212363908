import Bytes
import CVips
import ImagePlan
import Testing

@testable import ImageEngine

/// EXIF of `isBigEndian` with orientation 6, artist, copyright, a camera, exposure with a directory of its own inside, a place
/// and a small picture behind it all.
func wholeEXIF(isBigEndian: Bool) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] { isBigEndian ? big(value, count) : little(value, count) }
    /// Entries: tag, type, count, and the value; texts and fractions stand behind.
    func directory(
        _ entries: [(Int, Int, Int, [UInt8])], at start: Int, next: Int = 0
    ) -> [UInt8] {
        var head = number(entries.count, 2)
        var away: [UInt8] = []
        for (tag, type, count, value) in entries {
            head += number(tag, 2) + number(type, 2) + number(count, 4)
            if value.count <= 4 {
                head += value + [UInt8](repeating: 0, count: 4 - value.count)
            } else {
                head += number(start + 2 + entries.count * 12 + 4 + away.count, 4)
                away += value + [UInt8](repeating: 0, count: value.count % 2)
            }
        }
        return head + number(next, 4) + away
    }
    func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }
    let (inner, exposure, place, second, picture) = (200, 250, 400, 500, 600)
    var file = (isBigEndian ? Array("MM".utf8) : Array("II".utf8)) + number(42, 2) + number(8, 4)
    func put(_ bytes: [UInt8], at offset: Int) {
        file += [UInt8](repeating: 0, count: offset - file.count) + bytes
    }
    put(
        directory(
            [
                (0x010f, 2, 8, text("SECRETC")), (0x0112, 3, 1, number(6, 2)), (0x013b, 2, 13, text("Ada Lovelace")),
                (0x8298, 2, 13, text("(c) 1843 Ada")), (0x8769, 4, 1, number(exposure, 4)),
                (0x8825, 4, 1, number(place, 4)),
            ], at: 8, next: second), at: 8)
    put(directory([(0x0001, 2, 4, text("R98"))], at: inner), at: inner)
    put(
        directory(
            [
                (0x829a, 5, 1, number(1, 4) + number(250, 4)), (0x8827, 3, 1, number(400, 2)),
                (0x9003, 2, 20, text("2024:05:17 09:41:00")), (0x927c, 7, 5, Array("NOTES".utf8)),
                (0xa005, 4, 1, number(inner, 4)), (0xa432, 5, 2, [24, 1, 70, 1].flatMap { number($0, 4) }),
            ], at: exposure), at: exposure)
    put(
        directory(
            [(0x0001, 2, 2, text("N")), (0x0002, 5, 3, [43, 1, 46, 1, 12, 1].flatMap { number($0, 4) })], at: place),
        at: place)
    put(directory([(0x0201, 4, 1, number(picture, 4)), (0x0202, 4, 1, number(9, 4))], at: second), at: second)
    put(Array("THUMBNAIL".utf8), at: picture)
    return file
}

extension EngineTests {
    @Suite struct MetadataFormatTests {
        /// A JPEG with all three kinds of metadata, in which everything that is not to be known says so.
        private func source(isBigEndian: Bool = true, _ format: OutputFormat = .jpeg) throws -> SharedBytes {
            let xmp = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + everyCredit
            var jpeg = inserting(0xed, resources(everyRecord), into: try texture(40, 30, .jpeg))
            jpeg = inserting(0xe1, xmp, into: jpeg)
            return inserting(0xe1, Array("Exif\0\0".utf8) + wholeEXIF(isBigEndian: isBigEndian), into: jpeg)
        }

        private static let formats = OutputFormat.allCases

        private func read(_ content: SharedBytes, _ name: String) throws -> [UInt8]? {
            let back = try Source(content, limits: ImageLimits())
            defer { withExtendedLifetime(content) {} }
            return back.image.metadata(name)
        }

        /// Nothing but the credits leaves, and all of them do where the format has a place for them.
        @Test(arguments: formats, ["", "&profile=p3", "&width=20"])
        func copyright_isTheCreditsAndNothingElse(_ format: OutputFormat, _ more: String) throws {
            try engineStart.get()
            guard ImageEngine.canWrite(format) else { return }
            for isBigEndian in [true, false] {
                let content = try render(source(isBigEndian: isBigEndian), "metadata=copyright" + more, format).content
                let text = String(decoding: content.array, as: UTF8.self)
                for word in ["SECRET", "THUMBNAIL", "NOTES", "GPS", "43,46", "2024:05", "8BIM\u{4}%", "xmpMM"] {
                    #expect(!text.contains(word), "\(word): \(format)")
                }
                for tag in [0x8825, 0x927c] {
                    #expect(IndependentTIFF(exif: content, format)?.tags.contains(tag) != true, "\(format)")
                }
                #expect(try Decoded(content).widthPx == (more == "&width=20" ? 20 : 30))
                guard format != .gif else { continue }
                for word in ["Ada Lovelace", "(c) 1843 Ada", "https://example.org/terms?a=1&amp;b=2"] {
                    #expect(text.contains(word), "\(word): \(format)")
                }
                let xmp = try #require(SourceMetadata(content).xmp)
                #expect(
                    XMPReader.credits(in: xmp).map { Set($0.rights.map(\.text)) }
                        == Set(everyCreditRead.rights.map(\.text)))
                if format != .jxl, format != .avif {
                    #expect(try read(content, "xmp-data") == xmp, "libvips reads the same")
                }
                guard format == .jpeg || format == .tiff else { continue }
                let records = try #require(read(content, "iptc-data").flatMap(IPTCBlock.records))
                #expect(IPTCBlock.credits(of: records)?.creators == ["Žofie", "Second"])
            }
        }

        /// IPTC alone becomes XMP in formats that hold no IPTC: with `keep` it went away there (#15.21).
        @Test(arguments: [OutputFormat.png, .webp, .avif, .jxl], ["copyright", "keep"])
        func creditsOfIPTCGoOutAsXMP(_ format: OutputFormat, _ policy: String) throws {
            try engineStart.get()
            guard ImageEngine.canWrite(format) else { return }
            let jpeg = inserting(0xed, resources(everyRecord), into: try texture(40, 30, .jpeg))
            let content = try render(jpeg, "metadata=\(policy)", format).content
            let credits = try #require(SourceMetadata(content).credits)
            #expect(credits == IPTCBlock.credits(of: everyRecord))
            #expect(!String(decoding: content.array, as: UTF8.self).contains("SECRET"))
        }

        /// XMP that names a place and an empty list of creators, beside IPTC with the credits: they went away where no IPTC is
        /// held (#15.21).
        @Test(arguments: formats) func keep_addsCreditsOfIPTCToXMP(_ format: OutputFormat) throws {
            try engineStart.get()
            guard ImageEngine.canWrite(format), format != .gif else { return }
            let packet = xmpPacket(
                """
                <photoshop:City>Brno</photoshop:City><photoshop:Source>Its own</photoshop:Source>
                <dc:creator><rdf:Seq><rdf:li xml:lang="x-default"/></rdf:Seq></dc:creator>
                """, attributes: "photoshop:Credit=''")
            var jpeg = inserting(0xed, resources(everyRecord), into: try texture(40, 30, .jpeg))
            jpeg = inserting(0xe1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet, into: jpeg)
            let kept = try #require(SourceMetadata(render(jpeg, "metadata=keep&width=20", format).content).xmp)
            var expected = try #require(IPTCBlock.credits(of: everyRecord))
            expected.source = "Its own"
            #expect(XMPReader.credits(in: kept) == expected)
            let text = String(decoding: kept, as: UTF8.self)
            #expect(text.contains("<photoshop:City>Brno</photoshop:City>") && !text.contains("SECRET"))
            for name in ["<dc:creator>", "photoshop:Credit", "photoshop:Source"] {
                // Each property once: an element has its name twice.
                #expect(text.ranges(of: name).count == (name.hasPrefix("<") ? 1 : 2), "\(name): \(text)")
            }
        }

        @Test(arguments: formats) func keep_isAllThatTheFormatHolds(_ format: OutputFormat) throws {
            try engineStart.get()
            guard ImageEngine.canWrite(format), format != .gif else { return }
            for isBigEndian in [true, false] {
                let content = try render(source(isBigEndian: isBigEndian), "metadata=keep", format).content
                let metadata = try SourceMetadata(content)
                #expect(metadata.xmp == everyCredit, "\(format)")
                let exif = try #require(IndependentTIFF(exif: content, format))
                #expect(exif.texts[0x013b] == "Ada Lovelace" && exif.texts[0x010f] == "SECRETC")
                #expect(exif.numbers[0x0112] ?? 1 == 1, "upright")
                #expect(exif.texts[0x9003] == "2024:05:17 09:41:00")
                #expect(exif.numbers[0x8827] == 400)
                #expect(exif.ratios[0x829a] == [1, 250])
                #expect(exif.ratios[0xa432] == [24, 1, 70, 1])
                #expect(exif.ratios[0x0002] == [43, 1, 46, 1, 12, 1])
                #expect(exif.texts[0x927c] == "NOTES")
                if format != .avif { #expect(exif.interoperability == "R98") }
                #expect(!String(decoding: content.array, as: UTF8.self).contains("THUMBNAIL"))
                #expect(try Decoded(content).widthPx == 30, "turned")
                if format == .jpeg || format == .tiff { #expect(metadata.iptc?.starts(with: everyRecord) == true) }
            }
        }

        /// What a TIFF says of itself goes into all other formats, and into a TIFF again.
        @Test(arguments: formats) func metadataOfTIFFIsRead(_ format: OutputFormat) throws {
            try engineStart.get()
            guard ImageEngine.canWrite(format), format != .gif else { return }
            let tiff = try render(source(), "metadata=keep", .tiff).content
            let kept = try render(tiff, "metadata=keep&width=20", format).content
            let exif = try #require(IndependentTIFF(exif: kept, format))
            #expect(exif.texts[0x013b] == "Ada Lovelace" && exif.numbers[0x8827] == 400)
            #expect(exif.ratios[0x0002] == [43, 1, 46, 1, 12, 1])
            let credits = try render(tiff, "metadata=copyright&width=20", format).content
            let text = String(decoding: credits.array, as: UTF8.self)
            #expect(text.contains("Ada Lovelace") && text.contains("Čapek &amp; Šimek") && !text.contains("SECRET"))
            #expect(IndependentTIFF(exif: credits, format)?.ratios[0x0002] == nil)
        }

        /// Of JPEG XL too, if this libvips reads any.
        @Test func metadataOfJPEGXLIsRead() throws {
            try engineStart.get()
            guard ImageEngine.canWrite(.jxl) else { return }
            for profile in ["", "&profile=p3"] {
                let jxl = try render(source(), "metadata=keep" + profile, .jxl).content
                let back = try render(jxl, "metadata=keep", .jpeg).content
                #expect(IndependentTIFF(exif: back, .jpeg)?.texts[0x013b] == "Ada Lovelace")
                #expect(try SourceMetadata(back).xmp == everyCredit)
                #expect(try Decoded(back).widthPx == 30, "turned once")
            }
        }

        @Test func theSavedTIFFIsWhole_byLibvips() throws {
            guard Vips.isPresent else { return }
            for query in ["metadata=keep", "metadata=copyright&profile=p3", "metadata=keep&width=20"] {
                let tiff = try render(source(), query, .tiff).content
                let plain = try render(source(), query.replacing("keep", with: "none"), .tiff).content
                let fields = try Vips.fields(of: tiff)
                #expect(fields.contains("iptc-data: "), "\(fields)")
                #expect(try Vips.text(["avg", "IN"], on: tiff) == Vips.text(["avg", "IN"], on: plain))
            }
        }

        /// Pages stay pages.
        @Test(.enabled(if: Shared.isPresent, "no test data at ../shared")) func pagesOfTIFFStay() throws {
            let pages = try Shared.read("images/sh_multi.tif")
            let metadata = ImageMetadata(exif: wholeEXIF(isBigEndian: true), xmp: everyCredit, iptc: everyRecord)
            let dressed = MetadataWriter.adding(pages, .tiff, metadata, profile: nil, widthPx: 1, heightPx: 1)
            let before = try Source(pages, limits: ImageLimits()).header
            var after = try Source(dressed, limits: ImageLimits()).header
            // Metadata are entries of the first directory.
            #expect(after.entryCount > before.entryCount)
            after.entryCount = before.entryCount
            #expect(before.pageCount > 1 && after == before)
            #expect(try SourceMetadata(dressed).xmp == everyCredit)
        }

        /// A packet that fits no segment of JPEG goes out where it fits; its credits do everywhere.
        @Test func longPacketsAreLeftOutOfJPEG() throws {
            let padding = [UInt8](repeating: 0x20, count: XMPReader.byteLimit - everyCredit.count)
            let webp = MetadataWriter.adding(
                try texture(40, 30, .webp), .webp, ImageMetadata(xmp: everyCredit + padding), profile: nil,
                widthPx: 40, heightPx: 30)
            #expect(try SourceMetadata(render(webp, "metadata=keep", .jpeg).content).xmp == nil)
            #expect(try SourceMetadata(render(webp, "metadata=keep&width=20", .png).content).xmp?.count == 4 << 20)
            let small = try render(webp, "metadata=copyright", .jpeg).content
            #expect(small.count < 20_000)
            #expect(try SourceMetadata(small).credits?.creators == everyCreditRead.creators)
        }

        @Test(.enabled(if: Shared.isPresent, "no test data at ../shared")) func aPhotographOfPhotoshop() throws {
            let photo = try Shared.read("images/sh_cmyk.jpg")
            // XMP with a camera and dates, a small picture in EXIF and one in Photoshop's resources; nobody is named.
            #expect(try SourceMetadata(photo).credits == nil)
            for format in [OutputFormat.jpeg, .tiff] {
                let bare = String(
                    decoding: try render(photo, "metadata=copyright&width=40", format).content.array, as: UTF8.self)
                #expect(!bare.contains("Canon") && !bare.contains("xmpmeta") && !bare.contains("8BIM"))
            }
            let kept = try render(photo, "metadata=keep&width=40", .tiff).content
            let exif = try #require(IndependentTIFF(exif: kept, .tiff))
            #expect(exif.texts[0x010f] == "Canon" && exif.numbers[0x8827] == 400)
            #expect(!String(decoding: kept.array, as: UTF8.self).contains("8BIM"))
        }
    }
}

extension SourceMetadata {
    /// That of an encoded picture.
    init(_ content: SharedBytes) throws {
        try engineStart.get()
        let back = try Source(content, limits: ImageLimits())
        self.init(of: back.image, in: content, back.header.format)
        withExtendedLifetime(content) {}
    }
}
