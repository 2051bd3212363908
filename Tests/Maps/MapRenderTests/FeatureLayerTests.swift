import MapStyle
import Testing

@testable import MapRender

@Suite(.timeLimit(.minutes(5))) struct FeatureLayerTests {
    private static func box(_ places: (x: Int16, y: Int16)...) -> TileBox {
        places.map { TileVertex(x: $0.x, y: $0.y) }.withUnsafeBufferPointer { TileBox($0) }
    }

    @Test func boxes_holdTheVerticesOfTheirPart() {
        let vertices = [
            TileVertex(x: 5, y: -7), TileVertex(x: -3, y: 9), TileVertex(x: 4, y: 4), TileVertex(x: 1, y: 1),
        ]
        let layer = FeatureLayer(
            name: "", keys: [], values: [], tags: [], ids: [], features: [], partEnds: [3, 3, 4], vertices: vertices)
        #expect(layer.boxes == [Self.box((-3, -7), (5, 9)), Self.box(), Self.box((1, 1))])
        #expect(layer.boxes[0].low == TileVertex(x: -3, y: -7) && layer.boxes[0].high == TileVertex(x: 5, y: 9))
    }

    /// #22: tiles that were kept had more bytes than their cache may have.
    @Test func theWeightOfALayer_hasItsIDs() {
        func layer(_ ids: [Value]) -> FeatureLayer {
            FeatureLayer(
                name: "", keys: [], values: [], tags: [], ids: ids, features: [], partEnds: [], vertices: [])
        }
        let ids = (0..<1000).map { Value.number(Double($0)) }
        #expect(layer(ids).byteCount >= layer([]).byteCount + 1000 * MemoryLayout<Double>.stride)
    }

    /// The picture shows the middle quarter of the tile's width and height: 3072 to 5120.
    @Test func lines_areLeftOut_whereTheirBoxIsBesideThePicture() {
        let tile = PlacedTile(id: TileCoordinate(z: 0, x: 0, y: 0), overscaledZ: 2)
        let view = View(Camera(longitude: 0, latitude: 0, zoom: 2, width: 512, height: 512))
        var lines = LineProjection(view.projection(of: tile), view: view, translation: .zero)
        lines.setWindow(reach: 1, canvas: view.canvas)
        let tessellator = LineTessellator(lines, tile: tile)
        // A CSS pixel is four units.
        let seen = [
            Self.box((0, 0), (8192, 8192)), Self.box((0, 4096), (3069, 4096)), Self.box((5123, 3000), (6000, 8000)),
        ]
        let unseen = [
            Self.box((0, 4096), (3067, 4096)), Self.box((5125, 0), (8192, 8192)), Self.box((0, 0), (8192, 3067)),
            Self.box((4096, 5125)), Self.box(),
        ]
        #expect(seen.allSatisfy(tessellator.reaches))
        #expect(!unseen.contains(where: tessellator.reaches))
    }
}
