import Bytes
import MapStyle
import Resources
import Testing
import Tiles

@testable import MapRender

/// What `scripts/generate/world/run` put into the archive that is linked into the program.
@Suite(.timeLimit(.minutes(5))) struct BuiltInWorldTests {
    private let archive: PMTilesArchive

    init() throws { archive = try PMTilesArchive(bytes: Resources.worldArchive) }

    /// Calls `body` with every feature of a layer at a zoom level.
    private func visit(_ name: String, zoom: Int, _ body: (FeatureCursor) -> Void) throws {
        let side = 1 << zoom
        for place in 0..<(side * side) {
            let id = try #require(TileID(z: zoom, x: place % side, y: place / side))
            guard let layer = try content(id).layers[name] else { continue }
            let cursor = FeatureCursor(layer, propertyNames: [])
            for index in layer.features.indices {
                cursor.index = index
                body(cursor)
            }
        }
    }

    private func text(_ name: String, _ feature: FeatureCursor) -> String? {
        if case .string(let text)? = feature.property(named: name) { text } else { nil }
    }

    private func tile(_ zoom: Int, latitude: Double, longitude: Double) throws -> VectorTileContent {
        let place = TileCoordinate(latitude: latitude, longitude: longitude, z: zoom)
        let id = try #require(TileID(z: zoom, x: place.x, y: place.y))
        return try content(id)
    }

    private func content(_ id: TileID) throws -> VectorTileContent {
        let bytes = try #require(try archive.tile(id))
        return try #require(VectorTileContent.read(bytes))
    }

    @Test func archive_isSmall_andSaysWhatIsInIt() throws {
        #expect(archive.minZoom == 0 && archive.maxZoom == 6)
        #expect(Resources.worldArchive.count < 4_000_000)
        let metadata = try archive.readMetadata()
        for layer in ["earth", "water", "boundaries", "places"] { #expect(metadata.contains("\"id\": \"\(layer)\"")) }
        #expect(metadata.contains("Made with Natural Earth"))
    }

    @Test func everyZoom_hasNames_andTheNextOneHasMore() throws {
        var before = (places: 5, waters: 1)
        for zoom in 0...4 {
            var now = (places: 0, waters: 0)
            try visit("places", zoom: zoom) { now.places += text("name:en", $0) == nil ? 0 : 1 }
            try visit("water", zoom: zoom) { now.waters += text("name:en", $0) == nil ? 0 : 1 }
            #expect(now.places > before.places && now.waters > before.waters, "zoom \(zoom): \(now)")
            before = now
        }
    }

    /// #15.27: seven countries of the Sahara had names where none had one in Europe, and none in the south of Africa.
    @Test(arguments: [
        (1, 3...6, ["Finland", "France", "Germany", "Italy", "Norway", "Poland", "Spain", "Sweden", "Ukraine"]),
        (1, 3...6, ["Argentina", "Bolivia", "Brazil", "Chile", "Colombia", "Peru", "Venezuela"]),
        (1, 2...5, ["Angola", "Botswana", "DR Congo", "Kenya", "Namibia", "South Africa", "Tanzania", "Zambia"]),
        (1, 1...4, ["Algeria", "Chad", "Egypt", "Libya", "Mali", "Mauritania", "Niger", "Sudan"]),
        (2, 2...5, ["Cambodia", "Indonesia", "Laos", "Malaysia", "Myanmar", "Philippines", "Thailand", "Vietnam"]),
        (2, 1...1, ["Japan"]),
    ])
    func countriesHaveTheirNamesEvenly(_ zoom: Int, _ count: ClosedRange<Int>, _ countries: [String]) throws {
        var named: Set<String> = []
        try visit("places", zoom: zoom) { feature in
            guard text("kind", feature) == "country", let name = text("name:en", feature) else { return }
            if countries.contains(name) { named.insert(name) }
        }
        #expect(count.contains(named.count), "\(named)")
    }

    @Test func capitalsAndCountries_areAllThere() throws {
        var (capitals, countries): (Set<String>, Set<String>) = ([], [])
        try visit("places", zoom: 6) { feature in
            guard let name = text("name:en", feature) else { return }
            if text("capital", feature) == "yes" { capitals.insert(name) }
            if text("kind", feature) == "country" { countries.insert(name) }
        }
        #expect(capitals.count >= 195, "\(capitals.count)")
        #expect(countries.count >= 190, "\(countries.count)")
        #expect(
            capitals.isSuperset(of: [
                "Ottawa", "Brasília", "Canberra", "Wellington", "Nairobi", "Reykjavík", "Ulaanbaatar", "Suva",
                "Port-au-Prince", "Gitega", "Nuku\u{2BB}alofa", "Ngerulmud", "Vaduz", "Kyiv", "Naypyidaw",
            ]))
        #expect(
            countries.isSuperset(of: ["Eswatini", "Czechia", "North Macedonia", "Cabo Verde", "Türkiye", "South Sudan"])
        )
    }

    @Test func namesComeInTheLettersOfTheCountry_andInLanguages() throws {
        var found: [String: String] = [:]
        let tile = try tile(4, latitude: 59.94, longitude: 30.31)
        let layer = try #require(tile.layers["places"])
        let cursor = FeatureCursor(layer, propertyNames: [])
        for index in layer.features.indices {
            cursor.index = index
            guard text("name:en", cursor) == "Saint Petersburg" else { continue }
            for key in layer.keys { found[key] = text(key, cursor) }
        }
        #expect(found["name"] == "Санкт-Петербург" && found["name:ru"] == "Санкт-Петербург")
        #expect(found["name:latin"] == "Saint Petersburg" && found["name:de"] == "Sankt Petersburg")
        #expect(found["kind"] == "locality" && found["kind_detail"] == "city" && found["capital"] == "4")
    }

    @Test(arguments: [
        (59.94, 30.31, "Saint Petersburg"), (43.77, 11.26, "Florence"), (37.77, -122.42, "San Francisco"),
    ])
    func cities_lieInTheirTile(_ latitude: Double, _ longitude: Double, _ name: String) throws {
        let tile = try tile(6, latitude: latitude, longitude: longitude)
        let layer = try #require(tile.layers["places"])
        let cursor = FeatureCursor(layer, propertyNames: [])
        let names = layer.features.indices.map { index in
            cursor.index = index
            return text("name:en", cursor)
        }
        #expect(names.contains(name), "\(names)")
    }
}
