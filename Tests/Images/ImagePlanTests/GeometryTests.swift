import ImagePlan
import Testing

/// Plans against what they mean: upright → flip → rotate → crop → box, pixel by pixel, over small spaces in full.
@Suite(.timeLimit(.minutes(5))) struct GeometryTests {
    private let stored = PixelSize(widthPx: 4, heightPx: 3)
    private let flips: [Flip?] = [nil] + Flip.allCases

    private func header(_ size: PixelSize, exif: Int = 1) -> ImageHeader {
        ImageHeader(format: .jpeg, widthPx: size.widthPx, heightPx: size.heightPx, orientation: exif)
    }

    /// Calls `body` with every EXIF orientation, flip and rotation, and the picture that they mean.
    private func forEveryOrientation(_ body: (ImageRequest, ImageHeader, PixelGrid) throws -> Void) rethrows {
        for exif in 1...8 {
            for flip in flips {
                for turns in 0...4 {
                    var request = ImageRequest(id: "a")
                    request.flip = flip
                    request.rotation = turns == 4 ? .asStored : .upright(quarterTurns: turns)
                    let source = PixelGrid(labelled: stored)
                    let upright = turns == 4 ? source : source.upright(exif: exif)
                    let meant = upright.flipped(flip).turnedClockwise(turns & 3)
                    try body(request, header(stored, exif: exif), meant)
                }
            }
        }
    }

    @Test func cropsOfEveryOrientationKeepTheRightPixels() throws {
        var wrong: [String] = []
        var count = 0
        try forEveryOrientation { request, header, meant in
            for rect in allRects(in: meant.size) {
                var request = request
                request.crop = .pixels(rect)
                let plan = try request.plan(for: header, output: .png)
                count += 1
                if PixelGrid(labelled: stored).carryingOut(plan) != meant.cut(rect) {
                    wrong.append("\(request.canonical) EXIF \(header.orientation)")
                }
            }
        }
        #expect(count == 8 * 4 * 5 * 60)
        #expect(wrong.prefix(3) == [])
    }

    @Test func coverByGravityKeepsTheRightPixels() throws {
        var wrong: [String] = []
        try forEveryOrientation { request, header, meant in
            for compass in Compass.allCases {
                for cutsRows in [false, true] {
                    var request = request
                    request.fit = .cover
                    request.gravity = .compass(compass)
                    // One side is the picture's own, so nothing is scaled and one pixel row or column goes.
                    let size = meant.size
                    let box = PixelSize(
                        widthPx: size.widthPx - (cutsRows ? 0 : 1), heightPx: size.heightPx - (cutsRows ? 1 : 0))
                    request.width = .pixels(box.widthPx)
                    request.height = .pixels(box.heightPx)
                    let plan = try request.plan(for: header, output: .png)
                    let x = [.right, .topRight, .bottomRight].contains(compass) ? size.widthPx - box.widthPx : 0
                    let y = [.bottom, .bottomLeft, .bottomRight].contains(compass) ? size.heightPx - box.heightPx : 0
                    let rect = PixelRect(x: x, y: y, widthPx: box.widthPx, heightPx: box.heightPx)
                    if PixelGrid(labelled: stored).carryingOut(plan) != meant.cut(rect) {
                        wrong.append("\(request.canonical) EXIF \(header.orientation)")
                    }
                }
            }
        }
        #expect(wrong.prefix(3) == [])
    }

    @Test func containPutsThePictureOnItsSideOfTheBox() throws {
        var wrong: [String] = []
        try forEveryOrientation { request, header, meant in
            for compass in Compass.allCases {
                var request = request
                request.fit = .contain
                request.gravity = .compass(compass)
                request.width = .pixels(7)
                request.height = .pixels(8)
                let plan = try request.plan(for: header, output: .png)
                let grid = PixelGrid(labelled: stored).carryingOut(plan)
                let free = PixelSize(widthPx: 7 - meant.size.widthPx, heightPx: 8 - meant.size.heightPx)
                let x =
                    [.left, .topLeft, .bottomLeft].contains(compass)
                    ? 0 : [.right, .topRight, .bottomRight].contains(compass) ? free.widthPx : free.widthPx / 2
                let y =
                    [.top, .topLeft, .topRight].contains(compass)
                    ? 0 : [.bottom, .bottomLeft, .bottomRight].contains(compass) ? free.heightPx : free.heightPx / 2
                let rect = PixelRect(x: x, y: y, widthPx: meant.size.widthPx, heightPx: meant.size.heightPx)
                let background = grid?.rows.joined().filter { $0 == -1 }.count
                if grid?.cut(rect) != meant || background != 56 - 12 {
                    wrong.append("\(request.canonical) EXIF \(header.orientation)")
                }
            }
        }
        #expect(wrong.prefix(3) == [])
    }

    @Test func enlargingTwofoldTurnsLikeThePicture() throws {
        var wrong: [String] = []
        try forEveryOrientation { request, header, meant in
            var request = request
            request.width = .pixels(2 * meant.size.widthPx)
            request.mayEnlarge = true
            let plan = try request.plan(for: header, output: .png)
            let size = PixelSize(widthPx: 2 * meant.size.widthPx, heightPx: 2 * meant.size.heightPx)
            if PixelGrid(labelled: stored).carryingOut(plan) != meant.moved(to: size, { ($0 / 2, $1 / 2) }) {
                wrong.append("\(request.canonical) EXIF \(header.orientation)")
            }
        }
        #expect(wrong.prefix(3) == [])
    }

    @Test func cropsPartlyOutside_areClipped() throws {
        let size = stored
        for x in -3...5 {
            for y in -3...5 {
                for side in 1...8 {
                    var request = ImageRequest(id: "a")
                    request.crop = .pixels(PixelRect(x: x, y: y, widthPx: side, heightPx: side))
                    let columns = (x..<(x + side)).clamped(to: 0..<size.widthPx)
                    let rows = (y..<(y + side)).clamped(to: 0..<size.heightPx)
                    if columns.isEmpty || rows.isEmpty {
                        #expect(throws: PlanError.cropOutside(widthPx: 4, heightPx: 3)) {
                            try request.plan(for: header(size), output: .png)
                        }
                    } else {
                        let plan = try request.plan(for: header(size), output: .png)
                        #expect(plan.outputWidthPx == columns.count && plan.outputHeightPx == rows.count)
                        #expect(plan.extract.x == columns.lowerBound && plan.extract.y == rows.lowerBound)
                    }
                }
            }
        }
    }

    /// Every source, box, fit and permission to grow in a small space holds what the fits promise.
    @Test func sizesKeepThePromisesOfTheirFit() throws {
        var wrong: [String] = []
        for fit in Fit.allCases {
            for grows in [false, true] {
                for index in 0..<(6 * 6 * 10 * 10) {
                    let source = PixelSize(widthPx: 1 + index % 6, heightPx: 1 + index / 6 % 6)
                    let box = PixelSize(widthPx: 1 + index / 36 % 10, heightPx: 1 + index / 360)
                    var request = ImageRequest(id: "a")
                    request.fit = fit
                    request.mayEnlarge = grows
                    request.width = .pixels(box.widthPx)
                    request.height = .pixels(box.heightPx)
                    let plan = try request.plan(for: header(source), output: .png)
                    let output = PixelSize(widthPx: plan.outputWidthPx, heightPx: plan.outputHeightPx)
                    let meant = meantSize(source, box, fit, grows)
                    if output != meant || PixelGrid(labelled: source).carryingOut(plan) == nil {
                        wrong.append("\(source) \(request.canonical): \(output), meant \(meant)")
                    }
                }
            }
        }
        #expect(wrong.prefix(3) == [])
    }

    /// The fits once more, by scales in floating point.
    private func meantSize(_ source: PixelSize, _ box: PixelSize, _ fit: Fit, _ grows: Bool) -> PixelSize {
        let horizontal = Double(box.widthPx) / Double(source.widthPx)
        let vertical = Double(box.heightPx) / Double(source.heightPx)
        func limited(_ scale: Double) -> Double { grows ? scale : min(1, scale) }
        func size(_ horizontal: Double, _ vertical: Double) -> PixelSize {
            // Halves are exact in these small numbers up to an error far below the next possible fraction.
            PixelSize(
                widthPx: max(1, Int((Double(source.widthPx) * limited(horizontal) + 0.5 + 1e-9).rounded(.down))),
                heightPx: max(1, Int((Double(source.heightPx) * limited(vertical) + 0.5 + 1e-9).rounded(.down))))
        }
        let larger = max(horizontal, vertical)
        let smaller = min(horizontal, vertical)
        switch fit {
        case .inside: return size(smaller, smaller)
        case .outside: return size(larger, larger)
        case .fill: return size(horizontal, vertical)
        case .contain: return box
        case .cover:
            let covering = size(larger, larger)
            return PixelSize(
                widthPx: min(box.widthPx, covering.widthPx), heightPx: min(box.heightPx, covering.heightPx))
        }
    }
}
