import Foundation
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// Maps of the archive that `veduta sample` writes, as clients see them.
@Suite(.timeLimit(.minutes(5))) struct SampleCityTests {
    private let service: RunningService
    private let client: WireClient

    init() throws {
        let archive = SharedData.packageRoot.appending(path: "Sources/Platform/CResources/city.pmtiles").path
        service = try RunningService { $0.mapArchive = archive }
        client = try WireClient(service.address)
    }

    @Test func theMiddle_hasStreetsWaterAndParks() throws {
        let map = try client.get("/map?latitude=0&longitude=0&zoom=15&format=png&labels=off")
        #expect(map.code == 200 && map.field("Veduta-Coverage") == "full")
        let picture = try DecodedPicture(map.content)
        let streets = picture.share { red, green, blue in min(red, green, blue) >= 250 }
        let water = picture.share { red, green, blue in blue > red + 25 && blue > green && blue > 180 }
        let parks = picture.share { red, green, blue in green > red + 8 && green > blue + 8 }
        #expect((0.1...0.5).contains(streets), "\(streets)")
        #expect((0.03...0.4).contains(water), "\(water)")
        #expect((0.03...0.4).contains(parks), "\(parks)")
    }

    @Test func names_comeInTheLanguageThatIsAskedFor() throws {
        let query = "/map?latitude=0&longitude=0&zoom=14&format=png"
        let (plain, japanese) = (try client.get(query), try client.get(query + "&language=ja"))
        #expect(plain.code == 200 && japanese.code == 200 && plain.content != japanese.content)
    }

    @Test func pagesOfMaps_previewTheCity_andNameWhoseDataItIs() throws {
        let page = try client.get("/maps").text
        for style in ["light", "dark"] { #expect(page.contains("src=\"/tiles/\(style)/14/8192/8192@2x.png\"")) }
        let set = try client.get("/tiles/light.json").text
        #expect(set.contains("\"attribution\":\"Null Island, an invented place · Made with Natural Earth\""), "\(set)")
    }

    @Test func theRestOfTheWorld_isDrawnAroundIt() throws {
        #expect(try client.get("/map?latitude=0&longitude=0&zoom=8").field("Veduta-Coverage") == "partial")
        let florence = try client.get("/map?latitude=43.77&longitude=11.26&zoom=6&format=png&labels=off")
        #expect(florence.code == 200 && florence.field("Veduta-Coverage") == "none")
        let land = try DecodedPicture(florence.content).share { red, _, blue in red >= blue }
        #expect(land > 0.3, "\(land)")
    }
}
