import Testing
import FakeOrigin

@testable import MapSources

/// Libraries with sources of other servers.
@Suite(.timeLimit(.minutes(5))) struct RemoteLibraryTests {
    private let folder: TrialFolder

    init() throws { folder = try TrialFolder() }

    private func library(_ access: RemoteAccess, _ sources: String) throws -> MapLibrary {
        var settings = MapLibrarySettings.trial(maps: try folder.write("maps.json", "{\"sources\": {\(sources)}}"))
        settings.remote = access
        return try MapLibrary(settings)
    }

    // MARK: The zoom of maps without one

    @Test func defaultZoom_isThatOfTheArchive_fromTheFirstPictureOn() throws {
        let file = ServedFile(RemotePMTilesTests.archive())
        try withRemote({ file.answer($0) }) { (origin, access) throws in
            let library = try library(access, #""map": {"archive": "\#(origin.url("/a.pmtiles"))"}"#)
            let style = try #require(library.style())
            // Level 4 has tiles of 512 pixels.
            #expect(library.snapshot.defaultZoom(style, latitude: 0, longitude: 0) == 5)
            #expect(origin.requests.count <= 3)
        }
    }

    @Test func defaultZoom_doesNotWaitForWhatIsNoLongerWanted() throws {
        let file = ServedFile(RemotePMTilesTests.archive())
        file.change { $0.gate = "never" }
        try withRemote({ file.answer($0) }) { (origin, access) throws in
            let library = try library(access, #""map": {"archive": "\#(origin.url("/a.pmtiles"))"}"#)
            let style = try #require(library.style())
            let zoom = library.snapshot.defaultZoom(
                style, latitude: 0, longitude: 0, shouldStop: { !origin.requests.isEmpty })
            #expect(zoom == 14)
            origin.release("never")
        }
    }

    @Test func defaultZoomOfTemplates_asksNobody() throws {
        try withRemote({ _ in .answer(404, "") }) { (origin, access) throws in
            let library = try library(
                access,
                #""a": {"tiles": ["\#(origin.url("/{z}/{x}/{y}.png"))"], "type": "raster", "maxzoom": 12}"#)
            let style = try #require(library.style(named: "a"))
            #expect(library.snapshot.defaultZoom(style, latitude: 0, longitude: 0) == 12)
            #expect(origin.requests.isEmpty)
        }
    }
}
