import Bytes
import Foundation
import MapRender
import MapStyle
import Testing

@testable import MapSources

@Suite(.timeLimit(.minutes(5))) struct ReloadTests {
    private let folder: TrialFolder
    private let reports = Reports()

    init() throws { folder = try TrialFolder() }

    private func input(_ bytes: SharedBytes?) -> [UInt8]? { bytes.map { $0.withUnsafeBytes { [UInt8]($0) } } }

    private func tile(_ library: MapLibrary, _ name: String = "map") throws -> [UInt8]? {
        input(try library.source(named: name)?.archive.tile(TileCoordinate(z: 0, x: 0, y: 0)))
    }

    /// A database with one tile that ends in `mark`.
    private func makeArchive(_ name: String, mark: UInt8) throws {
        try TrialMBTiles.make(folder.file(name), tiles: [(0, 0, 0, smallVectorTile + [mark])])
    }

    private func library() throws -> MapLibrary {
        try makeArchive("a.mbtiles", mark: 1)
        return try MapLibrary(
            .trial(
                maps: try folder.write("maps.json", #"{"sources": {"map": {"archive": "a.mbtiles"}}}"#),
                reports: reports))
    }

    @Test func nothingChanged_isTheSameState() throws {
        let library = try library()
        let state = library.snapshot
        #expect(!library.refresh() && library.snapshot === state)
    }

    @Test func aReplacedArchive_isTakenOver() throws {
        let library = try library()
        let before = library.snapshot
        let style = try #require(before.style())
        try makeArchive("b.mbtiles", mark: 2)
        try folder.replace("a.mbtiles", byFileAt: folder.file("b.mbtiles"))
        #expect(library.refresh() && reports.take().isEmpty)
        #expect(try tile(library)?.last == 2)
        #expect(library.style()?.validator != style.validator)
        // What holds the state before goes on with that.
        let archive = try #require(try style.resources.archive(at: "veduta://map"))
        #expect(input(try archive.tile(TileCoordinate(z: 0, x: 0, y: 0)))?.last == 1)
    }

    @Test func aBrokenArchive_isToldOfOnceAndTheGoodOneStays() throws {
        let library = try library()
        let validator = library.style()?.validator
        let good = [UInt8](try Data(contentsOf: URL(filePath: folder.file("a.mbtiles"))))
        try folder.write("broken", Array(good.prefix(5000)))
        try folder.replace("a.mbtiles", byFileAt: folder.file("broken"))
        library.refresh()
        #expect(reports.take().map(\.name) == ["map"])
        #expect(try tile(library)?.last == 1 && library.style()?.validator == validator)
        library.refresh()
        try folder.write("broken", Array(good.prefix(6000)))
        try folder.replace("a.mbtiles", byFileAt: folder.file("broken"))
        library.refresh()
        #expect(reports.take().isEmpty)
        try makeArchive("b.mbtiles", mark: 3)
        try folder.replace("a.mbtiles", byFileAt: folder.file("b.mbtiles"))
        #expect(library.refresh() && reports.take().isEmpty)
        #expect(try tile(library)?.last == 3)
    }

    @Test func anArchiveThatIsGone_goesOn() throws {
        let library = try library()
        try FileManager.default.removeItem(atPath: folder.file("a.mbtiles"))
        library.refresh()
        #expect(reports.take().count == 1)
        #expect(try tile(library)?.last == 1)
    }

    @Test(.enabled(if: SharedData.root != nil, "../shared is absent"))
    func aCopyInProgress_takesNothingDown() throws {
        let input = [UInt8](try Data(contentsOf: URL(filePath: SharedData.map("firenze.pmtiles"))))
        let path = try folder.write("f.pmtiles", input)
        var settings = MapLibrarySettings.trial(reports: reports)
        settings.archive = path
        let library = try MapLibrary(settings)
        let engine = MapEngine(resources: library)
        let camera = Camera(longitude: 11.2558, latitude: 43.7731, zoom: 13, width: 300, height: 200)
        let style = try #require(library.style())
        let whole = try engine.render(style.style, camera, resources: style.resources)
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.truncate(atOffset: 0)
        for end in [0, 100, 5000, 1_000_000] {
            try handle.seek(toOffset: 0)
            try handle.write(contentsOf: input.prefix(end))
            library.refresh()
            let style = try #require(library.style())
            // The tiles that are not there yet are gaps.
            _ = try MapEngine(resources: library).render(style.style, camera, resources: style.resources)
        }
        #expect(reports.take().count >= 1)
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: input)
        #expect(library.refresh())
        let after = try #require(library.style())
        let again = try MapEngine(resources: library).render(after.style, camera, resources: after.resources)
        #expect(bytes_(again) == bytes_(whole) && again.faults.isEmpty)
    }

    private func bytes_(_ map: RenderedMap) -> [UInt8] { map.pixels.withUnsafeBytes { [UInt8]($0) } }

    @Test func styles_areTakenOverWhenTheyAreSound() throws {
        func style(_ color: String) -> String {
            """
            {"version": 8, "sources": {}, "sprite": "icons",
             "layers": [{"id": "a", "type": "background", "paint": {"background-color": "\(color)"}}]}
            """
        }
        try folder.write("own.json", style("red"))
        var settings = MapLibrarySettings.trial(reports: reports)
        settings.style = folder.file("own.json")
        let library = try MapLibrary(settings)
        let first = try #require(library.style())
        try folder.write("own.json", style("#12"))
        library.refresh()
        #expect(reports.take().count == 1 && library.style()?.validator == first.validator)
        library.refresh()
        #expect(reports.take().isEmpty)
        try folder.write("own.json", style("blue"))
        #expect(library.refresh())
        let second = try #require(library.style())
        #expect(second.validator != first.validator && second.document != first.document)
        try folder.write("icons.json", "{}")
        #expect(library.refresh() && library.style()?.validator != second.validator)
        #expect(!library.refresh() && reports.take().isEmpty)
    }

    @Test func aStyleThatWasOnlyTouched_isReadOnce() throws {
        let style = #"{"version": 8, "sources": {}, "layers": [{"id": "a", "type": "background"}]}"#
        var settings = MapLibrarySettings.trial(reports: reports)
        settings.style = try folder.write("own.json", style)
        let library = try MapLibrary(settings)
        let validator = library.style()?.validator
        try folder.replace("own.json", byFileAt: try folder.write("same.json", style))
        #expect(library.refresh() && library.style()?.validator == validator)
        #expect(!library.refresh() && reports.take().isEmpty)
    }

    @Test func theMapsFile_isTakenOverWhenItIsSound() throws {
        let library = try library()
        try folder.write("maps.json", #"{"sources": {"map": {"archiv": "a.mbtiles"}}}"#)
        library.refresh()
        #expect(reports.take().count == 2)
        #expect(try tile(library)?.last == 1)
        library.refresh()
        #expect(reports.take().isEmpty)
        try makeArchive("b.mbtiles", mark: 2)
        try folder.write(
            "maps.json",
            #"{"sources": {"map": {"archive": "a.mbtiles"}, "more": {"archive": "b.mbtiles"}, "none": {"archive": "c"}}}"#
        )
        #expect(library.refresh())
        #expect(reports.take().map(\.name) == ["none"])
        #expect(library.sourceNames == ["map", "more", "world"])
        #expect(try tile(library, "more")?.last == 2)
        // It appears as soon as its file does.
        try makeArchive("c", mark: 5)
        #expect(library.refresh())
        #expect(try tile(library, "none")?.last == 5)
        try folder.write("maps.json", "{}")
        #expect(library.refresh() && library.sourceNames == ["map"])
    }

    @Test func geoJSON_isTakenOver() throws {
        try folder.write("spots.json", #"{"type": "FeatureCollection", "features": []}"#)
        try folder.write(
            "own.json",
            """
            {"version": 8, "sources": {"p": {"type": "geojson", "data": "veduta://spots"}},
             "layers": [{"id": "b", "type": "circle", "source": "p"}]}
            """)
        let path = try folder.write(
            "maps.json",
            #"{"sources": {"spots": {"data": "spots.json"}}, "styles": {"own": {"style": "own.json"}}, "default": "own"}"#
        )
        let library = try MapLibrary(.trial(maps: path, reports: reports))
        let first = try #require(library.style())
        try folder.write("spots.json", #"{"type": "Point", "coordinates": [1, 2]}"#)
        #expect(library.refresh())
        let second = try #require(library.style())
        #expect(first.validator != second.validator)
        #expect(try first.resources.bytes(at: "veduta://spots")?.count == 45)
        #expect(try second.resources.bytes(at: "veduta://spots")?.count == 40)
        try folder.write("spots.json", "{")
        library.refresh()
        #expect(reports.take().count == 1 && library.style()?.validator == second.validator)
    }

    @Test func anOldState_isClosedWithItsLastHolder() throws {
        let library = try library()
        weak var old: MapSnapshot?
        try {
            let snapshot = library.snapshot
            old = snapshot
            try makeArchive("b.mbtiles", mark: 2)
            try folder.replace("a.mbtiles", byFileAt: folder.file("b.mbtiles"))
            library.refresh()
        }()
        #expect(old == nil)
    }
}
