import Bytes
import ImagePlan
import Parameters
import Testing

@testable import ImageEngine

extension EngineTests {
    /// How fine the chroma of an AVIF is, by size and quality: #15.23.
    @Suite struct ChromaTests {
        /// What `av1C` says (AV1 in ISOBMFF §2.3.3): chroma_subsampling_x and _y are zero.
        private func hasFullChroma(_ content: SharedBytes) throws -> Bool {
            let bytes = content.array
            let name = Array("av1C".utf8)
            let start = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
            return bytes[start + 6] & 0x0c == 0
        }

        private func rendered(_ query: String) throws -> RenderedImage {
            try render(Encoder.scene(420, 300, .png), query + "&format=avif")
        }

        @Test(
            arguments: ["width=200", "height=120", "width=64&height=200&fit=cover"], ["", "&quality=30", "&quality=95"])
        func thumbnailsHaveAllOfIt(_ size: String, _ quality: String) throws {
            #expect(try hasFullChroma(rendered(size + quality).content))
        }

        @Test func largerPicturesHaveItFromNinetyOn() throws {
            for (quality, isFull) in [(50, false), (89, false), (90, true), (100, true)] {
                #expect(try hasFullChroma(rendered("width=400&quality=\(quality)").content) == isFull, "\(quality)")
            }
            #expect(try hasFullChroma(rendered("width=400&lossless=1").content))
            #expect(try !hasFullChroma(rendered("width=201").content))
        }

        @Test func theDefaultOfThumbnailsIsTheirOwn() throws {
            #expect(try rendered("width=200").quality == 60)
            #expect(try rendered("width=201").quality == 72)
            // A number that is named counts, also where it is the default of others.
            #expect(try rendered("width=200&quality=72").quality == 72)
        }

        /// A step of quality is a step of bytes and of likeness, where chroma becomes finer too.
        @Test(
            .enabled(if: Shared.isPresent, "no test data at ../shared"),
            arguments: ["photo12_seeding.jpg", "photo12_sunset.jpg"], ["width=400", "width=800"])
        func nothingJumpsAtNinety(_ photo: String, _ query: String) throws {
            try engineStart.get()
            let survey = try EncoderBenchmark(
                of: Shared.read("images/\(photo)"), ImageRequest.parse(QueryItems.parse("id=x&" + query)))
            var last: (byteCount: Int, score: Double)?
            for quality in 87...93 {
                let content = try survey.encoded(as: .avif, quality: quality)
                let found = try survey.score(of: content, .avif)
                let score = try #require(found)
                if let last {
                    #expect(Double(content.count) < 1.25 * Double(last.byteCount), "bytes at \(quality)")
                    #expect(content.count >= last.byteCount, "bytes at \(quality)")
                    #expect(score > last.score - 0.3 && score < last.score + 2.5, "score at \(quality)")
                }
                last = (content.count, score)
            }
        }

        /// The default of thumbnails looks as JPEG of 80 does, like those of other sizes, and takes fewer bytes than 4:2:0 at
        /// 72, which their size does not need.
        @Test(
            .enabled(if: Shared.isPresent, "no test data at ../shared"),
            arguments: ["photo12_seeding.jpg", "photo12_sunset.jpg", "photo12_orient6.jpg"], [100, 150, 200])
        func thumbnailsAreSmallerAndAsGoodAsOtherSizes(_ photo: String, _ width: Int) throws {
            try engineStart.get()
            let survey = try EncoderBenchmark(
                of: Shared.read("images/\(photo)"), ImageRequest.parse(QueryItems.parse("id=x&width=\(width)")))
            let size = PixelSize(widthPx: survey.widthPx, heightPx: survey.heightPx)
            let quality = try #require(OutputFormat.avif.defaultQuality(for: size))
            let thumbnail = try survey.encoded(as: .avif, quality: quality)
            let before = try survey.encoded(as: .avif, quality: 72, hasFullChroma: false)
            #expect(thumbnail.count < before.count)
            let found = try survey.score(of: thumbnail, .avif)
            #expect((75...82).contains(try #require(found)))
        }
    }
}
