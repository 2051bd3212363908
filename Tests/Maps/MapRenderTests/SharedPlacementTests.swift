import Bytes
import MapRender
import MapStyle
import Raster
import Testing

/// Layers that differ in paint alone share their placements.
@Suite(.timeLimit(.minutes(5))) struct SharedPlacementTests {
    /// Bytes of a picture of icons on a grid that goes on beyond it, each with a copy moved by `translation`.
    private func picture(translation: String) throws -> [UInt8] {
        let points = (-20...20).flatMap { x in (-20...20).map { "[\(x * 8), \($0 * 4)]" } }.joined(separator: ",")
        func layer(_ id: String, _ translation: String) -> String {
            #"{"id": "\#(id)", "type": "symbol", "source": "s", "layout": {"icon-image": "dot"}, "#
                + #""paint": {"icon-translate": \#(translation)}}"#
        }
        let text = """
            {"version": 8, "sources": {"s": {"type": "geojson", "data":
              {"type": "MultiPoint", "coordinates": [\(points)]}}},
             "layers": [\(layer("lower", "[0, 0]")), \(layer("upper", translation))]}
            """
        var additions = MapAdditions()
        let dot = Texture(
            widthPx: 4, heightPx: 4, format: .rgba, texels: SharedBytes([UInt8](repeating: 255, count: 64)))
        additions.images["dot"] = StyleImage(texture: try #require(dot))
        let camera = Camera(longitude: 0, latitude: 0, zoom: 2, width: 64, height: 64)
        let map = try MapEngine(resources: NoResources()).render(
            try Style.read(Array(text.utf8)), camera, additions: additions)
        return map.pixels.withUnsafeBytes { Array($0) }
    }

    @Test func movedCopiesStandWhereTheirOriginalsDo() throws {
        let plain = try picture(translation: "[0, 0]")
        let painted = plain.count { $0 != 0 }
        #expect(painted > 0)
        for way in ["[20, 20]", "[-60, 0]", "[0, 90]"] {
            let moved = try picture(translation: way)
            // Both the originals and the copies are there, as far as they do not cover each other.
            #expect(moved.count { $0 != 0 } > painted, "\(way)")
        }
    }
}
