import Bytes
import Colors
import Testing

@testable import Raster

@Suite(.timeLimit(.minutes(5))) struct SurfaceTests {
    private func square(_ left: Float, _ top: Float, _ side: Float) -> [SurfaceVertex] {
        func vertex(_ across: Float, _ down: Float) -> SurfaceVertex {
            SurfaceVertex(x: left + across * side, y: top + down * side, across: across, down: down)
        }
        return [vertex(0, 0), vertex(0, 1), vertex(1, 0), vertex(1, 0), vertex(0, 1), vertex(1, 1)]
    }

    private func draw(_ content: SurfaceContent, _ triangles: [SurfaceVertex]) throws -> [[UInt8]] {
        var list = DisplayList()
        list.surface(Surface(triangles: triangles, content: content))
        return try pixels(list)
    }

    /// Four bytes for each of 8 × 8 pixels.
    private func pixels(_ list: DisplayList) throws -> [[UInt8]] {
        let picture = try Rasteriser.draw(list, widthPx: 8, heightPx: 8, background: .transparent)
        return picture.pixels.withUnsafeBytes { bytes in
            (0..<64).map { pixel in (0..<4).map { bytes[pixel * 4 + $0] } }
        }
    }

    private func texture(_ values: [UInt8], width: Int) throws -> Texture {
        let bytes = values.flatMap { value -> [UInt8] in [value, value, value, 255] }
        return try #require(
            Texture(
                widthPx: width, heightPx: values.count / width, format: .rgba, texels: SharedBytes(bytes)))
    }

    @Test func texelsAreSquaresOrRunIntoEachOther() throws {
        let picture = try texture([0, 200, 0, 200], width: 2)
        func row(_ isSmooth: Bool) throws -> [UInt8] {
            let content = SurfaceContent.picture(picture, isSmooth: isSmooth, hasLevels: true, PictureAdjustment())
            return try draw(content, square(0, 0, 8))[0..<8].map { $0[0] }
        }
        #expect(try row(false) == [0, 0, 0, 0, 200, 200, 200, 200])
        #expect(try row(true) == [0, 0, 25, 75, 125, 175, 200, 200])
    }

    @Test func aPictureMadeSmallerIsTheMeanOfItsTexels() throws {
        let picture = try texture(
            (0..<256).map { place -> UInt8 in (place + place / 16).isMultiple(of: 2) ? 0 : 200 }, width: 16)
        let content = SurfaceContent.picture(picture, isSmooth: true, hasLevels: true, PictureAdjustment())
        #expect(try draw(content, square(0, 0, 8)).allSatisfy { $0 == [100, 100, 100, 255] })
    }

    @Test func adjustmentsChangeStraightColors() {
        var adjustment = PictureAdjustment()
        adjustment.opacity = 0.5
        adjustment.low = 0.2
        adjustment.high = 0.6
        let color = adjustment.apply(SIMD4(100, 0, 0, 100))
        #expect(abs(color.x - 30) < 1e-3 && abs(color.y - 10) < 1e-3 && color.w == 50)
        adjustment = PictureAdjustment()
        adjustment.saturation = 1
        let grey = adjustment.apply(SIMD4(90, 30, 0, 255))
        #expect(abs(grey.x - 40) < 1e-3 && abs(grey.y - 40) < 1e-3 && abs(grey.z - 40) < 1e-3)
        adjustment = PictureAdjustment()
        adjustment.spin = SIMD3(0, 0, 1)
        #expect(adjustment.apply(SIMD4(255, 0, 0, 255)) == SIMD4(0, 255, 0, 255))
    }

    @Test func neighboursShareNoPixel() throws {
        var adjustment = PictureAdjustment()
        adjustment.opacity = 0.5
        let content = SurfaceContent.picture(try texture([200], width: 1), isSmooth: true, hasLevels: false, adjustment)
        var list = DisplayList()
        for (left, top) in [(-3.7, -4.2), (3.3, -4.2), (-3.7, 2.8), (3.3, 2.8)] as [(Float, Float)] {
            list.surface(Surface(triangles: square(left, top, 7), content: content))
        }
        #expect(try pixels(list).allSatisfy { $0[3] == 128 })
    }

    @Test func heightsHaveColors() throws {
        let field = try #require(
            HeightField(side: 2, metres: [0, 0, 10, 10, 0, 0, 10, 10, 0, 0, 10, 10, 0, 0, 10, 10]))
        let colors = try #require(
            HeightColors(
                heights: [0, 10], colors: [SIMD4(0, 0, 0, 255), SIMD4(250, 0, 0, 255)], isStepped: false))
        let rows = try draw(.heights(field, isSmooth: true, colors, opacity: 1), square(0, 0, 8))
        #expect(rows[0..<8].map { $0[0] } == [0, 0, 31, 94, 156, 219, 250, 250])
        #expect(HeightField(side: 2, metres: [0]) == nil)
    }

    @Test func flatGroundHasNoRelief() throws {
        let slopes = try #require(
            Texture(widthPx: 1, heightPx: 1, format: .rgba, texels: SharedBytes([128, 128, 255, 255])))
        let source = ReliefLight.Source(
            shadow: SIMD4(0, 0, 0, 255), highlight: SIMD4(255, 255, 255, 255), azimuth: 0, azimuthSine: 0,
            azimuthCosine: 1, altitudeSine: 0.5, altitudeCosine: 0.8660254)
        let table = ReliefLight.SlopeTable { min(1, $0) }
        let methods: [ReliefLight.Method] = [
            .standard(shade: table, accent: table, color: SIMD4(0, 0, 0, 255)), .igor(strength: table),
            .combined(angle: table, factor: 1), .diffuse(factor: 1),
        ]
        for method in methods {
            let light = ReliefLight(method: method, sources: [source], scales: [1, 1])
            let pixels = try draw(.relief(slopes, isSmooth: true, light), square(0, 0, 8))
            #expect(pixels.allSatisfy { $0[3] <= 1 })
        }
    }

    @Test func inverseFunctionsOfAnglesAreNear() {
        for step in 0..<64 {
            let (x, y) = (Float(step % 8) - 3.5, Float(step / 8) - 3.5)
            let angle = Arc.angle(x: x, y: y)
            let size = (x * x + y * y).squareRoot()
            // The sine of the sum of both angles would be 0 if they were the same.
            #expect(abs(Arc.cosine(x / size) - abs(angle)) < 1e-4)
        }
        #expect(abs(Arc.angle(x: 0, y: 1) - .pi / 2) < 1e-5)
        #expect(Arc.angle(x: 0, y: 0) == 0)
    }

    @Test func densitiesAddUp() throws {
        let bytes = (0..<256).flatMap { value -> [UInt8] in [UInt8(value), 0, 0, 255] }
        let ramp = try #require(Texture(widthPx: 256, heightPx: 1, format: .rgba, texels: SharedBytes(bytes)))
        var map = DensityMap(ramp: ramp, opacity: 1)
        func vertex(_ across: Float, _ down: Float) -> SurfaceVertex {
            SurfaceVertex(x: 4 + across * 400, y: 4 + down * 400, across: across, down: down)
        }
        for _ in 0..<2 {
            map.add(
                DensityMap.Bell(
                    corners: (vertex(-1, -1), vertex(1, -1), vertex(-1, 1), vertex(1, 1)), peak: 0.25, reach: 1))
        }
        var list = DisplayList()
        list.densities(map)
        #expect(try pixels(list).allSatisfy { (125...128).contains($0[0]) })
    }

    @Test func verticesWithoutAPlaceAreLeftOut() throws {
        var triangles = square(0, 0, 8)
        triangles[1].y = .nan
        let content = SurfaceContent.picture(
            try texture([200], width: 1), isSmooth: true, hasLevels: true, PictureAdjustment())
        #expect(try draw(content, triangles).allSatisfy { $0[3] == 0 })
        triangles[1].y = 8
        triangles[1].depth = -1
        #expect(try draw(content, triangles).allSatisfy { $0[3] == 0 })
    }

    /// #15.7: in the middle of a bell without end a zero is multiplied by infinity.
    @Test func bellWithoutEnd_isDrawn() throws {
        var map = DensityMap(ramp: try texture([0, 255], width: 2), opacity: 1)
        func corner(_ across: Float, _ down: Float) -> SurfaceVertex {
            SurfaceVertex(x: 6 + across * 6, y: 6 + down * 6, across: across, down: down)
        }
        for reach in [Float(1e30), 0] {
            map.add(
                DensityMap.Bell(
                    corners: (corner(-1, -1), corner(1, -1), corner(-1, 1), corner(1, 1)), peak: 1, reach: reach))
        }
        // The sums are a quarter as many each way: of an odd number one lies in the middle.
        var list = DisplayList()
        list.densities(map)
        let picture = try Rasteriser.draw(list, widthPx: 12, heightPx: 12, background: .transparent)
        #expect(picture.pixels.count == 12 * 12 * 4)
        #expect(BellTable().value(.nan) == 1)
        #expect(BellTable().value(.infinity) < 1e-9)
    }

    @Test func slopesThatAreNoNumbers_haveAColor() {
        let table = ReliefLight.SlopeTable { $0 > 1 ? 1 : 0 }
        #expect(table.value(.infinity) == 1)
        #expect(table.value(.nan) == 0)
        #expect(table.value(-1) == 0)
        let source = ReliefLight.Source(
            shadow: SIMD4(0, 0, 0, 255), highlight: SIMD4(255, 255, 255, 255), azimuth: 0, azimuthSine: 0,
            azimuthCosine: 1, altitudeSine: 0.5, altitudeCosine: 0.8)
        for scales in [[Float.infinity, .infinity], [.nan, 1]] {
            let light = ReliefLight(method: .igor(strength: table), sources: [source], scales: scales)
            let shader = ReliefShader(light)
            for x in [Float(0), 128, 200] { _ = shader.color(x: x, y: 128, down: .nan) }
        }
    }
}
