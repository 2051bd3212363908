import Bytes
import MapStyle
import Raster
import Testing

@testable import MapRender

/// A sprite of one white icon `i`.
private struct IconSprite: MapResources {
    static let side = 19

    func bytes(at address: String) throws(ResourceError) -> SharedBytes? {
        switch address {
        case "s.json": SharedBytes(Array(#"{"i":{"x":0,"y":0,"width":\#(Self.side),"height":\#(Self.side)}}"#.utf8))
        case "s.png": SharedBytes([0])
        default: nil
        }
    }

    func picture(_ bytes: SharedBytes) -> Texture? {
        let texels = [UInt8](repeating: 255, count: Self.side * Self.side * 4)
        return Texture(widthPx: Self.side, heightPx: Self.side, format: .rgba, texels: SharedBytes(texels))
    }
}

/// Symbols of tiles that are shown far beyond their level.
@Suite(.timeLimit(.minutes(5))) struct OverscaledSymbolTests {
    /// How many icons are drawn at zoom 20 of two that are `units` apart, a unit being what tiles of level 14 have.
    private func iconCount(unitsApart units: Int, sourceMaxZoom: Int) throws -> Double {
        let places = [1000, 1000 + units].map { Double($0) * 360 / Double(1 << 27) }
        let points = places.map {
            #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[\#($0),0.001]}}"#
        }
        let json = """
            {"version":8,"sprite":"s","sources":{"s":{"type":"geojson","maxzoom":\(sourceMaxZoom),"data":
            {"type":"FeatureCollection","features":[\(points.joined(separator: ","))]}}},
            "layers":[{"id":"l","type":"symbol","source":"s","layout":{"icon-image":"i"}}]}
            """
        let camera = Camera(longitude: places[0], latitude: 0.001, zoom: 20, width: 128, height: 128)
        let map = try MapEngine(resources: IconSprite()).render(try Style.read(Array(json.utf8)), camera)
        let alpha = map.pixels.withUnsafeBytes { pixels in
            stride(from: 3, to: pixels.count, by: 4).reduce(0) { $0 + Int(pixels[$1]) }
        }
        return Double(alpha) / Double(255 * IconSprite.side * IconSprite.side)
    }

    /// A unit is four pixels there, and boxes were cut to whole ones: 16 pixels for icons of 19 and their padding of 2.
    @Test(arguments: [14, 20]) func iconsThatTouch_areNotBothShown(_ sourceMaxZoom: Int) throws {
        #expect(abs(try iconCount(unitsApart: 5, sourceMaxZoom: sourceMaxZoom) - 1) < 0.01)
        #expect(abs(try iconCount(unitsApart: 6, sourceMaxZoom: sourceMaxZoom) - 2) < 0.01)
    }
}
