import ImagePlan
import Parameters
import Testing

@testable import ImageEngine

extension EngineTests {
    /// What the curves and the defaults say, held against the encoders that are linked: `scripts/bench quality` measures them.
    @Suite struct LikeQuality {
        private static let formats = [OutputFormat.jpeg, .webp, .avif, .jxl]

        /// The mean score of three photographs at `quality`.
        private func meanScore(_ format: OutputFormat, query: String, quality: Int) throws -> Double {
            var sum = 0.0
            let photos = ["photo12_seeding.jpg", "photo12_sunset.jpg", "photo12_orient6.jpg"]
            for photo in photos {
                let request = try ImageRequest.parse(QueryItems.parse("id=x&" + query))
                let survey = try EncoderBenchmark(of: Shared.read("images/\(photo)"), request)
                let score = try survey.score(of: survey.encoded(as: format, quality: quality), format)
                sum += try #require(score)
            }
            return sum / Double(photos.count)
        }

        @Test(.enabled(if: Shared.isPresent, "no test data at ../shared"), arguments: formats, [45.0, 65, 80])
        func usualQualities_reachTheirTarget_onAverage(_ format: OutputFormat, _ target: Double) throws {
            try engineStart.get()
            guard ImageEngine.canWrite(format) else { return }
            let quality = format.usualQuality(for: target)
            let score = try meanScore(format, query: "width=516", quality: quality)
            #expect(abs(score - target) <= 4, "\(format) \(quality): \(score)")
        }

        /// #15: from 90 on AVIF keeps all of its chroma, which the curve has to know.
        @Test(.enabled(if: Shared.isPresent, "no test data at ../shared")) func highTargetsOfAVIF_areReached() throws {
            try engineStart.get()
            let score = try meanScore(.avif, query: "width=516", quality: OutputFormat.avif.usualQuality(for: 90))
            #expect(abs(score - 90) <= 1.5, "\(score)")
        }

        @Test(.enabled(if: Shared.isPresent, "no test data at ../shared"), arguments: formats)
        func defaultQualities_lookAlike(_ format: OutputFormat) throws {
            try engineStart.get()
            guard ImageEngine.canWrite(format), let quality = format.defaultQuality else { return }
            let score = try meanScore(format, query: "width=800", quality: quality)
            let jpeg = try meanScore(.jpeg, query: "width=800", quality: 80)
            #expect(abs(score - jpeg) <= 2, "\(score) against \(jpeg)")
        }

        @Test(arguments: formats) func usualQualities_riseWithTheTarget(_ format: OutputFormat) {
            let qualities = (0...100).map { format.usualQuality(for: Double($0)) }
            #expect(zip(qualities, qualities.dropFirst()).allSatisfy { $0 <= $1 })
            #expect(qualities.allSatisfy { (5...100).contains($0) })
        }
    }
}
