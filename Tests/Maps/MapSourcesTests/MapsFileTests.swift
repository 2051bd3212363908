import MapStyle
import Testing

@testable import MapSources

@Suite(.timeLimit(.minutes(5))) struct MapsFileTests {
    private func read(_ text: String, _ environment: [String: String] = [:]) throws(MapLibraryFailure) -> MapsFile {
        try MapsFile.read([UInt8](text.utf8), path: "conf/maps.json", environment: environment)
    }

    /// The faults as lines `place: cause`.
    private func faults(_ text: String, _ environment: [String: String] = [:]) -> [String] {
        do throws(MapLibraryFailure) {
            _ = try read(text, environment)
            return []
        } catch {
            return error.problems.map { "\($0.name.replacing("conf/maps.json: ", with: "")): \($0.cause)" }
        }
    }

    @Test func allKinds_areRead() throws {
        let file = try read(
            """
            {"sources": {
              "streets": {"archive": "street.pmtiles", "attribution": "© us", "missing": "error"},
              "far": {"archive": "https://tiles.example/a.pmtiles?key=${KEY}", "headers": {"X-Token": "${KEY}"}},
              "aerial": {"type": "raster", "tiles": ["https://{s}.example/{z}/{x}/{y}{ratio}.png?key=${KEY}"],
                "subdomains": "abc", "scheme": "tms", "tileSize": 256, "minzoom": 2, "maxzoom": 19,
                "bounds": [10, 43, 12, 44], "missing": "empty"},
              "heights": {"type": "raster-dem", "tiles": ["https://h.example/{z}/{x}/{y}.png"],
                "encoding": "terrarium", "subdomains": ["one", "two"]},
              "places": {"type": "geojson", "data": "/data/places.json"}},
             "styles": {"day": {"style": "styles/day.json", "dark": "night"}, "night": {"style": "/n.json"}},
             "default": "day"}
            """, ["KEY": "s3cret"])
        #expect(file.sources.map(\.name) == ["streets", "far", "aerial", "heights", "places"])
        #expect(file.sources[0].location == .file(path: "conf/street.pmtiles") && file.sources[0].missing == .error)
        #expect(file.sources[1].location == .remoteArchive(address: "https://tiles.example/a.pmtiles?key=s3cret"))
        #expect(file.sources[1].fields == [RemoteField(name: "X-Token", value: "s3cret")])
        #expect(file.sources[2].subdomains == ["a", "b", "c"] && file.sources[2].isTMS)
        #expect(file.sources[2].bounds == [10, 43, 12, 44] && file.sources[2].maxZoom == 19)
        #expect(file.sources[3].kind == .terrain && file.sources[3].encoding == .terrarium)
        #expect(file.sources[4].location == .geoJSONFile(path: "/data/places.json"))
        #expect(file.styles.map(\.location) == [.file(path: "conf/styles/day.json"), .file(path: "/n.json")])
        #expect(file.styles[0].dark == "night" && file.defaultStyle == "day")
    }

    @Test func allFaults_areToldAtOnce() {
        let faults = faults(
            """
            {"source": {}, "sources": {
              "a": {"archiv": "x"}, "b b": {"archive": "x"}, "c": {"archive": "x", "tilesize": 256},
              "d": {"type": "rasterr", "tiles": ["https://x/{z}"]}, "e": {"tiles": ["https://x/{z}"]},
              "f": {"archive": "x", "bounds": [1, 2, 3]}, "g": 7, "h": {"archive": "${NONE}"},
              "i": {"type": "raster", "tiles": ["x/{z}"]}, "j": {"archive": "x", "tiles": ["https://x"]},
              "k": {"type": "vector", "archive": "x", "encoding": "mapbox", "minzoom": 5, "maxzoom": 3}},
             "styles": {"day": {"style": "x.json", "dark": "night"}, "night": {}}}
            """)
        #expect(
            faults == [
                "sources.a.archiv: it is unknown; did you mean 'archive'?",
                "sources.a: exactly one of archive, tiles, data is expected",
                "sources.c.tilesize: it is unknown; did you mean 'tileSize'?",
                "sources.d.type: one of vector, raster, raster-dem is expected; did you mean 'raster'?",
                "sources.e.type: the type of the tiles is missing: vector, raster or raster-dem",
                "sources.f.bounds: an array of west, south, east and north in degrees is expected",
                "sources.h.archive: the environment has no variable 'NONE'",
                "sources.i.tiles[0]: a URL with https:// is expected",
                "sources.j: exactly one of archive, tiles, data is expected",
                "sources.k.encoding: it applies only to raster-dem",
                "sources.k.minzoom: it is greater than maxzoom",
                "styles.night.style: the path of a style is missing",
                "source: it is unknown; did you mean 'sources'?",
                "sources.b b: names have letters, digits, '-', '_' and '.', at most 64",
                "sources.g: an object is expected",
            ])
    }

    @Test func siblings_mustBeThere() {
        #expect(
            faults(#"{"styles": {"day": {"style": "x.json", "dark": "nigth"}, "night": {"style": "y.json"}}}"#)
                == ["styles.day.dark: there is no style 'nigth'; did you mean 'night'?"])
        #expect(faults(#"{"styles": {"day": {"style": "x.json", "dark": "dark"}}}"#) == [])
    }

    @Test func valuesOfTheEnvironment_areInNoMessage() {
        let faults = faults(
            """
            {"sources": {"a": {"type": "${KEY}", "archive": "${KEY}"}, "b": {"type": "raster", "tiles": ["${KEY}"]},
             "c": {"archive": "${KEY"}, "d": {"archive": "x", "headers": {"A": "${KEY}\\n"}}}}
            """, ["KEY": "s3cret"])
        #expect(faults.count == 4)
        #expect(!faults.joined().contains("s3cret"))
        #expect(faults.contains("sources.c.archive: a '${' is not closed"))
        #expect(faults.contains("sources.d.headers.A: its value has control characters"))
    }

    @Test func whatIsNoObject_isRefused() {
        #expect(faults("[1]") == ["conf/maps.json: an object is expected"])
        #expect(faults("{").count == 1)
        #expect(faults(#"{"sources": []}"#) == ["sources: an object of at most 256 members is expected"])
        #expect(faults(String(repeating: "[", count: 100_000)).count == 1)
    }
}
