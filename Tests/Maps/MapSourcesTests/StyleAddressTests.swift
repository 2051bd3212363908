import Bytes
import Foundation
import MapRender
import Testing

@testable import MapSources

/// What the addresses in a style lead to.
@Suite(.timeLimit(.minutes(5))) struct StyleAddressTests {
    private static let features = #"{"type": "FeatureCollection", "features": []}"#

    /// #17: a style is given what is below its folder and what it may have of servers and of the service, and nothing else.
    @Test func addressesThatLeadOutsideTheFolder_areMissing() throws {
        let folder = try TrialFolder()
        let outside = try folder.write("secret.json", Self.features)
        try TrialMBTiles.make(folder.file("secret.mbtiles"), tiles: [(0, 0, 0, smallVectorTile)])
        try folder.write("styles/inside/roads.json", Self.features)
        try folder.write(
            "styles/own.json",
            """
            {"version": 8, "sources": {"roads": {"type": "geojson", "data": "inside/roads.json"},
             "out": {"type": "geojson", "data": "../secret.json"}},
             "layers": [{"id": "a", "type": "line", "source": "roads"}, {"id": "b", "type": "line", "source": "out"}]}
            """)
        try folder.write("maps.json", #"{"styles": {"own": {"style": "styles/own.json"}}}"#)
        let library = try MapLibrary(.trial(maps: folder.file("maps.json")))
        let resources = try #require(library.style(named: "own")).resources
        #expect(try resources.bytes(at: "inside/roads.json")?.count == Self.features.utf8.count)
        #expect(try resources.bytes(at: "./inside/roads.json") != nil)
        for address in [
            "../secret.json", "inside/../../secret.json", "inside/..", "..", outside, "//" + outside,
            "file://" + outside,
            "ftp://127.0.0.1/a.json", "FILE://" + outside, "inside/roads.json\0", "", "pmtiles://../secret.mbtiles",
            "mbtiles://../secret.mbtiles", "https://127.0.0.1/a.json", "veduta://secret", "veduta://../secret.json",
        ] {
            #expect(try resources.bytes(at: address) == nil, "\(address)")
            #expect(try resources.archive(at: address) == nil, "\(address)")
        }
    }

    @Test func archivesOutsideTheFolder_areNotOpened() throws {
        let folder = try TrialFolder()
        try folder.write("styles/inside/roads.json", Self.features)
        for path in ["secret.mbtiles", "styles/inside/roads.mbtiles"] {
            try TrialMBTiles.make(folder.file(path), tiles: [(0, 0, 0, smallVectorTile)])
        }
        for address in [
            "mbtiles://inside/roads.mbtiles", "mbtiles://../secret.mbtiles",
            "mbtiles://\(folder.file("secret.mbtiles"))", "secret.mbtiles",
        ] {
            try folder.write(
                "styles/own.json",
                """
                {"version": 8, "sources": {"a": {"type": "vector", "url": "\(address)"}},
                 "layers": [{"id": "a", "type": "line", "source": "a", "source-layer": "roads"}]}
                """)
            try folder.write("maps.json", #"{"styles": {"own": {"style": "styles/own.json"}}}"#)
            do {
                let library = try MapLibrary(.trial(maps: folder.file("maps.json")))
                let resources = try #require(library.style(named: "own")).resources
                let isInside = address == "mbtiles://inside/roads.mbtiles"
                #expect(((try? resources.archive(at: address)) != nil) == isInside, "\(address)")
            } catch let failure as MapLibraryFailure {
                // A style that cannot be drawn is a problem at the start.
                #expect(failure.problems.contains { "\($0)".contains("own") }, "\(failure.problems)")
                #expect(address != "mbtiles://inside/roads.mbtiles")
            }
        }
    }
}
