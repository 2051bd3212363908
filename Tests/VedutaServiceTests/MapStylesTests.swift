import Bytes
import Foundation
import MapRender
import MapStyle
import Raster
import Resources
import TestSupport
import Testing
import Tiles

@testable import VedutaService

/// Styles and files of operators, as they lie in a folder.
@Suite struct MapStylesTests {
    private let folder: PictureFolder

    init() throws { folder = try PictureFolder() }

    private func files() throws -> MapFiles {
        MapFiles(folder: folder.path, archive: PMTilesTiles(try PMTilesArchive(bytes: Resources.worldArchive)))
    }

    @Test func builtInStyles_areRead() throws {
        let styles = try MapStyles(path: nil)
        #expect(styles.names == ["light", "dark"])
        #expect(styles.entry("dark").validator != styles.entry(nil).validator)
        #expect(styles.entry(nil).style.notices.isEmpty && styles.entry("dark").style.notices.isEmpty)
    }

    @Test func ownStyle_isTheDefault_andCalledAsItsFile() throws {
        try folder.add("own streets.json", Array(#"{"version": 8, "sources": {}, "layers": []}"#.utf8))
        let styles = try MapStyles(path: folder.path + "/own streets.json")
        #expect(styles.names == ["ownstreets", "light", "dark"])
        #expect(styles.standard.style.layers.isEmpty)
    }

    @Test func brokenStyle_isRefusedWithItsPath() throws {
        let text =
            #"{"version": 8, "sources": {}, "layers": [{"id": "a", "type": "background", "paint": {"background-color": 3}}]}"#
        try folder.add("bad.json", Array(text.utf8))
        #expect {
            _ = try MapStyles(path: folder.path + "/bad.json")
        } throws: { error in
            "\(error)".contains("layers[0].paint.background-color") && "\(error)".contains("--map-style")
        }
        #expect(throws: ServiceError.self) { _ = try MapStyles(path: folder.path + "/missing.json") }
    }

    @Test func addresses_stayInTheFolder() throws {
        let files = try files()
        #expect(try files.bytes(at: "a.png") != nil)
        #expect(try files.bytes(at: "missing.png") == nil)
        for address in [
            "../" + (folder.path.split(separator: "/").last ?? "") + "/a.png", folder.path + "/a.png",
            "http://127.0.0.1/a.png", "file://" + folder.path + "/a.png", "", "a/../a.png",
        ] {
            #expect(try files.bytes(at: address) == nil, "\(address)")
        }
        #expect(try files.archive(at: "veduta://map") != nil)
        #expect(try files.archive(at: "https://example.org/tiles.json") == nil)
        #expect(throws: ResourceError.self) { _ = try files.archive(at: "pmtiles://a.png") }
    }

    @Test func picturesAreDecodedPremultiplied() throws {
        let files = try files()
        let bytes = try #require(try files.bytes(at: "a.png"))
        let texture = try #require(files.picture(bytes))
        #expect(texture.widthPx == 400 && texture.heightPx == 300 && texture.format == .rgba)
        #expect(files.picture(SharedBytes(Array("no picture".utf8))) == nil)
    }

    @Test func whatAStyleMayName_isPartOfTheTag() throws {
        try folder.add("own.json", Array(#"{"version": 8, "sources": {}, "layers": []}"#.utf8))
        var configuration = Configuration()
        configuration.mapStyle = folder.path + "/own.json"
        func validator() throws -> SourceValidator {
            let source = try MapSource(configuration)
            return source.validator(source.styles.standard)
        }
        let first = try validator()
        #expect(try validator() == first)
        try folder.add("fonts/Noto/0-255.pbf", [1, 2, 3])
        #expect(try validator() != first)
    }
}
