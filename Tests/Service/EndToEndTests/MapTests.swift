import ImagePlan
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct MapTests {
        @Test(.enabled(if: TestLibrary.hasFlorence, "no map of Florence at ../shared"))
        func florenceHasItsRiverStreetsAndGardens() throws {
            let server = try ReleaseServer()
            // The Ponte Vecchio and the Boboli gardens.
            let reply = try server.get("/map?latitude=43.7665&longitude=11.2531&zoom=15&format=png")
            #expect(reply.status == 200)
            let picture = try DecodedPicture(reply.content)
            #expect(picture.format == .png)
            #expect(picture.widthPx == 512 && picture.heightPx == 512)
            let water = picture.share { red, green, blue in blue > red + 25 && blue > green && blue > 180 }
            let streets = picture.share { red, green, blue in min(red, green, blue) >= 250 }
            let gardens = picture.share { red, green, blue in green > red + 8 && green > blue + 8 }
            #expect((0.04...0.35).contains(water), "\(water)")
            #expect((0.03...0.5).contains(streets), "\(streets)")
            #expect((0.03...0.5).contains(gardens), "\(gardens)")
        }

        @Test func scaleMultipliesPixels() throws {
            let server = try ReleaseServer()
            let reply = try server.get("/map?latitude=43.77&longitude=11.26&width=200&height=100&scale=2.5&format=png")
            let picture = try DecodedPicture(reply.content)
            #expect(picture.widthPx == 500 && picture.heightPx == 250)
        }

        /// #15.29: who runs the server is told which characters no font has.
        @Test func missingGlyphsAreLogged() throws {
            let folder = try PictureFolder()
            let style = """
                {"version": 8, "glyphs": "fonts/{fontstack}/{range}.pbf", "sources": {"s": {"type": "geojson",
                  "data": {"type": "Point", "coordinates": [11, 48]}}},
                 "layers": [{"id": "l", "type": "symbol", "source": "s",
                  "layout": {"text-field": "\\uFDD5", "text-font": ["Mine"]}}]}
                """
            try folder.add("lacking.json", Array(style.utf8))
            let server = try ReleaseServer(["--map-style", folder.path + "/lacking.json"])
            let reply = try server.get("/map?latitude=48&longitude=11&zoom=5&width=64&height=64&format=png")
            #expect(reply.status == 200)
            #expect(eventually { server.log.contains("U+FDD5 in Mine") })
            #expect(server.log.contains("labels need glyphs that are missing"))
        }

        /// The built-in world, also beyond its last level, across the date line and at the poles.
        @Test func worldIsDrawnEverywhere() throws {
            let server = try ReleaseServer(library: .samples())
            for (place, zoom) in [
                ("latitude=20&longitude=10", "0"), ("latitude=-18&longitude=179.9", "5"),
                ("latitude=85&longitude=0", "3"),
                ("latitude=-85&longitude=-180", "2.5"), ("latitude=90&longitude=180", "24"),
                ("latitude=43.77&longitude=11.26", "9"),
            ] {
                let reply = try server.get("/map?\(place)&zoom=\(zoom)&width=256&height=256&format=png")
                #expect(reply.status == 200, "\(place) \(zoom)")
                let picture = try DecodedPicture(reply.content)
                #expect(picture.widthPx == 256 && picture.heightPx == 256)
                #expect(picture.share { _, _, _ in true } == 1)
            }
            let world = try DecodedPicture(
                server.get("/map?latitude=20&longitude=10&zoom=1&width=512&height=400&format=png").content)
            let water = world.share { red, _, blue in blue > red + 25 }
            #expect((0.5...0.85).contains(water), "\(water)")
            #expect(try server.metric("veduta_corrupt_tiles_total") == 0)
        }
    }
}
