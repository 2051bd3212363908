import ImagePlan
import Testing

@Suite(.timeLimit(.minutes(5))) struct OrientationTests {
    private let size = PixelSize(widthPx: 4, heightPx: 3)

    @Test func eachEXIFValueMakesThePictureUpright() {
        let grid = PixelGrid(labelled: size)
        for exif in 0...9 {
            let orientation = Orientation(exif: exif)
            let turned = grid.flipped(orientation.isMirrored ? .horizontal : nil)
                .turnedClockwise(orientation.quarterTurns)
            #expect(turned == grid.upright(exif: exif), "EXIF \(exif)")
            #expect(turned.size == orientation.applied(to: size))
        }
        #expect(Set((1...8).map(Orientation.init(exif:))) == Set(Orientation.all))
        #expect(Set(Orientation.all).count == 8)
    }

    @Test func orientationsFormAGroup() {
        let grid = PixelGrid(labelled: size)
        func apply(_ orientation: Orientation, _ grid: PixelGrid) -> PixelGrid {
            grid.flipped(orientation.isMirrored ? .horizontal : nil).turnedClockwise(orientation.quarterTurns)
        }
        for first in Orientation.all {
            #expect(first.followed(by: first.inverse) == .identity)
            #expect(first.inverse.followed(by: first) == .identity)
            for second in Orientation.all {
                #expect(apply(second, apply(first, grid)) == apply(first.followed(by: second), grid))
            }
        }
    }

    @Test func rectanglesMoveWithTheirPixels() throws {
        let grid = PixelGrid(labelled: size)
        for orientation in Orientation.all {
            let turned = grid.flipped(orientation.isMirrored ? .horizontal : nil)
                .turnedClockwise(orientation.quarterTurns)
            for rect in allRects(in: size) {
                let moved = orientation.applied(to: rect, within: size)
                let before = try #require(grid.cut(rect)).rows.joined().sorted()
                let after = try #require(turned.cut(moved)).rows.joined().sorted()
                #expect(before == after)
                #expect(orientation.inverse.applied(to: moved, within: turned.size) == rect)
            }
        }
    }
}

/// Every rectangle inside a picture of `size`.
func allRects(in size: PixelSize) -> [PixelRect] {
    var rects: [PixelRect] = []
    for x in 0..<size.widthPx {
        for y in 0..<size.heightPx {
            for width in 1...(size.widthPx - x) {
                for height in 1...(size.heightPx - y) {
                    rects.append(PixelRect(x: x, y: y, widthPx: width, heightPx: height))
                }
            }
        }
    }
    return rects
}
