import ImagePlan
import Parameters
import Testing

@testable import ImageEngine

/// Filters of a rectangle, which hide faces and number plates.
@Suite(.timeLimit(.minutes(5))) struct FilterRegionTests {
    private static let filters: [ImageFilter] = [.blur(sigma: 3), .blur(sigma: 15), .pixelate(size: 6)]

    private static func region(_ x: PlainDecimal, _ y: PlainDecimal, _ width: PlainDecimal, _ height: PlainDecimal)
        -> FilterRegion
    { FilterRegion(x: .pixels(x), y: .pixels(y), width: .pixels(width), height: .pixels(height)) }

    private static func cut(_ source: FilterSubject, _ rect: PixelRect) -> FilterSubject {
        FilterSubject(rect.widthPx, rect.heightPx, isWide: source.isWide) { x, y in source[rect.x + x, rect.y + y] }
    }

    @Test(arguments: filters)
    func theRectangleIsFilteredByItself_andTheRestStays(_ filter: ImageFilter) throws {
        let rect = PixelRect(x: 11, y: 5, widthPx: 20, heightPx: 17)
        let (scene, veiled) = (FilterSubject.scene(), FilterSubject.veiled())
        for before in [scene, veiled, scene.grey, veiled.grey] {
            for source in [before, before.widened] {
                let after = try source.after(.within(Self.region(11, 5, 20, 17), filter))
                #expect([after.bands, after.widthPx, after.heightPx] == [source.bands, 53, 37])
                #expect(after.isWide == source.isWide)
                let inside = try Self.cut(source, rect).after(filter)
                for y in 0..<37 {
                    for x in 0..<53 {
                        let isInside = 11..<31 ~= x && 5..<22 ~= y
                        let expected = isInside ? inside[x - 11, y - 5] : source[x, y]
                        if after[x, y] != expected { Issue.record("\(x),\(y): \(after[x, y]), not \(expected)") }
                    }
                }
            }
        }
    }

    /// What is hidden cannot be had back: what lies outside does not depend on it, and all pixels of a square are one.
    @Test func whatLiesOutside_saysNothingOfTheInside() throws {
        let region = Self.region(8, 8, 16, 16)
        let scene = FilterSubject.scene(40, 32)
        let other = FilterSubject(40, 32) { x, y in
            8..<24 ~= x && 8..<24 ~= y ? [(x * 37 + y * 11) % 256, 7, 200] : scene[x, y]
        }
        let hidden = try [scene, other].map {
            try $0.after(.within(region, .pixelate(size: 16)), .within(region, .blur(sigma: 4)))
        }
        for y in 0..<32 {
            for x in 0..<40 where !(8..<24 ~= x && 8..<24 ~= y) { #expect(hidden[0][x, y] == hidden[1][x, y]) }
        }
        for y in 8..<24 { for x in 8..<24 { #expect(hidden[0][x, y] == hidden[0][8, 8]) } }
    }

    @Test func rectanglesAreRoundedOutwards_andClipped() throws {
        let size = PixelSize(widthPx: 53, heightPx: 37)
        #expect(Self.region(10.2, 0.999, 3.9, 1).rect(in: size) == PixelRect(x: 10, y: 0, widthPx: 5, heightPx: 2))
        #expect(Self.region(50, 30, 500, 7).rect(in: size) == PixelRect(x: 50, y: 30, widthPx: 3, heightPx: 7))
        #expect(Self.region(53, 0, 10, 10).rect(in: size) == nil)
        let half = FilterRegion(x: .percent(50), y: .percent(0), width: .percent(50), height: .percent(100))
        #expect(half.rect(in: size) == PixelRect(x: 26, y: 0, widthPx: 27, heightPx: 37))
        let scene = FilterSubject.scene()
        #expect(try scene.after(.within(Self.region(53, 0, 10, 10), .blur(sigma: 9))) == scene)
        let most = FilterRegion(
            x: .pixels(PlainDecimal(billionths: .max)), y: .pixels(0), width: .pixels(1), height: .percent(100))
        #expect(most.rect(in: size) == nil)
    }

    @Test func severalRectangles_areHiddenInTurnBetweenOtherFilters() throws {
        let scene = FilterSubject.scene()
        let (one, two) = (Self.region(0, 0, 12, 12), Self.region(30, 20, 9, 9))
        let image = try scene.after(
            .invert, .within(one, .pixelate(size: 12)), .within(two, .pixelate(size: 9)), .brightness(20))
        let plain = try scene.after(.invert, .brightness(20))
        #expect(image[20, 5] == plain[20, 5] && image[52, 36] == plain[52, 36])
        #expect(Set((0..<12).map { image[$0, 3] }).count == 1 && Set((30..<39).map { image[$0, 25] }).count == 1)
    }
}
