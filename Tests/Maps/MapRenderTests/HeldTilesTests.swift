import Bytes
import MapStyle
import Raster
import Synchronization
import Testing

@testable import MapRender

/// What one map may hold of tiles, whatever they decode to.
@Suite(.timeLimit(.minutes(5))) struct HeldTilesTests {
    /// Images of `side` pixels everywhere, or vector tiles.
    private final class Tiles: MapResources, TileArchive {
        let side: Int
        let content: SharedBytes
        let limits = Mutex<[Int]>([])
        /// Whether decoding ends without a picture.
        let isStopped = Mutex(false)

        init(side: Int = 64, content: SharedBytes = SharedBytes([1])) { (self.side, self.content) = (side, content) }

        let validator = "tiles"
        let zooms = 0...22
        let bounds: [Double]? = nil

        func tile(_ id: TileCoordinate) throws(ResourceError) -> SharedBytes? { content }
        func bytes(at address: String) throws(ResourceError) -> SharedBytes? { content }
        func archive(at address: String) throws(ResourceError) -> (any TileArchive)? { self }

        func picture(_ bytes: SharedBytes, pixelLimit: Int) -> Texture? {
            limits.withLock { $0.append(pixelLimit) }
            if isStopped.withLock({ $0 }) { return nil }
            let texels = SharedBytes([UInt8](repeating: 200, count: side * side * 4))
            return Texture(widthPx: side, heightPx: side, format: .rgba, texels: texels)
        }
    }

    private func style(_ source: String, _ layer: String) throws -> Style {
        let text = """
            {"version": 8, "sources": {"s": \(source)}, "layers": [{"id": "l", "source": "s", \(layer)}]}
            """
        return try Style.read(Array(text.utf8))
    }

    private func raster() throws -> Style {
        try style(#"{"type": "raster", "url": "a", "tileSize": 256}"#, #""type": "raster""#)
    }

    private static let camera = Camera(longitude: 0, latitude: 0, zoom: 3, width: 1024, height: 1024)

    @Test func imagesOfMoreBytes_endTheMap() throws {
        let engine = MapEngine(resources: Tiles())
        let style = try raster()
        #expect(throws: MapError.tilesTooLarge(byteLimit: 200_000)) {
            try engine.render(style, Self.camera, heldByteLimit: 200_000)
        }
        // 16 or 25 tiles of 16 KiB; kept or not, they count.
        #expect(try engine.render(style, Self.camera, heldByteLimit: 1 << 20).faults.isEmpty)
        #expect(throws: MapError.tilesTooLarge(byteLimit: 200_000)) {
            try engine.render(style, Self.camera, heldByteLimit: 200_000)
        }
    }

    @Test func heights_countWithTheirGrids() throws {
        let engine = MapEngine(resources: Tiles())
        let heights = try style(#"{"type": "raster-dem", "url": "a", "tileSize": 256}"#, #""type": "hillshade""#)
        #expect(throws: MapError.tilesTooLarge(byteLimit: 700_000)) {
            try engine.render(heights, Self.camera, heldByteLimit: 700_000)
        }
        #expect(try engine.render(heights, Self.camera, heldByteLimit: 4 << 20).faults.isEmpty)
    }

    @Test func vectorTilesOfMoreBytes_endTheMap() throws {
        let shape = PlainTile.Shape.polygon([(0, 0), (4096, 0), (4096, 4096), (0, 4096)])
        let tile = PlainTile.bytes([PlainTile.Feature(layer: "a", shape: shape, properties: [("k", "v")])])
        let engine = MapEngine(resources: Tiles(content: tile))
        let areas = try style(#"{"type": "vector", "url": "a"}"#, #""type": "fill", "source-layer": "a""#)
        #expect(throws: MapError.tilesTooLarge(byteLimit: 1000)) {
            try engine.render(areas, Self.camera, heldByteLimit: 1000)
        }
        #expect(try engine.render(areas, Self.camera).faults.isEmpty)
    }

    @Test func tilesHaveFewerPixels_thanImages() throws {
        let tiles = Tiles()
        let engine = MapEngine(resources: tiles)
        _ = try engine.render(try raster(), Self.camera)
        let limits = tiles.limits.withLock { $0 }
        #expect(Set(limits) == [2048 * 2048])
        let image = try style(
            #"{"type": "image", "url": "b", "coordinates": [[-9, 9], [9, 9], [9, -9], [-9, -9]]}"#,
            #""type": "raster""#)
        _ = try engine.render(image, Self.camera)
        let last = tiles.limits.withLock { $0.last }
        #expect(last == 4096 * 4096)
    }

    @Test func tileThatWasStopped_isDecodedForTheNextMap() throws {
        let tiles = Tiles()
        let engine = MapEngine(resources: tiles)
        let style = try raster()
        tiles.isStopped.withLock { $0 = true }
        #expect(throws: MapError.cancelled) {
            try engine.render(style, Self.camera, shouldStop: { tiles.limits.withLock { !$0.isEmpty } })
        }
        tiles.isStopped.withLock { $0 = false }
        #expect(try engine.render(style, Self.camera).faults.isEmpty)
    }
}
