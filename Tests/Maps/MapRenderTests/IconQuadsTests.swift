import Bytes
import MapStyle
import Raster
import Testing

@testable import MapRender

@Suite(.timeLimit(.minutes(5))) struct IconQuadsTests {
    private func image(_ side: Int = 40, pixelRatio: Double = 1) throws -> StyleImage {
        let texels = SharedBytes([UInt8](repeating: 255, count: side * side * 4))
        let texture = try #require(Texture(widthPx: side, heightPx: side, format: .rgba, texels: texels))
        return StyleImage(texture: texture, pixelRatio: pixelRatio)
    }

    private func text(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> ShapedText {
        ShapedText(
            lines: [], top: top, bottom: bottom, left: left, right: right, writingMode: .horizontal, text: "",
            sectionColors: [], hasIcons: false, isVerticalizable: false)
    }

    private static let noPadding = Padding(top: 0, right: 0, bottom: 0, left: 0)

    @Test func anIconIsOneQuadWithABorder() throws {
        let icon = PositionedIcon(try image(pixelRatio: 2), anchor: .topLeft, offset: SymbolVector(x: 3, y: 5))
        #expect(icon.box == Box(left: 3, top: 5, right: 23, bottom: 25))
        let quads = IconQuads.make(icon, rotation: 0, isFitted: false, texture: 7)
        #expect(quads.count == 1)
        // One texel of the border is half a CSS pixel here.
        #expect(quads[0].topLeft == SymbolVector(x: 2.5, y: 4.5))
        #expect(quads[0].bottomRight == SymbolVector(x: 23.5, y: 25.5))
        #expect(quads[0].u0 == -1 && quads[0].v1 == 41 && quads[0].texture == 7)
        #expect(quads[0].pixelOffsetTopLeft == .zero && quads[0].minFontScaleX == 0)
    }

    @Test func iconsTurnAboutTheirAnchor() throws {
        let icon = PositionedIcon(try image(10), anchor: .left, offset: .zero)
        let quad = IconQuads.make(icon, rotation: 90, isFitted: false, texture: 0)[0]
        #expect(quad.topLeft == SymbolVector(x: 6, y: -1))
        #expect(quad.bottomRight == SymbolVector(x: -6, y: 11))
        let box = Box(icon, scale: 16, padding: Self.noPadding, rotation: 90)
        #expect([box.left, box.top, box.right, box.bottom] == [-80, 0, 80, 160])
    }

    @Test func iconsAreFittedToTexts() throws {
        let icon = PositionedIcon(try image(10), anchor: .center, offset: .zero)
        let padding = Padding(top: 1, right: 2, bottom: 3, left: 4)
        let label = text(-24, -12, 48, 12)
        let both = icon.fitted(to: label, .both, padding: padding, offset: .zero, fontScale: 0.5)
        #expect(both.box == Box(left: -16, top: -7, right: 26, bottom: 9))
        let width = icon.fitted(to: label, .width, padding: padding, offset: SymbolVector(x: 1, y: 1), fontScale: 0.5)
        #expect(width.box == Box(left: -15, top: -4, right: 27, bottom: 6))
    }

    @Test func onlyStretchesGrow() throws {
        var stretchable = try image()
        stretchable.stretchX = [10...30]
        stretchable.stretchY = [10...30]
        var icon = PositionedIcon(stretchable, anchor: .center, offset: .zero)
        icon.box = Box(left: 0, top: 0, right: 100, bottom: 60)
        let quads = IconQuads.make(icon, rotation: 0, isFitted: true, texture: 0)
        #expect(quads.count == 9)
        // What a side is at size 1: its place and the pixels that stay.
        let xs = Set(quads.map { $0.topLeft.x + $0.pixelOffsetTopLeft.x }).sorted()
        let ys = Set(quads.map { $0.bottomRight.y + $0.pixelOffsetBottomRight.y }).sorted()
        #expect(xs == [-1, 10, 90])
        #expect(ys == [10, 50, 61])
        #expect(Set(quads.map(\.u0)).sorted() == [-1, 10, 30])
        #expect(quads.allSatisfy { $0.minFontScaleX == 51 / 256 && $0.minFontScaleY == 85 / 256 })
    }

    @Test func theContentFitsTheText() throws {
        var stretchable = try image(40, pixelRatio: 2)
        stretchable.stretchX = [10...30]
        stretchable.stretchY = [10...30]
        stretchable.content = StyleImage.Content(left: 10, top: 10, right: 30, bottom: 30)
        let icon = PositionedIcon(stretchable, anchor: .center, offset: .zero).fitted(
            to: text(-50, -20, 50, 20), .both, padding: Self.noPadding, offset: .zero, fontScale: 1)
        let quads = IconQuads.make(icon, rotation: 0, isFitted: true, texture: 0)
        let xs = Set(quads.map { $0.topLeft.x + $0.pixelOffsetTopLeft.x }).sorted()
        // Five CSS pixels and the border stay outside of the text.
        #expect(xs == [-55.5, -50, 50])
        let box = Box(icon, scale: 16, padding: Self.noPadding, rotation: 0)
        #expect([box.left, box.top, box.right, box.bottom] == [-880, -400, 880, 400])
    }

    @Test func proportionsOfContentsAreKept() throws {
        var proportional = try image()
        proportional.content = StyleImage.Content(left: 0, top: 0, right: 40, bottom: 20)
        proportional.textFitWidth = .stretchOnly
        proportional.textFitHeight = .proportional
        var icon = PositionedIcon(proportional, anchor: .center, offset: .zero)
        icon.box = Box(left: -10, top: -10, right: 10, bottom: 10)
        #expect(icon.proportionedBox == Box(left: -20, top: -10, right: 20, bottom: 10))
        icon.box = Box(left: -50, top: -10, right: 50, bottom: 10)
        #expect(icon.proportionedBox == icon.box)
    }

    @Test func boxesAreWholeUnitsWithinBounds() throws {
        let icon = PositionedIcon(try image(10), anchor: .center, offset: SymbolVector(x: 1e12, y: 0.3))
        let box = Box(icon, scale: 16, padding: Self.noPadding, rotation: 0)
        #expect([box.left, box.top, box.right, box.bottom] == [32767, -75, 32767, 84])
        let none = Box(icon, scale: .nan, padding: Self.noPadding, rotation: 5)
        #expect([none.left, none.bottom] == [0, 0])
    }
}
