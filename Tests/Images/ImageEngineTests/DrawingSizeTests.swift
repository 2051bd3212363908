import Bytes
import ImagePlan
import Testing

@testable import ImageEngine

extension EngineTests {
    /// Drawings have no pixels of their own: they fill the box that is asked for, and are drawn at its size (#15.24).
    @Suite struct DrawingSizeTests {
        /// Half black, half white, 60 by 40 points.
        private let drawing = SharedBytes(
            Array(
                """
                <svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="60" height="40" fill="white"/>\
                <rect width="30" height="40"/></svg>
                """.utf8))

        @Test(arguments: [
            ("", 60, 40), ("width=480", 480, 320), ("height=10", 15, 10), ("width=300&height=300&fit=cover", 300, 300),
            ("width=300&height=100&fit=contain", 300, 100), ("width=200p", 120, 80), ("width=120&scale=2", 240, 160),
            ("dpi=72", 60, 40), ("dpi=144", 120, 80), ("dpi=36", 30, 20), ("dpi=600", 500, 333),
            ("dpi=144&scale=2", 240, 160), ("dpi=72&scale=2", 120, 80), ("dpi=144&rotate=90", 80, 120),
            ("crop=0,0,30,20&dpi=144", 60, 40),
        ])
        func drawingsFillTheirBox(_ query: String, _ widthPx: Int, _ heightPx: Int) throws {
            try engineStart.get()
            guard ImageEngine.canRead(.svg) else { return }
            let picture = try Decoded(render(drawing, query).content)
            #expect([picture.widthPx, picture.heightPx] == [widthPx, heightPx])
        }

        @Test func enlargedDrawings_areDrawnLarge_notBlownUp() throws {
            try engineStart.get()
            guard ImageEngine.canRead(.svg) else { return }
            let picture = try Decoded(render(drawing, "width=960").content)
            // The edge in the middle is as sharp as at the size of the file: at most one column is neither.
            let row = (0..<960).map { picture.samples[($0 + 960 * 300) * (picture.samples.count / (960 * 640))] }
            #expect(row.count { $0 > 8 && $0 < 247 } <= 1)
            #expect(row[470] < 8 && row[490] > 247)
        }

        @Test func resultsBeyondTheLimits_areRefused() throws {
            try engineStart.get()
            guard ImageEngine.canRead(.svg) else { return }
            guard case .plan(.outputTooLarge) = try renderError(drawing, "width=8192&height=8192&fit=fill&scale=4")
            else {
                Issue.record("a drawing of 32,768 pixels a side was drawn")
                return
            }
        }

        @Test func picturesWithPixels_passDPIOver() throws {
            let picture = try Decoded(render(texture(40, 30, .png), "dpi=300").content)
            #expect([picture.widthPx, picture.heightPx] == [40, 30])
        }
    }
}
