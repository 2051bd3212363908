import Bytes
import MapStyle
import Raster
import Testing

@testable import MapRender

@Suite(.timeLimit(.minutes(5))) struct TileCoverTests {
    private func view(zoom: Double, bearing: Double = 0, longitude: Double = 0, width: Double = 300) -> View {
        var camera = Camera(longitude: longitude, latitude: 0, zoom: zoom, width: width, height: 300)
        camera.bearing = bearing
        return View(camera)
    }

    private func names(_ tiles: [PlacedTile]) -> [String] {
        tiles.map { "\($0.id.z)/\($0.id.x)/\($0.id.y)" + ($0.wrap == 0 ? "" : "@\($0.wrap)") }
    }

    @Test func aViewOfACrossing_hasFourTilesInRowOrder() {
        let tiles = TileCover(maxZoom: 14).tiles(view(zoom: 1))
        #expect(names(tiles) == ["1/0/0", "1/1/0", "1/0/1", "1/1/1"])
    }

    @Test func copiesOfTheWorld_comeAfterTheMiddle() {
        let tiles = TileCover(maxZoom: 14).tiles(view(zoom: 0, width: 1024))
        #expect(names(tiles) == ["0/0/0", "0/0/0@-1", "0/0/0@1"])
    }

    @Test func aWideView_hasAllCopiesThatItShows() throws {
        let wide = view(zoom: -1, width: 4096)
        #expect(TileCover(maxZoom: 14).tiles(wide).map(\.wrap).sorted() == Array(-8...8))
        let bounds = try #require(wide.worldBounds)
        #expect(bounds.copies(0.25, 0.25, slack: 0, count: wide.copyCount) == -7..<9)
        // The ground of a tilted view may have no end.
        var camera = Camera(longitude: 0, latitude: 0, zoom: -1, width: 4096, height: 300)
        camera.pitch = 60
        #expect(TileCover(maxZoom: 14).tiles(View(camera)).allSatisfy { (-3...3).contains($0.wrap) })
    }

    @Test func aTurnedView_leavesOutTheCornersOfItsBox() {
        let straight = TileCover(maxZoom: 14).tiles(view(zoom: 4, width: 3000))
        let turned = TileCover(maxZoom: 14).tiles(view(zoom: 4, bearing: 45, width: 3000))
        #expect(turned.count < 16 * 16 && turned.count > straight.count / 2)
    }

    @Test func deepViews_areMadeFromTheLastLevel() {
        let tiles = TileCover(maxZoom: 2).tiles(view(zoom: 5.5, longitude: 10))
        #expect(tiles.allSatisfy { $0.id.z == 2 && $0.overscaledZ == 5 })
        let pictures = TileCover(maxZoom: 2, tileSize: 256, roundsZoom: true, isOverscaled: false)
        #expect(pictures.wantedZoom(view(zoom: 5.5)) == 7)
        #expect(pictures.tiles(view(zoom: 5.5)).allSatisfy { $0.overscaledZ == 2 })
    }

    @Test func aboveTheFirstLevel_thereIsNothing() {
        #expect(TileCover(minZoom: 3, maxZoom: 5).tiles(view(zoom: 2.9)).isEmpty)
    }

    @Test func smallTilesOnALargeCanvas_areBounded() {
        var camera = Camera(longitude: 0, latitude: 0, zoom: 10, width: 8000, height: 8000)
        camera.bearing = 30
        #expect(TileCover(maxZoom: 24, tileSize: 1).tiles(View(camera)).count <= 4096)
    }

    @Test(arguments: [(16.0, 64.0), (64, 64), (300, 300), (9000, 4096), (0, 512), (-5, 512)])
    func sidesOfTiles_haveBounds(_ stated: Double, _ side: Double) throws {
        struct Document: MapResources {
            let text: String

            func bytes(at address: String) throws(ResourceError) -> SharedBytes? { SharedBytes(Array(text.utf8)) }
        }
        let resources = Document(text: #"{"tiles": ["{z}"], "tileSize": \#(stated)}"#)
        // Others are no styles.
        let ofStyles = (1...4096).contains(stated) ? [#""tiles": ["{z}"], "tileSize": \#(stated)"#] : []
        for members in ofStyles + [#""url": "t.json""#] {
            let text = #"{"version": 8, "sources": {"s": {"type": "raster", \#(members)}}, "layers": []}"#
            guard case .raster(let source)? = try Style.read(Array(text.utf8)).sources["s"] else {
                Issue.record("no raster source")
                return
            }
            #expect(try TileSet.resolve(source, resources, keptIn: MapCaches())?.tileSize == side)
        }
    }

    @Test func addresses_areMadeFromTemplates() {
        let tile = TileCoordinate(z: 3, x: 5, y: 1)
        func address(_ template: String, isTMS: Bool = false, ratio: Double = 1) -> String {
            TileTemplates([template], isTMS: isTMS).address(of: tile, ratio: ratio)
        }
        #expect(address("{z}/{x}/{y}{ratio}.png") == "3/5/1.png")
        #expect(address("{z}/{x}/{y}{ratio}.png", isTMS: true, ratio: 2) == "3/5/6@2x.png")
        #expect(address("{quadkey}?{prefix}{other}{") == "103?51{other}{")
        #expect(address("{-y}", isTMS: false) == "6")
        #expect(address("{a{z}}{}{") == "{a3}{}{")
        #expect(address("https://{s}.example/{switch:1,2,3,4}/{z}") == "https://a.example/3/3")
        #expect(TileTemplates(["{s}"], subdomains: []).address(of: tile, ratio: 1) == "{s}")
        #expect(TileTemplates([]).address(of: tile, ratio: 1).isEmpty)
        #expect(
            TileTemplates(["{bbox-epsg-3857}"]).address(of: TileCoordinate(z: 0, x: 0, y: 0), ratio: 1)
                == "-20037508.342789244,-20037508.342789244,20037508.342789244,20037508.342789244")
    }

    /// Looking for the end of each brace anew takes the square of the length.
    @Test(.timeLimit(.minutes(1))) func templatesFullOfBraces_areReadOnce() {
        let tile = TileCoordinate(z: 3, x: 5, y: 1)
        let open = String(repeating: "{", count: 1 << 20)
        #expect(TileTemplates([open]).address(of: tile, ratio: 1) == open)
        #expect(TileTemplates([open + "z}"]).address(of: tile, ratio: 1) == String(open.dropFirst()) + "3")
        let unknown = String(repeating: "{a}", count: 1 << 18)
        #expect(TileTemplates([unknown]).address(of: tile, ratio: 1) == unknown)
    }

    @Test func bounds_keepTilesThatTheyTouch() {
        let bounds = TileBounds([0, 0, 90, 60])
        #expect(bounds.contains(TileCoordinate(z: 2, x: 2, y: 1)))
        #expect(!bounds.contains(TileCoordinate(z: 2, x: 3, y: 1)))
        #expect(!bounds.contains(TileCoordinate(z: 2, x: 2, y: 2)))
        #expect(TileBounds([.nan, 0, 0, 0]).contains(TileCoordinate(z: 0, x: 0, y: 0)))
    }
}
