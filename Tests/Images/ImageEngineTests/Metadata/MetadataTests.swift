import Bytes
import ImagePlan
import Testing

@testable import ImageEngine

/// EXIF, big-endian: orientation 6, artist, copyright, GPS, and a second directory with a small picture.
private func exif() -> [UInt8] {
    let artist = Array("Ada Lovelace\0".utf8) + [0]
    let copyright = Array("(c) 1843 Ada\0".utf8) + [0]
    let values = 8 + 2 + 4 * 12 + 4
    let gps = values + artist.count + copyright.count
    let second = gps + 2 + 12 + 4
    let thumbnail = second + 2 + 2 * 12 + 4
    var file: [UInt8] = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8] + big(4, 2)
    file += big(0x0112, 2) + big(3, 2) + big(1, 4) + big(6, 2) + [0, 0]
    file += big(0x013b, 2) + big(2, 2) + big(13, 4) + big(values, 4)
    file += big(0x8298, 2) + big(2, 2) + big(13, 4) + big(values + artist.count, 4)
    file += big(0x8825, 2) + big(4, 2) + big(1, 4) + big(gps, 4)
    file += big(second, 4) + artist + copyright
    file += big(1, 2) + big(1, 2) + big(2, 2) + big(2, 4) + [UInt8(ascii: "N"), 0, 0, 0] + big(0, 4)
    file += big(2, 2) + big(0x0201, 2) + big(4, 2) + big(1, 4) + big(thumbnail, 4)
    file += big(0x0202, 2) + big(4, 2) + big(1, 4) + big(9, 4) + big(0, 4)
    return file + Array("THUMBNAIL".utf8)
}

extension EngineTests {
    @Suite struct MetadataTests {
        /// What libvips writes of its own accord beside a profile is measures, nothing of the source.
        @Test(arguments: OutputFormat.allCases, ["", "&width=20"])
        func nothingOfTheSourceLeavesUnlessItIsKept(_ format: OutputFormat, _ size: String) throws {
            try engineStart.get()
            guard ImageEngine.canWrite(format) else { return }
            let xmp = Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta PACKET/>".utf8)
            let plain = inserting(0xe1, xmp, into: try texture(40, 30, .jpeg))
            let jpeg = inserting(0xe1, Array("Exif\0\0".utf8) + exif(), into: plain)
            for policy in ["", "&metadata=none"] {
                for profile in ["", "&profile=p3", "&profile=keep"] {
                    let query = "quality=60" + size + policy + profile
                    let content = try render(jpeg, query, format).content
                    let text = String(decoding: content.array, as: UTF8.self)
                    for word in ["PACKET", "THUMBNAIL", "Lovelace", "1843"] {
                        #expect(!text.contains(word), "\(word): \(format) \(query)")
                    }
                    let back = try Source(content, limits: ImageLimits())
                    let exif = back.image.metadata("exif-data")
                    let isBare =
                        back.image.metadata("xmp-data") == nil && back.image.metadata("jpeg-thumbnail-data") == nil
                    withExtendedLifetime(content) {}
                    #expect(isBare)
                    // GPS is a directory of its own, and a small picture another behind the first.
                    #expect(exif?.hasPlaceOrSmallPicture != true, "\(format) \(query)")
                    guard format == .jpeg || format == .png || format == .webp else { continue }
                    #expect(exif == nil, "\(format) \(query)")
                }
            }
        }

        /// The same by a program that is not ours.
        @Test(.enabled(if: Vips.isPresent), arguments: OutputFormat.allCases)
        func libvipsFindsNoFieldsOfTheSource(_ format: OutputFormat) throws {
            try engineStart.get()
            guard ImageEngine.canWrite(format), format != .jxl else { return }
            let jpeg = inserting(0xe1, Array("Exif\0\0".utf8) + exif(), into: try texture(40, 30, .jpeg))
            for query in ["quality=60", "quality=60&profile=p3", "width=20&profile=keep"] {
                let fields = try Vips.fields(of: render(jpeg, query, format).content)
                #expect(fields.contains("width: "))
                for name in ["exif-ifd3", "exif-ifd1", "GPS", "thumbnail", "Artist", "Copyright", "xmp-", "iptc-"] {
                    #expect(!fields.contains(name), "\(name): \(format) \(query)\n\(fields)")
                }
            }
            let kept = try Vips.fields(of: render(jpeg, "metadata=keep", format).content)
            // It does not read EXIF of TIFF; see `ExifDirectoryTests`.
            if [.jpeg, .png, .webp, .avif].contains(format) {
                #expect(kept.contains("Lovelace") && kept.contains("exif-ifd3-GPSLatitudeRef"), "\(kept)")
            }
            #expect(!kept.contains("thumbnail") && !kept.contains("exif-ifd1"), "\(kept)")
        }

        private func metadata(_ policy: MetadataPolicy) throws -> ImageMetadata {
            let xmp = Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta KEPT/>".utf8)
            let plain = try texture(40, 30, .jpeg)
            let jpeg = inserting(0xe1, Array("Exif\0\0".utf8) + exif(), into: inserting(0xe1, xmp, into: plain))
            defer { withExtendedLifetime(jpeg) {} }
            return try ImageMetadata(of: Source(jpeg, limits: ImageLimits()).image, in: jpeg, .jpeg, policy: policy)
        }

        @Test func policiesLetThroughWhatTheySay() throws {
            #expect(try metadata(.none).isEmpty)
            let credits = try #require(metadata(.copyright).exif)
            let text = String(decoding: credits, as: UTF8.self)
            #expect(text.contains("Ada Lovelace") && text.contains("(c) 1843 Ada"))
            #expect(try metadata(.copyright).xmp == nil)
            #expect(credits.count < 100)
            let all = try metadata(.keep)
            #expect(String(decoding: try #require(all.xmp), as: UTF8.self).contains("KEPT"))
            let kept = try #require(all.exif)
            #expect(Array(kept[18..<22]) == [0, 1, 0, 0])
            #expect(!String(decoding: kept, as: UTF8.self).contains("THUMBNAIL"))
        }

        @Test(
            .enabled(if: Shared.isPresent, "no test data at ../shared"),
            arguments: [OutputFormat.jpeg, .png, .webp, .avif, .tiff, .jxl])
        func metadataAndProfileAreReadBack(_ format: OutputFormat) throws {
            try engineStart.get()
            guard ImageEngine.canWrite(format) else { return }
            let metadata = try metadata(.keep)
            let p3 = try Shared.read("images/photo1_p3.jpg")
            let stored = try Source(p3, limits: ImageLimits()).image.metadata("icc-profile-data")
            let profile = try #require(stored)
            withExtendedLifetime(p3) {}
            let picture = try picture(40, 30, .png) { x, _ in [UInt8(x), 0, 0, 255] }
            let image = try Source.load(picture, .png)
            let content = try image.encoded(
                as: format, settings: EncoderSettings(metadata: metadata, profile: profile), in: RenderContext())
            withExtendedLifetime(picture) {}
            let back = try Source(content, limits: ImageLimits())
            defer { withExtendedLifetime(content) {} }
            #expect([back.header.widthPx, back.header.heightPx] == [40, 30])
            #expect(back.header.orientation == 1)
            let again = ImageMetadata(of: back.image, in: content, back.header.format, policy: .copyright)
            #expect(again.exif == ImageMetadata(exif: EXIFBlock(exif())?.credits()).exif, "\(format)")
            let attached = back.image.metadata("icc-profile-data")
            // libjxl keeps what a profile says, not its bytes.
            #expect(format == .jxl ? attached != nil : attached == profile)
            #expect(try Decoded(content).widthPx == 40)
        }

        @Test func animationsCarryThemToo() throws {
            let timing = FrameTiming(delaysMs: [50, 60, 70], loopCount: 2, pageHeightPx: 24)
            let settings = EncoderSettings(metadata: try metadata(.copyright), profile: [1, 2, 3, 4], frames: timing)
            let content = try frames(32, 24, 3).encoded(as: .webp, settings: settings, in: RenderContext())
            let tall = try Source.load(content, .webp, pageCount: 3)
            #expect(tall.frameTiming() == timing)
            #expect(tall.metadata("exif-data") != nil)
            withExtendedLifetime(content) {}
        }

        /// The first directory is empty, and the second says that the small picture is everything behind the header.
        @Test func aSmallPictureThatIsTheWholeFile_leavesTheFirstDirectory() {
            let entry: (UInt8, UInt8) -> [UInt8] = { [2, $0, 0, 4, 0, 0, 0, 1, 0, 0, 0, $1] }
            let block =
                Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 14, 0, 2] + entry(1, 8) + entry(2, 32)
            let upright = EXIFBlock(block)?.upright()
            #expect(upright?.prefix(10) == block.prefix(10))
            #expect(upright?.count == 14)
            #expect(upright?[10..<14].allSatisfy { $0 == 0 } == true, "nothing leads there any more")
        }

        @Test func brokenEXIFNeverEndsTheProcess() { damageEverywhere(exif()) }
    }
}

extension [UInt8] {
    /// Whether EXIF names a directory of places, or has one behind the first.
    fileprivate var hasPlaceOrSmallPicture: Bool {
        let file = starts(with: Array("Exif\0\0".utf8)) ? Array(dropFirst(6)) : self
        guard file.count > 14 else { return false }
        let isBig = file[0] == UInt8(ascii: "M")
        func number(_ offset: Int, _ count: Int) -> Int {
            let run = offset >= 0 && offset + count <= file.count ? file[offset..<(offset + count)] : []
            return (isBig ? Array(run) : run.reversed()).reduce(0) { $0 << 8 | Int($1) }
        }
        let first = number(4, 4)
        let count = number(first, 2)
        return (0..<count).contains { number(first + 2 + $0 * 12, 2) == 0x8825 }
            || number(first + 2 + count * 12, 4) != 0
    }
}
