import Bytes
import ImagePlan
import SeededRandom
import Testing

@testable import ImageEngine

extension EngineTests {
    @Suite struct MetadataStripperTests {
        private func stripped(_ bytes: [UInt8], _ format: SourceFormat, keepsProfile: Bool = false) -> [UInt8]? {
            MetadataStripper.stripped(SharedBytes(bytes), format, keepsProfile: keepsProfile)?.array
        }

        /// `bytes` with `insertion` before `offset`.
        private func inserting(_ insertion: [UInt8], at offset: Int, in bytes: [UInt8]) -> [UInt8] {
            Array(bytes[..<offset]) + insertion + Array(bytes[offset...])
        }

        private func segment(_ marker: UInt8, _ text: String) -> [UInt8] {
            let count = text.utf8.count + 2
            return [0xff, marker, UInt8(count >> 8), UInt8(count & 255)] + Array(text.utf8)
        }

        private func chunk(_ name: String, _ text: String) -> [UInt8] {
            // The check sum is not looked at: the chunk goes as a whole.
            [0, 0, 0, UInt8(text.utf8.count)] + Array(name.utf8) + Array(text.utf8) + [1, 2, 3, 4]
        }

        @Test func jpeg_losesMetadata_keepsWhatDecodersNeed() throws {
            let plain = try Encoder.scene(60, 40, .jpeg).array
            let first = segment(0xe1, "Exif\0\0MM secret") + segment(0xed, "Photoshop") + segment(0xfe, "a comment")
            let adobe = segment(0xee, "Adobe\0d\0\0\0\0\u{1}")
            let profile = segment(0xe2, "ICC_PROFILE\0\u{1}\u{1}not really")
            let source = inserting(first + adobe + profile, at: 2, in: plain) + Array("trailer".utf8)
            #expect(stripped(source, .jpeg) == inserting(adobe, at: 2, in: plain))
            #expect(stripped(source, .jpeg, keepsProfile: true) == inserting(adobe + profile, at: 2, in: plain))
            #expect(stripped(plain, .jpeg) == plain)
            // What these segments hold beside what they have to: a small picture, somebody's words.
            let small = segment(0xe0, "JFIF\0\u{1}\u{1}\0\0\u{1}\0\u{1}\u{1}\u{1}rgb")
            #expect(stripped(inserting(small, at: 2, in: plain), .jpeg) == nil)
            #expect(stripped(inserting(segment(0xee, "Adobe\0d\0\0\0\0\u{1}more"), at: 2, in: plain), .jpeg) == nil)
        }

        @Test func png_losesTextAndFrames_keepsColors() throws {
            let plain = try #require(stripped(Encoder.drawing(60, 40, .png).array, .png))
            let source = inserting(
                chunk("tEXt", "Author\0me") + chunk("eXIf", "MM") + chunk("acTL", "12345678"), at: 33, in: plain)
            #expect(stripped(source + [9, 9], .png) == plain)
            let colored = inserting(chunk("gAMA", "abcd"), at: 33, in: plain)
            #expect(stripped(colored, .png) == plain)
            #expect(stripped(colored, .png, keepsProfile: true) == colored)
        }

        @Test func gif_losesComments_keepsTheLoop() throws {
            let plain = try Encoder.drawing(60, 40, .gif).array
            let table = plain[10] & 0x80 == 0 ? 0 : 3 << (Int(plain[10] & 7) + 1)
            let loop: [UInt8] = [0x21, 0xff, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
            let comment: [UInt8] = [0x21, 0xfe, 3, 1, 2, 3, 0]
            let packet: [UInt8] = [0x21, 0xff, 11] + Array("XMP DataXMP".utf8) + [2, 7, 7, 0]
            let bare = try #require(stripped(plain, .gif))
            let source = inserting(comment + packet, at: 13 + table, in: bare)
            #expect(stripped(source, .gif) == bare)
            let looping = inserting(loop, at: 13 + table, in: bare)
            #expect(stripped(inserting(comment, at: 13 + table, in: looping), .gif) == looping)
        }

        @Test func webp_losesMetadata_andMendsItsHeader() throws {
            let simple = try Encoder.scene(60, 40, .webp).array
            func riff(_ flags: UInt8, _ chunks: [UInt8]) -> [UInt8] {
                let extended = Array("VP8X".utf8) + little(10, 4) + [flags, 0, 0, 0, 59, 0, 0, 39, 0, 0]
                let content = Array("WEBP".utf8) + extended + chunks
                return Array("RIFF".utf8) + little(content.count, 4) + content
            }
            let isExtended = simple[12..<16].elementsEqual("VP8X".utf8)
            let picture = Array(simple[(isExtended ? 30 : 12)...])
            let profile = Array("ICCP".utf8) + little(3, 4) + [1, 2, 3, 0]
            let exif = Array("EXIF".utf8) + little(4, 4) + [1, 2, 3, 4]
            let source = riff(0x2c, profile + picture + exif + Array("XMP ".utf8) + little(2, 4) + [5, 5])
            #expect(stripped(source, .webp) == riff(0, picture))
            #expect(stripped(source, .webp, keepsProfile: true) == riff(0x20, profile + picture))
            #expect(stripped(simple, .webp) == simple)
        }

        @Test func avif_isLeftAsItIs_orNotAtAll() throws {
            let plain = try Encoder.scene(60, 40, .avif).array
            let bare = stripped(plain, .avif)
            #expect(bare == nil || bare == plain)
            #expect(stripped(plain + Array("xxxx".utf8), .avif) == nil)
        }

        @Test(arguments: [SourceFormat.tiff, .heic, .jxl, .bmp]) func otherFormats_areNotTakenApart(
            _ format: SourceFormat
        ) {
            #expect(stripped([1, 2, 3], format) == nil)
        }

        /// Whatever happens to a file: no trap, nothing larger, and what comes out has nothing left to take out.
        @Test(arguments: [SourceFormat.jpeg, .png, .webp, .gif, .avif])
        func damagedFiles_areNoHarm(_ format: SourceFormat) throws {
            let output = try #require(format.output)
            let source = try Encoder.scene(48, 40, output).array
            var random = SeededGenerator(state: 41)
            for _ in 0..<3_000 {
                var bytes = source
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.removeLast(.random(in: 0..<bytes.count, using: &random))
                case 1: bytes.removeSubrange(0..<Int.random(in: 0..<40, using: &random))
                default: break
                }
                for _ in 0..<Int.random(in: 0..<6, using: &random) where !bytes.isEmpty {
                    // Most of the structure lies at the beginning.
                    let end = Bool.random(using: &random) ? bytes.count : min(64, bytes.count)
                    bytes[.random(in: 0..<end, using: &random)] =
                        [0, 1, 0x7f, 0xff, .random(in: 0...255, using: &random)]
                        .randomElement(using: &random) ?? 0
                }
                guard let bare = stripped(bytes, format) else { continue }
                #expect(bare.count <= bytes.count)
                #expect(stripped(bare, format) == bare)
            }
        }

        /// The same pixels come out of every real file and what is left of it.
        @Test(
            .enabled(if: Shared.isPresent, "no test data at ../shared"),
            arguments: [
                "photo12_orient6.jpg", "photo12_progressive.jpg", "photo1_cmyk.jpg", "photo1_p3.jpg", "sh_cmyk.jpg",
                "photo1_alpha.png", "photo1_interlaced.png", "photo1_palette.png", "photo1_1bit.png", "lv_1.webp",
                "photo1_alpha_lossless.webp", "anim12.webp", "anim12.gif", "sh_loop3.gif", "lv_trans-x.gif",
            ])
        func realFiles_keepTheirPixels(_ name: String) throws {
            try engineStart.get()
            let source = try Shared.read("images/\(name)")
            let format = try #require(ImageEngine.sniff(source))
            let bare = try #require(MetadataStripper.stripped(source, format, keepsProfile: true))
            #expect(bare.count <= source.count)
            func pixels(_ bytes: SharedBytes) throws -> [UInt8] {
                let image = try Source.load(bytes, format).evaluated(in: RenderContext())
                defer { withExtendedLifetime(bytes) {} }
                return try image.encoded(as: .png, settings: EncoderSettings(effort: 1), in: RenderContext()).array
            }
            #expect(try pixels(bare) == pixels(source))
            let (before, after) = (
                try ImageEngine.probe(source, limits: ImageLimits()), try ImageEngine.probe(bare, limits: ImageLimits())
            )
            #expect(after.pageCount == before.pageCount)
            #expect(after.orientation == 1 || before.orientation == 1)
        }
    }
}
