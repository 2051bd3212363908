import Bytes
import CVips
import Colors
import ImagePlan
import Testing

@testable import ImageEngine

/// `background=blur`: the image once more, covering the canvas, blurred and darker.
@Suite(.timeLimit(.minutes(5))) struct SurroundTests {
    private func surrounded(_ source: FilterSubject, _ canvas: PixelSize, x: Int, y: Int) throws -> FilterSubject {
        let size = PixelSize(widthPx: source.widthPx, heightPx: source.heightPx)
        let plan = ImagePlan(
            source: size, steps: [.surround(canvas: canvas, x: x, y: y)], output: canvas,
            encoding: Encoding(formats: [.png]))
        let stage = try #require(SurroundStage(plan))
        let image = try source.image()
        let header = ImageHeader(format: .png, widthPx: size.widthPx, heightPx: size.heightPx)
        let colors = WorkingColors(plan, source: image, header: header, isNamed: true)
        var work = StageWork(
            colors: colors, sources: RenderSources(SharedBytes([UInt8]())), context: RenderContext(), overlays: nil)
        return try FilterSubject(stage.apply(to: image, in: &work))
    }

    @Test func theImageStaysAndTheRestIsSoftAndDarker() throws {
        let canvas = PixelSize(widthPx: 90, heightPx: 60)
        let scene = FilterSubject.scene(40, 60)
        for source in [scene, scene.grey, scene.widened, scene.grey.widened] {
            let image = try surrounded(source, canvas, x: 25, y: 0)
            #expect([image.widthPx, image.heightPx, image.bands] == [90, 60, source.bands])
            #expect(image.isWide == source.isWide)
            for y in 0..<60 { for x in 0..<40 { #expect(image[x + 25, y] == source[x, y]) } }
            let unit = source.isWide ? 257 : 1
            for y in 1..<60 {
                for x in Array(1..<25) + Array(66..<90) {
                    for band in 0..<image.bands {
                        #expect(abs(image[x, y][band] - image[x - 1, y][band]) <= 24 * unit)
                        #expect(abs(image[x, y][band] - image[x, y - 1][band]) <= 24 * unit)
                    }
                }
            }
        }
        let even = try surrounded(FilterSubject(30, 30) { _, _ in [200, 120, 60] }, canvas, x: 30, y: 15)
        let border = even[2, 2]
        #expect(border[0] > 140 && border[0] < 180 && border[1] < 110 && border[2] < 56)
        #expect(even[88, 50] == border)
    }

    /// What is clear in the image shows its blurred self.
    @Test func transparentImages_areComposited() throws {
        let source = FilterSubject(20, 20) { x, _ in x < 10 ? [250, 0, 0, 255] : [0, 0, 0, 0] }
        let image = try surrounded(source, PixelSize(widthPx: 40, heightPx: 20), x: 10, y: 0)
        #expect(image[12, 10] == [250, 0, 0, 255])
        #expect(image[0, 10][3] == 255 && image[0, 10][0] > 150)
        #expect(image[39, 10][3] < 40)
    }

    @Test(arguments: [
        (1, 1, 1, 2), (1, 1, 300, 400), (200, 1, 200, 300), (1, 200, 300, 200), (3, 500, 600, 500),
    ])
    func extremeSides_areCovered(_ width: Int, _ height: Int, _ across: Int, _ down: Int) throws {
        let source = FilterSubject(width, height) { x, y in [x % 256, y % 256, 90] }
        let canvas = PixelSize(widthPx: across, heightPx: down)
        let image = try surrounded(source, canvas, x: across - width, y: down - height)
        #expect([image.widthPx, image.heightPx] == [across, down])
        #expect(image[across - 1, down - 1] == source[width - 1, height - 1])
    }
}
