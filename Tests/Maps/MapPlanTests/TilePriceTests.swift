import ImagePlan
import MapRender
import Testing

@testable import MapGrammar
@testable import MapPlan

/// What is known of the sources decides what a map costs.
@Suite(.timeLimit(.minutes(5))) struct TilePriceTests {
    private static let steep = "glzoom=17.5&w=4096&h=4096&pitch=60"

    private func map(_ query: String) throws -> (request: MapRequest, camera: Camera) {
        let request = try Parsing.request("lat=43.77&lon=11.25&" + query)
        return (request, request.camera { _, _ in 14 })
    }

    private func cost(_ query: String, _ tiles: [KnownTiles]) throws -> PredictedCost {
        let asked = try map(query)
        return asked.request.predictedCost(from: asked.camera, encodedAs: .png, tiles: tiles)
    }

    @Test func vectorTilesOfTheUsualLevels_costWhatTheyDid() throws {
        for query in ["zoom=15", "zoom=2&w=900", "zoom=17&scale=2", Self.steep] {
            let plain = try cost(query, [])
            for last in [6, 14, 15] { #expect(try cost(query, [KnownTiles(.vector, lastLevel: last)]) == plain) }
        }
        let (plain, deep) = (try cost(Self.steep, []), try cost(Self.steep, [KnownTiles(.vector, lastLevel: 22)]))
        #expect(deep.microseconds > plain.microseconds + 1_000_000)
    }

    @Test func smallImagesOfDeepLevels_haveTheirPrice() throws {
        let (_, camera) = try map(Self.steep)
        let small = MapRequest.tileWork(from: camera, [KnownTiles(.pictures, lastLevel: 18, tileSize: 256)])
        #expect(small.count > 500 && small.count < 800 && !small.hasTooMany)
        #expect(small.bytes > 500 * 256 * 256 * 4)
        let plain = try cost(Self.steep, [])
        let pictures = try cost(Self.steep, [KnownTiles(.pictures, lastLevel: 18, tileSize: 256)])
        #expect(pictures.microseconds > plain.microseconds + 1_000_000)
        let heights = try cost(Self.steep, [KnownTiles(.heights, lastLevel: 18, tileSize: 256)])
        #expect(heights.byteCount > 2 * pictures.byteCount && heights.microseconds > pictures.microseconds)
        #expect(MapRequest.tileWork(from: camera, [KnownTiles(.pictures, lastLevel: 19, tileSize: 256)]).hasTooMany)
    }

    @Test func largestFlatMapOfTwoSources_isWithinTheLimit() throws {
        for zoom in [14, 14.25, 14.5, 14.75, 15] {
            let (_, camera) = try map("glzoom=\(zoom)&w=4096&h=4096")
            let tiles = [
                KnownTiles(.pictures, lastLevel: 22, tileSize: 256), KnownTiles(.heights, lastLevel: 22, tileSize: 256),
            ]
            #expect(!MapRequest.tileWork(from: camera, tiles).hasTooMany, "\(zoom)")
        }
    }
}
