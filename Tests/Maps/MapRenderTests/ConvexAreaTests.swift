import Testing

@testable import MapRender

@Suite(.timeLimit(.minutes(5))) struct ConvexAreaTests {
    private func box(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> Box {
        Box(left: left, top: top, right: right, bottom: bottom)
    }

    private func area(_ places: [(Double, Double)]) -> ConvexArea {
        ConvexArea(places.map { ScreenPoint(x: $0.0, y: $0.1) })
    }

    @Test func boxes_touchWhereTheyHaveASideOrMoreInCommon() {
        let square = area([(10, 10), (20, 10), (20, 20), (10, 20)])
        #expect(square.touches(box(12, 12, 13, 13)))
        #expect(square.touches(box(0, 0, 30, 30)))
        #expect(square.touches(box(15, 0, 16, 30)))
        #expect(square.touches(box(20, 20, 30, 30)))
        #expect(!square.touches(box(20.1, 10, 30, 20)))
        #expect(!square.touches(box(10, 0, 20, 9.9)))
    }

    /// A box beside the corner of a turned square lies within the box around that.
    @Test(arguments: [false, true]) func corners_areNotTakenForTheBoxAround(_ isReversed: Bool) {
        let corners = [(10.0, 0.0), (20, 10), (10, 20), (0, 10)]
        let diamond = area(isReversed ? corners.reversed() : corners)
        #expect(diamond.touches(box(9, 9, 11, 11)))
        #expect(diamond.touches(box(0, 0, 5, 5)))
        #expect(!diamond.touches(box(0, 0, 4.9, 4.9)))
        #expect(!diamond.touches(box(16, 16, 30, 30)))
        #expect(diamond.touches(box(14, 14, 30, 30)))
    }

    @Test func linesAndPoints_touchNothing() {
        for corners in [[], [(0.0, 0.0)], [(0, 0), (10, 10)]] {
            #expect(!area(corners).touches(box(-5, -5, 15, 15)))
        }
    }
}
