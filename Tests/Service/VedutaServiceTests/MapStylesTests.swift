import Bytes
import Foundation
import ImageWorkers
import MapGrammar
import MapRender
import MapSources
import MapStyle
import Raster
import ServiceConfiguration
import Synchronization
import Testing
import TestSupport

@testable import VedutaService

/// Styles and pictures of operators, as they lie in a folder.
@Suite(.timeLimit(.minutes(5))) struct MapStylesTests {
    private let folder: PictureFolder

    init() throws { folder = try PictureFolder() }

    @Test func builtInStyles_areTwoAppearancesOfOne() throws {
        let rules = try MapServices.world().rules
        #expect(rules.styles == ["light", "dark"])
        #expect(rules.themes["dark"]?.light == "light" && rules.themes["light"]?.dark == "dark")
        #expect(rules.sideLimitPx == 4096 && !rules.mayHideAttribution)
    }

    @Test func limits_areThoseOfTheConfiguration() throws {
        var configuration = Configuration()
        configuration.mapSide = 800
        configuration.mapAttribution = .optional
        let rules = try MapServices.world(configuration).rules
        #expect(rules.sideLimitPx == 800 && rules.mayHideAttribution)
    }

    @Test func brokenStyle_isRefusedWithItsPath() throws {
        let text =
            #"{"version": 8, "sources": {}, "layers": [{"id": "a", "type": "background", "paint": {"background-color": 3}}]}"#
        try folder.add("bad.json", Array(text.utf8))
        var configuration = Configuration()
        configuration.mapStyle = folder.path + "/bad.json"
        #expect {
            _ = try MapServices.world(configuration)
        } throws: { error in
            "\(error)".contains("layers[0].paint.background-color") && "\(error)".contains("--map-style")
        }
        configuration.mapStyle = folder.path + "/missing.json"
        #expect(throws: ServiceError.self) { _ = try MapServices.world(configuration) }
    }

    @Test func picturesAreDecodedPremultiplied() throws {
        try RunningService.prepare()
        let bytes = try Data(contentsOf: URL(filePath: folder.path + "/a.png"))
        let texture = try #require(MapTextures.decode(.here)(SharedBytes(Array(bytes)), PictureTerms()))
        #expect(texture.widthPx == 400 && texture.heightPx == 300 && texture.format == .rgba)
        #expect(MapTextures.decode(.here)(SharedBytes(Array("no picture".utf8)), PictureTerms()) == nil)
    }

    @Test func imagesOfMorePixels_areNotDecoded() throws {
        try RunningService.prepare()
        let bytes = SharedBytes(Array(try Data(contentsOf: URL(filePath: folder.path + "/a.png"))))
        #expect(MapTextures.decode(.here)(bytes, PictureTerms(pixelLimit: 400 * 300)) != nil)
        #expect(MapTextures.decode(.here)(bytes, PictureTerms(pixelLimit: 400 * 300 - 1)) == nil)
    }

    @Test func imagesOfAMapThatNobodyWants_areNotDecoded() throws {
        try RunningService.prepare()
        let large = SharedBytes(try PictureFolder.picture(1024, 1024))
        let asked = Asked()
        _ = MapTextures.decode(.here)(large, PictureTerms(shouldStop: { asked.answer() }))
        #expect(asked.count > 0)
    }

    @Test func tilesOfSources_areKnownWithoutAskingAnybody() throws {
        let camera = Camera(longitude: 0, latitude: 0, zoom: 3, width: 64, height: 64)
        let entry = try MapServices.world().style(nil)
        #expect(entry.knownTiles(seenFrom: camera) == [KnownTiles(.vector, lastLevel: 6)])
    }

    @Test func styles_areCompiledOncePerLook() throws {
        let studio = try MapServices.world()
        let entry = try studio.style(nil)
        var look = MapLook()
        #expect(studio.variants.style(entry, look).layers.count == entry.style.layers.count)
        look.hasLabels = false
        let without = studio.variants.style(entry, look)
        #expect(!without.layers.contains { $0.gives(.textField) })
        look.attribution = .topLeft
        let again = studio.variants.style(entry, look)
        #expect(zip(without.layers, again.layers).allSatisfy { $0 === $1 })
    }
}

/// Nobody wants the map, and it counts who asks.
private final class Asked: Sendable {
    private let asked = Mutex(0)

    var count: Int { asked.withLock { $0 } }

    func answer() -> Bool {
        asked.withLock { $0 += 1 }
        return true
    }
}
