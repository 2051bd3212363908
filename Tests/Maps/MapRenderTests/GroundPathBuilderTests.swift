import Raster
import SeededRandom
import Testing

@testable import MapRender

/// Lines of the plane on the canvas.
@Suite(.timeLimit(.minutes(5))) struct GroundPathBuilderTests {
    private let camera = Camera(longitude: 0, latitude: 0, zoom: 4, width: 100, height: 60)

    /// A place so many device pixels from the upper left corner.
    private func place(_ x: Double, _ y: Double) -> WorldPlace {
        let size = View(camera).worldSize
        return WorldPlace(x: 0.5 + (x - 50) / size, y: 0.5 + (y - 30) / size)
    }

    private func pieces(_ points: [(Double, Double)], isClosed: Bool = false) throws -> [GroundPathBuilder.Piece] {
        let part = DrawnLine.Part(places: points.map { place($0.0, $0.1) }, isClosed: isClosed)
        return try GroundPathBuilder(View(camera), margin: 10).pieces(part, copy: 0)
    }

    private func isNear(_ a: ScreenPoint, _ x: Double, _ y: Double) -> Bool {
        abs(a.x - x) < 1e-6 && abs(a.y - y) < 1e-6
    }

    @Test func linesWithinTheCanvasStayWhole() throws {
        let found = try pieces([(10, 10), (20, 10), (20, 30)])
        #expect(found.count == 1)
        let piece = try #require(found.first)
        #expect(piece.points.count == 3 && piece.cuts.isEmpty && piece.phase == 0 && !piece.isClosed)
        #expect(isNear(piece.points[2], 20, 30))
        let ring = try #require(try pieces([(10, 10), (20, 10), (20, 30)], isClosed: true).first)
        #expect(ring.isClosed && ring.points.count == 3)
    }

    @Test func linesAreCutOutsideOfTheCanvasAndKnowHowFarAlongTheyAre() throws {
        let found = try pieces([(-1000, 30), (1000, 30), (1000, 40), (-1000, 40)])
        #expect(found.count == 2)
        #expect(found.allSatisfy { $0.cuts == [.start, .end] })
        let (first, second) = (try #require(found.first), try #require(found.last))
        #expect(isNear(first.points[0], -10, 30) && isNear(first.points[1], 110, 30))
        #expect(abs(first.phase - 990) < 1e-6)
        #expect(isNear(second.points[0], 110, 40))
        #expect(abs(second.phase - (2000 + 10 + 890)) < 1e-6)
        #expect(try pieces([(-100, -100), (200, -100)]).isEmpty)
        // A ring around all of it is not seen at all.
        #expect(try pieces([(-500, -500), (500, -500), (500, 500), (-500, 500)], isClosed: true).isEmpty)
    }

    @Test func dotsAndRepeatedPlacesAreNoTrouble() throws {
        #expect(try pieces([(10, 10)]).isEmpty)
        #expect(try pieces([]).isEmpty)
        #expect(try pieces([(10, 10), (10, 10), (10, 10)]).allSatisfy { $0.points.count >= 1 })
    }

    @Test func longLinesCanBeStopped() throws {
        var asked = 0
        func pen(_ stopsAt: Int) -> GroundPathBuilder {
            asked = 0
            return GroundPathBuilder(View(camera), margin: 10) {
                asked += 1
                return asked == stopsAt
            }
        }
        let part = DrawnLine.Part(places: (0..<100_000).map { place(Double($0 % 100), Double($0 % 60)) })
        #expect(throws: MapError.cancelled) { try pen(3).pieces(part, copy: 0) }
        #expect(asked == 3)
        #expect(try !pen(0).pieces(part, copy: 0).isEmpty)
        #expect(asked == 97)
    }

    /// Whatever the view, pieces lie within the margin and follow each other along the line.
    @Test func piecesLieWithinTheMargin() throws {
        var random = SeededGenerator(state: 7)
        for _ in 0..<300 {
            var camera = camera
            camera.zoom = Double.random(in: 0...20, using: &random)
            camera.bearing = Double.random(in: 0..<360, using: &random)
            camera.pitch = Bool.random(using: &random) ? Double.random(in: 0...60, using: &random) : 0
            camera.longitude = Double.random(in: -180...180, using: &random)
            let places = (0..<20).map { _ in
                WorldPlace(x: Double.random(in: -1...2, using: &random), y: Double.random(in: 0...1, using: &random))
            }
            let part = DrawnLine.Part(places: places, isClosed: Bool.random(using: &random))
            var last = 0.0
            for piece in try GroundPathBuilder(View(camera), margin: 10).pieces(part, copy: 0) {
                for point in piece.points {
                    #expect(point.x > -10.1 && point.x < 110.1)
                    #expect(point.y > -10.1 && point.y < 70.1)
                }
                #expect(piece.phase >= last - 1e-6)
                last = piece.phase
            }
        }
    }
}
