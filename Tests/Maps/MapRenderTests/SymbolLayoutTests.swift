import Bytes
import MapStyle
import Raster
import Testing

@testable import MapRender

/// Every character is a square of half an em.
private final class SquareGlyphs: GlyphSource {
    private let glyph = GlyphImage(
        texture: Texture(
            widthPx: 16, heightPx: 16, format: .alpha, texels: SharedBytes([UInt8](repeating: 0, count: 256))),
        metrics: GlyphMetrics(width: 10, height: 10, left: 1, top: -8, advance: 12))

    func canSet(_ text: String) -> Bool { true }

    func prepare(_ text: inout TaggedText) {}

    func measure(_ text: TaggedText) -> TextMeasure { TextMeasure(advances: text.characters.map { _ in 12 }) }

    func lines(_ text: TaggedText, ends: [Int]) -> [[LineGlyph]] {
        var start = 0
        return ends.map { end in
            defer { start = end }
            return (start..<end).map { index in
                LineGlyph(character: text.characters[index], sectionIndex: text.sectionIndexes[index], glyph: glyph)
            }
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct SymbolLayoutTests {
    /// The layout of a layer with these properties over points and a line, named a, b and c.
    private func layOut(_ layout: String, paint: String = "{}", zoom: Double = 0, z: Int = 0) throws -> SymbolTile {
        let style = try Style.read(
            Array(
                #"""
                {"version": 8, "sources": {"s": {"type": "geojson", "data": "x"}}, "layers": [{"id": "l",
                "type": "symbol", "source": "s", "layout": \#(layout), "paint": \#(paint)}]}
                """#.utf8))
        let features = FeatureLayer(
            name: "", keys: ["name", "rank"],
            values: [.string("a"), .string("b"), .string("c"), .number(1), .number(2)],
            tags: [0, 0, 1, 4, 0, 1, 1, 3, 0, 2], ids: [],
            features: [
                .init(kind: .point, id: -1, firstTag: 0, tagCount: 4, firstPart: 0, partCount: 1),
                .init(kind: .point, id: -1, firstTag: 4, tagCount: 4, firstPart: 1, partCount: 1),
                .init(kind: .lineString, id: -1, firstTag: 8, tagCount: 2, firstPart: 2, partCount: 1),
            ],
            partEnds: [2, 3, 5],
            vertices: [
                TileVertex(x: 100, y: 200), TileVertex(x: 8192, y: 5), TileVertex(x: 300, y: 400),
                TileVertex(x: 0, y: 4000), TileVertex(x: 8192, y: 4000),
            ])
        let placed = PlacedTile(id: TileCoordinate(z: z, x: 0, y: 0), overscaledZ: max(z, Int(zoom)))
        var images = ImageSet()
        let texels = SharedBytes([UInt8](repeating: 255, count: 400))
        images["dot"] = Texture(widthPx: 10, heightPx: 10, format: .rgba, texels: texels).map {
            StyleImage(texture: $0)
        }
        let frame = Frame(
            style: style, view: View(Camera(longitude: -180, latitude: 85, zoom: zoom, width: 1e6, height: 1e6)),
            images: images, glyphs: SquareGlyphs(),
            sources: ["s": .features([FeatureTile(tile: placed, layers: ["": features])])], additions: MapAdditions(),
            shouldStop: { false })
        return try #require(SymbolLayout.tiles(of: style.layers[0], frame).first)
    }

    @Test func pointsInTheTileGetAnInstanceEach() throws {
        let tile = try layOut(#"{"icon-image": "dot", "text-field": "{name}", "text-offset": [0, 1]}"#)
        // The second place of the first feature belongs to the neighbour.
        #expect(tile.instances.map { [$0.anchor.x, $0.anchor.y] } == [[100, 200], [300, 400], [0, 4000]])
        #expect(tile.instances.map { tile.keys[Int($0.key)] } == ["a", "b", "c"])
        let first = tile.instances[0]
        #expect(first.icon == 0 && first.centerJustifiedText == 1 && first.leftJustifiedText == -1)
        #expect(tile.symbols[1].associatedIcon == 0 && tile.symbols[1].orientation == .horizontalOnly)
        #expect(tile.symbols[1].size == 16 && tile.symbols[1].lineOffset.y == 24)
        let box = try #require(first.textBox)
        // 16/24 of half an em of 12, 16 units a pixel, and a padding of two pixels.
        #expect(box.right == 64 + 32 && box.left == -96)
        #expect(
            first.iconBox
                == Box(
                    Box(left: -5, top: -5, right: 5, bottom: 5), scale: 16,
                    padding: Padding(top: 32, right: 32, bottom: 32, left: 32), rotation: 0))
        let quad = tile.quads[Int(tile.symbols[1].quads.lowerBound)]
        #expect(quad.u0 == -1 && quad.u1 == 17 && quad.topRight.x - quad.topLeft.x == 18)
    }

    @Test(arguments: [2, 6, 8]) func boxesAreAsLargeOnThePicture_howeverFarBeyondTheTile(_ zoom: Int) throws {
        let layout = #"{"icon-image": "dot", "text-field": "{name}", "text-size": 15, "text-rotate": 7}"#
        func sides(_ tile: SymbolTile) throws -> [Double] {
            let instance = try #require(tile.instances.first)
            return try [instance.textBox, instance.iconBox].flatMap { box in
                let box = try #require(box)
                return [box.left, box.top, box.right, box.bottom].map { $0 / tile.tilePixelRatio }
            }
        }
        #expect(try sides(layOut(layout, zoom: Double(zoom))) == sides(layOut(layout)))
    }

    @Test func sortKeysDecideTheOrder() throws {
        let tile = try layOut(#"{"icon-image": "dot", "symbol-sort-key": ["get", "rank"]}"#)
        #expect(tile.instances.map(\.featureIndex) == [2, 1, 0])
        #expect(tile.instances.map(\.sortKey) == [0, 1, 2])
    }

    @Test func namesStandAlongLines() throws {
        let tile = try layOut(#"{"text-field": "{name}", "symbol-placement": "line", "symbol-spacing": 100}"#)
        #expect(tile.instances.map(\.anchor.x) == [800, 2400, 4000, 5600, 7200])
        #expect(tile.instances.allSatisfy { $0.usesCollisionCircles && $0.textBox == nil })
        #expect(Set(tile.symbols.map(\.line)) == [0..<2])
        #expect(tile.lineVertices == [TileVertex(x: 0, y: 4000), TileVertex(x: 8192, y: 4000)])
        #expect(abs(tile.instances[0].collisionCircleDiameter - 28.8 * 16 / 24) < 1e-9)
    }

    @Test func variableAnchorsHaveOneTextOfOneLine() throws {
        let tile = try layOut(
            #"{"text-field": "{name}", "text-variable-anchor": ["top", "left"], "text-justify": "auto", "text-radial-offset": 1}"#
        )
        let first = tile.instances[0]
        #expect(first.leftJustifiedText == 0 && first.centerJustifiedText == 0 && first.rightJustifiedText == -1)
        #expect(tile.anchorOffsets[0] == TextAnchorOffset(anchor: .top, offset: SymbolVector(x: 0, y: 17)))
        #expect(tile.anchorOffsets[1] == TextAnchorOffset(anchor: .left, offset: SymbolVector(x: 24, y: 0)))
        #expect(first.anchorOffsets == 0..<2)
    }

    @Test func sizesLieBetweenTheStopsAroundTheTile() throws {
        let sizes = #"["interpolate", ["linear"], ["zoom"], 0, 0, 0.5, 100, 2, 200]"#
        let tile = try layOut(#"{"icon-image": "dot", "icon-size": \#(sizes)}"#, zoom: 1)
        // From the stop at 0.5 to that at 2, a third of the way.
        #expect(abs(tile.symbols[0].size - (100 + 100.0 / 3)) < 1e-9)
        let composite = #"["interpolate", ["linear"], ["zoom"], 0, ["get", "rank"], 2, 7]"#
        let byFeature = try layOut(#"{"icon-image": "dot", "icon-size": \#(composite)}"#, zoom: 1)
        #expect(byFeature.symbols[0].size == 4.5)
    }

    @Test func paintsAreThoseOfTheFeature() throws {
        let tile = try layOut(
            #"{"icon-image": "dot"}"#, paint: #"{"icon-opacity": ["/", ["get", "rank"], 4], "icon-halo-width": 3}"#)
        #expect(tile.symbols.map { tile.paints[Int($0.paint)].opacity } == [0.5, 0.25, 1])
        #expect(tile.paints.allSatisfy { $0.haloWidth == 3 })
        #expect(try layOut(#"{"icon-image": "dot"}"#).paints.count == 1)
    }

    @Test func imagesThatAreMissingShowNothing() throws {
        #expect(try layOut(#"{"icon-image": "none"}"#).instances.isEmpty)
        #expect(try layOut(#"{}"#).instances.isEmpty)
    }

    @Test func overscaledTilesHaveFewerUnitsAPixel() throws {
        let tile = try layOut(#"{"icon-image": "dot", "icon-padding": 0}"#, zoom: 2)
        #expect(tile.tilePixelRatio == 4)
        #expect(tile.instances[0].iconBox?.right == 20)
    }

    @Test func longTextsAreLeftOutAndManyGlyphsEndTheTile() throws {
        let long = String(repeating: "a", count: SymbolFeature.textLimit)
        #expect(try layOut(#"{"text-field": "\#(long)"}"#).instances.isEmpty)
        let short = String(repeating: "a", count: SymbolFeature.textLimit - 1)
        #expect(try layOut(#"{"text-field": "\#(short)", "text-max-width": 1e9}"#).instances.count == 3)
    }
}
