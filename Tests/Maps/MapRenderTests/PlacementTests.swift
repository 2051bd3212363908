import MapStyle
import Testing

@testable import MapRender

@Suite(.timeLimit(.minutes(5))) struct PlacementTests {
    private let view = View(Camera(longitude: 0, latitude: 0, zoom: 0, width: 512, height: 512))

    /// A tile of a layer with `layout`, which shows 8192 units on 512 pixels.
    private func tile(_ layout: String = "") throws -> SymbolTile {
        let text = """
            {"version": 8, "sources": {"s": {"type": "geojson", "data": {"type": "FeatureCollection", "features": []}}},
             "layers": [{"id": "l", "type": "symbol", "source": "s", "layout": {\(layout)}}]}
            """
        let style = try Style.read(Array(text.utf8))
        let settings = SymbolSettings(try #require(style.layers.first), EvaluationContext())
        return SymbolTile(tile: PlacedTile(id: TileCoordinate(z: 0, x: 0, y: 0)), settings: settings)
    }

    private func symbol(
        x: Double = 4096, y: Double = 4096, offsets: [Double] = [0], line: Range<Int32> = 0..<0, segment: Int32 = -1
    ) -> PlacedSymbol {
        PlacedSymbol(
            anchor: SymbolPosition(x: x, y: y, segment: segment), quads: 0..<Int32(offsets.count), line: line, size: 24,
            lineOffset: .zero, orientation: .horizontalOnly, associatedIcon: -1, paint: 0)
    }

    private func box(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> Box {
        Box(
            Box(left: left, top: top, right: right, bottom: bottom), scale: 1,
            padding: Padding(top: 0, right: 0, bottom: 0, left: 0), rotation: 0)
    }

    private func instance(x: Double, y: Double = 4096) -> SymbolInstance {
        var instance = SymbolInstance(
            anchor: SymbolPosition(x: x, y: y), key: 0, featureIndex: 0, sortKey: 0, textBoxScale: 16,
            anchorOffsets: 0..<0)
        instance.centerJustifiedText = 0
        instance.textBox = box(-160, -80, 160, 80)
        return instance
    }

    private func placer(_ tile: SymbolTile) -> SymbolPlacer {
        SymbolPlacer(tile, view, textTranslation: ScreenPoint(x: 0, y: 0), iconTranslation: ScreenPoint(x: 0, y: 0))
    }

    @Test func theFirstOfTwoThatMeetIsShown() throws {
        var tile = try tile()
        tile.symbols = [symbol()]
        var index = CollisionIndex(view)
        let placer = placer(tile)
        var shown: [Bool] = []
        // The last is far outside of the strip around the picture.
        for x in [4000.0, 4300, 4336, -1900] { shown.append(placer.place(instance(x: x), &index).showsText) }
        #expect(shown == [true, false, true, false])
    }

    @Test func aMovableTextTakesTheFirstPlaceThatIsFree() throws {
        var tile = try tile(#""text-variable-anchor": ["center", "left"]"#)
        tile.symbols = [symbol()]
        tile.anchorOffsets = [
            TextAnchorOffset(anchor: .center, offset: .zero),
            TextAnchorOffset(anchor: .left, offset: SymbolVector(x: 12, y: 0)),
        ]
        var index = CollisionIndex(view)
        let placer = placer(tile)
        var movable = instance(x: 4096)
        movable.anchorOffsets = 0..<2
        let first = placer.place(movable, &index)
        #expect(first.showsText && first.moved == MovedText(anchor: .center, shift: .zero))
        let second = placer.place(movable, &index)
        // Half of the box, 10 units, and the offset: 22 · 16 units of the tile clear the first.
        #expect(second.showsText && second.moved == MovedText(anchor: .left, shift: SymbolVector(x: 22, y: 0)))
        let third = placer.place(movable, &index)
        #expect(!third.showsText)
    }

    @Test func aTextWithoutItsIconIsHiddenUnlessTheIconIsOptional() throws {
        for (layout, isShown) in [("", false), (#""icon-optional": true"#, true)] {
            var tile = try tile(layout)
            tile.symbols = [symbol()]
            var index = CollisionIndex(view)
            index.insert(Box(left: 352, top: 300, right: 360, bottom: 320), overlap: .never)
            var pair = instance(x: 4096)
            pair.icon = 0
            pair.iconBox = box(-80, -1000, 80, -600)
            let placement = placer(tile).place(pair, &index)
            #expect(placement.showsText == isShown && !placement.showsIcon)
        }
    }

    @Test func instancesAreOrderedByTheirHeightOnThePicture() {
        var instances = [instance(x: 100, y: 300), instance(x: 300, y: 100), instance(x: 200, y: 200)]
        for index in instances.indices { instances[index].featureIndex = Int32(index) }
        #expect(SymbolScene.orderByY(instances, bearing: 0) == [1, 2, 0])
        #expect(SymbolScene.orderByY(instances, bearing: 90) == [1, 2, 0])
        #expect(SymbolScene.orderByY(instances, bearing: -90) == [0, 2, 1])
    }

    private func plane() -> LabelPlane {
        LabelPlane(
            view, view.projection(of: PlacedTile(id: TileCoordinate(z: 0, x: 0, y: 0))), pitchAlignment: .viewport,
            rotationAlignment: .map, translation: ScreenPoint(x: 0, y: 0))
    }

    /// East for 160 pixels, then south for 160.
    private let bend = [TileVertex(x: 1600, y: 1600), TileVertex(x: 4160, y: 1600), TileVertex(x: 4160, y: 4160)]

    @Test func glyphsGoRoundBends() throws {
        var walker = LineWalker(symbol(x: 3200, y: 1600, line: 0..<3, segment: 0), bend, plane(), fontScale: 1)
        let beforePlace = walker.place(at: -50, isFlipped: false)
        let before = try #require(beforePlace)
        #expect(abs(before.point.x - 150) < 1e-9 && abs(before.point.y - 100) < 1e-9)
        let afterPlace = walker.place(at: 100, isFlipped: false)
        let after = try #require(afterPlace)
        #expect(abs(after.point.x - 260) < 1e-9 && abs(after.point.y - 140) < 1e-9)
        #expect(abs(after.angle - .pi / 2) < 1e-9)
        let none = walker.place(at: 300, isFlipped: false)
        #expect(none == nil)
        let flippedPlace = walker.place(at: -100, isFlipped: true)
        let flipped = try #require(flippedPlace)
        #expect(abs(flipped.point.y - 140) < 1e-9)
    }

    @Test func glyphsBesideTheLineMeetInTheCorner() throws {
        var beside = symbol(x: 3200, y: 1600, line: 0..<3, segment: 0)
        beside.lineOffset = SymbolVector(x: 0, y: 10)
        var walker = LineWalker(beside, bend, plane(), fontScale: 1)
        // Within the bend the way is 10 shorter before and after it.
        let afterPlace = walker.place(at: 100, isFlipped: false)
        let after = try #require(afterPlace)
        #expect(abs(after.point.x - 250) < 1e-9 && abs(after.point.y - 160) < 1e-9)
    }

    @Test func textsThatRunLeftAreTurned() throws {
        var tile = try tile(#""symbol-placement": "line", "text-field": "x""#)
        let quad = SymbolQuad(
            topLeft: .zero, topRight: .zero, bottomLeft: .zero, bottomRight: .zero, texture: 0, u0: 0, v0: 0, u1: 1,
            v1: 1, isSDF: true)
        tile.quads = [quad, quad]
        tile.quads[0].glyphOffset = -20
        tile.quads[1].glyphOffset = 20
        tile.lineVertices = [TileVertex(x: 6000, y: 4096), TileVertex(x: 2000, y: 4096)]
        let text = symbol(offsets: [0, 0], line: 0..<2, segment: 0)
        var label = LineLabel(text, tile, plane(), fontScale: 1)
        guard case .placed(let upright) = label.place(keepsUpright: true) else {
            Issue.record("no room")
            return
        }
        #expect(upright.map { $0.point.x.rounded() } == [236, 276])
        guard case .placed(let free) = label.place(keepsUpright: false) else {
            Issue.record("no room")
            return
        }
        #expect(free.map { $0.point.x.rounded() } == [276, 236])
    }

    @Test func linesAreCutToTheRectangle() {
        let line = [ScreenPoint(x: -10, y: 5), ScreenPoint(x: 5, y: 5), ScreenPoint(x: 5, y: 25)]
        let pieces = PolylineClip.clip(line, to: Box(left: 0, top: 0, right: 20, bottom: 20))
        #expect(pieces == [[ScreenPoint(x: 0, y: 5), ScreenPoint(x: 5, y: 5), ScreenPoint(x: 5, y: 20)]])
    }

    @Test func aLabelInAStandInTileIsKnownAgain() throws {
        var deep = try tile()
        deep.tile = PlacedTile(id: TileCoordinate(z: 1, x: 0, y: 0))
        deep.keys = ["Rome"]
        deep.instances = [instance(x: 4000, y: 6000)]
        var shallow = try tile()
        shallow.keys = ["Paris", "Rome"]
        shallow.instances = [instance(x: 2000, y: 3000), instance(x: 2001, y: 3000), instance(x: 7000, y: 3000)]
        for index in [1, 2] { shallow.instances[index].key = 1 }
        let found = CrossTileIndex.names(of: [deep, shallow], [0, 1])
        let names = try #require(found)
        #expect(names[0][0] == names[1][1])
        #expect(names[1][0] != names[0][0] && names[1][2] != names[0][0])
        #expect(CrossTileIndex.names(of: [deep, deep], [0, 1]) == nil)
    }
}
