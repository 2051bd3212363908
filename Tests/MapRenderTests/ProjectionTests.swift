import Testing
import Tiles

@testable import MapRender

@Suite struct ProjectionTests {
    @Test func world_isASquareAroundNullIsland() {
        let middle = WebMercator.project(LonLat(lon: 0, lat: 0))
        #expect(middle == WorldPoint(x: 0.5, y: 0.5))
        #expect(WebMercator.project(LonLat(lon: -180, lat: 90)) == WorldPoint(x: 0, y: 0))
        let south = WebMercator.project(LonLat(lon: 180, lat: -90))
        #expect(south.x == 1 && abs(south.y - 1) < 1e-12)
    }

    @Test func unprojecting_isTheInverse() {
        for lat in stride(from: -85.0, through: 85, by: 5) {
            for lon in stride(from: -180.0, through: 180, by: 15) {
                let back = WebMercator.unproject(WebMercator.project(LonLat(lon: lon, lat: lat)))
                #expect(abs(back.lat - lat) < 1e-9 && abs(back.lon - lon) < 1e-9)
            }
        }
    }

    @Test func worldSize_doublesWithEachZoom() {
        #expect(WebMercator.worldSize(zoom: 0) == 256)
        #expect(WebMercator.worldSize(zoom: 24) == 256 * 16_777_216)
        #expect(abs(WebMercator.worldSize(zoom: 0.5) - 362.038672) < 1e-6)
    }

    @Test func centre_liesInTheMiddleOfThePicture() throws {
        let florence = LonLat(lon: 11.2558, lat: 43.7696)
        let view = ViewTransform(try Viewport(centre: florence, zoom: 15.3, widthPx: 600, heightPx: 401, scale: 2))
        let place = view.position(of: florence)
        #expect(abs(place.x - 600) < 0.01 && abs(place.y - 401) < 0.01)
    }

    @Test func placeAcrossTheDateLine_isDrawnBesideIt() throws {
        let view = ViewTransform(
            try Viewport(centre: LonLat(lon: 179, lat: 0), zoom: 5, widthPx: 512, heightPx: 512))
        #expect(abs(view.position(of: LonLat(lon: -179, lat: 0)).x - (256 + 8192 / 180)) < 0.01)
    }

    @Test func valuesOutsideTheirLimits_areRefusedByName() {
        func fault(
            lat: Double = 0, lon: Double = 0, zoom: Double = 3, width: Int = 64, height: Int = 64, scale: Double = 1
        )
            -> MapError?
        {
            do throws(MapError) {
                _ = try Viewport(
                    centre: LonLat(lon: lon, lat: lat), zoom: zoom, widthPx: width, heightPx: height, scale: scale)
                return nil
            } catch {
                return error
            }
        }
        #expect(fault() == nil)
        #expect(fault(lat: 90.1) == .viewportOutOfRange(.latitude))
        #expect(fault(lat: .nan) == .viewportOutOfRange(.latitude))
        #expect(fault(lon: -180.1) == .viewportOutOfRange(.longitude))
        #expect(fault(zoom: -0.1) == .viewportOutOfRange(.zoom))
        #expect(fault(zoom: .infinity) == .viewportOutOfRange(.zoom))
        #expect(fault(width: 0) == .viewportOutOfRange(.width))
        #expect(fault(width: 4097) == .viewportOutOfRange(.width))
        #expect(fault(height: 2500, scale: 2) == .viewportOutOfRange(.height))
        #expect(fault(scale: .nan) == .viewportOutOfRange(.scale))
    }
}

@Suite struct TileCoverTests {
    private func ids(
        lon: Double, lat: Double, zoom: Double, side: Int = 512, levels: ClosedRange<Int> = 0...14
    ) throws -> [String] {
        let viewport = try Viewport(centre: LonLat(lon: lon, lat: lat), zoom: zoom, widthPx: side, heightPx: side)
        return TileCover.tiles(for: viewport, ViewTransform(viewport), levels: levels).map { $0.id.description }
    }

    @Test func tileLevel_isOneBelowTheZoom() throws {
        #expect(try ids(lon: 0, lat: 0, zoom: 1) == ["0/0/0"])
        #expect(try ids(lon: 0, lat: 0, zoom: 2) == ["1/0/0", "1/1/0", "1/0/1", "1/1/1"])
        #expect(try ids(lon: 0, lat: 0, zoom: 2.99).count == 4)
        #expect(try ids(lon: 45, lat: 40, zoom: 3, side: 64) == ["2/2/1"])
    }

    @Test func world_repeatsEastAndWestOnly() throws {
        #expect(try ids(lon: 0, lat: 0, zoom: 0) == ["0/0/0", "0/0/0", "0/0/0"])
        #expect(try ids(lon: 180, lat: 10, zoom: 4, side: 64) == ["3/7/3", "3/0/3"])
        #expect(try ids(lon: 45, lat: 85, zoom: 3, side: 64) == ["2/2/0"])
    }

    @Test func level_isHeldToTheArchive() throws {
        #expect(try ids(lon: 45, lat: 40, zoom: 20, side: 64, levels: 0...2) == ["2/2/1"])
        #expect(try ids(lon: 0, lat: 0, zoom: 1, levels: 2...4).count == 16)
        #expect(try ids(lon: 0, lat: 0, zoom: 1, levels: 9...14).isEmpty)
    }
}
