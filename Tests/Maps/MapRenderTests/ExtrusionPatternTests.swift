import Bytes
import MapStyle
import Raster
import Testing

@testable import MapRender

/// A sprite of one image `p`: waves of red across and of green down.
private struct WaveSprite: MapResources {
    /// Texels of a side.
    var side: Int
    /// What the sprite says of it.
    var pixelRatio: Int

    func bytes(at address: String) throws(ResourceError) -> SharedBytes? {
        switch address {
        case "s.json":
            SharedBytes(
                Array(
                    #"{"p":{"x":0,"y":0,"width":\#(side),"height":\#(side),"pixelRatio":\#(pixelRatio)}}"#.utf8))
        case "s.png": SharedBytes([0])
        default: nil
        }
    }

    func picture(_ bytes: SharedBytes) -> Texture? {
        func wave(_ index: Int) -> UInt8 {
            let place = (2 * index + 1) * 255 / side
            return UInt8(place < 255 ? 255 - place : place - 255)
        }
        var texels: [UInt8] = []
        for row in 0..<side {
            for column in 0..<side { texels += [wave(column), wave(row), 128, 255] }
        }
        return Texture(widthPx: side, heightPx: side, format: .rgba, texels: SharedBytes(texels))
    }
}

/// Patterns on solids (#15.30): their size is that of the image over its pixel ratio.
@Suite(.timeLimit(.minutes(5))) struct ExtrusionPatternTests {
    private static let solid = #"""
        {"id":"l","type":"fill-extrusion","source":"s",
        "paint":{"fill-extrusion-height":60,"fill-extrusion-pattern":"p"}}
        """#

    private func render(_ sprite: WaveSprite, _ layer: String, pitch: Double, zoom: Double) throws -> [UInt8] {
        let json = """
            {"version":8,"sprite":"s","light":{"intensity":0},"sources":{"s":{"type":"geojson","data":
            {"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":
            [[[0.0003,0.0003],[0.0009,0.0003],[0.0009,0.0008],[0.0003,0.0008],[0.0003,0.0003]]]}}}},
            "layers":[\(layer)]}
            """
        var camera = Camera(longitude: 0.0006, latitude: 0.0006, zoom: zoom, width: 192, height: 192)
        camera.pitch = pitch
        camera.bearing = 30
        let map = try MapEngine(resources: sprite).render(try Style.read(Array(json.utf8)), camera)
        return map.pixels.withUnsafeBytes { Array($0) }
    }

    /// The share of bytes that differ by more than what bilinear sampling loses of one of them.
    private func difference(_ one: [UInt8], _ other: [UInt8]) -> Double {
        Double(zip(one, other).count { abs(Int($0) - Int($1)) > 12 }) / Double(one.count)
    }

    // From straight above all but the roof is hidden; tilted, walls are most of the picture.
    @Test(arguments: [0.0, 60], [17.0, 17.5]) func imagesOfMorePixelsPerPixel_areAsLarge(
        _ pitch: Double, _ zoom: Double
    ) throws {
        let plain = try render(WaveSprite(side: 16, pixelRatio: 1), Self.solid, pitch: pitch, zoom: zoom)
        #expect(plain.count { $0 != 0 } > plain.count / 5)
        for ratio in [2, 3] {
            let fine = WaveSprite(side: 16 * ratio, pixelRatio: ratio)
            #expect(difference(plain, try render(fine, Self.solid, pitch: pitch, zoom: zoom)) < 0.001)
        }
        let large = WaveSprite(side: 32, pixelRatio: 1)
        #expect(difference(plain, try render(large, Self.solid, pitch: pitch, zoom: zoom)) > 0.1)
    }

    @Test(arguments: [1, 2]) func flatRoofs_areAsAreas(_ ratio: Int) throws {
        let area = #"{"id":"l","type":"fill","source":"s","paint":{"fill-pattern":"p"}}"#
        let flat = Self.solid.replacing(#":60"#, with: ":0")
        let sprite = WaveSprite(side: 16 * ratio, pixelRatio: ratio)
        let roof = try render(sprite, flat, pitch: 0, zoom: 17)
        // Areas have a smooth edge besides.
        #expect(difference(roof, try render(sprite, area, pitch: 0, zoom: 17)) < 0.02)
    }
}
