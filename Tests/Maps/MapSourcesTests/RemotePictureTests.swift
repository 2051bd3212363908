import HTTPMessage
import Bytes
import MapRender
import MapStyle
import MapTestKit
import Origin
import OriginCache
import Raster
import Resources
import Testing
import Tiles
import FakeOrigin

@testable import MapSources

/// Pictures made of what other servers have.
@Suite(.timeLimit(.minutes(5))) struct RemotePictureTests {
    /// One archive at `veduta://map`, and the tiles that a style names by address.
    private struct Sources: MapResources {
        var archive: (any TileArchive)?
        var access: RemoteAccess?

        func bytes(at address: String) throws(ResourceError) -> SharedBytes? { nil }
        func archive(at address: String) throws(ResourceError) -> (any TileArchive)? {
            if let remote = archive as? RemotePMTiles { try remote.open() }
            return archive
        }
        func archive(of templates: TileTemplates) -> (any TileArchive)? { access.flatMap { $0.archive(of: templates) } }

        /// One color: the first byte is the red.
        func picture(_ bytes: SharedBytes) -> Texture? {
            guard let red = bytes.withUnsafeBytes({ $0.first }) else { return nil }
            let texels: [UInt8] = [red, 0, 0, 255, red, 0, 0, 255, red, 0, 0, 255, red, 0, 0, 255]
            return Texture(widthPx: 2, heightPx: 2, format: .rgba, texels: SharedBytes(texels))
        }
    }

    private static func bytes(_ map: RenderedMap) -> [UInt8] { map.pixels.withUnsafeBytes(Array.init) }

    /// The first byte that a request wants.
    private static func start(_ range: String?) -> Int? {
        range?.dropFirst("bytes=".count).split(separator: "-").first.flatMap { Int($0) }
    }

    // MARK: A real archive

    @Test(
        .enabled(if: SharedData.root != nil, "../shared is absent"), arguments: [(13.0, 2), (15.0, 3), (17.0, 2)])
    func remoteArchive_givesThePictureOfTheFile(_ zoom: Double, _ limit: Int) throws {
        let path = "\(try #require(SharedData.root))/maps/firenze.pmtiles"
        let local = try PMTilesArchive(path: path)
        let file = ServedFile(try LocalFile.bytes(at: path))
        let style = try Style.read(Resources.lightStyle.withUnsafeBytes(Array.init))
        let camera = Camera(longitude: 11.2558, latitude: 43.7731, zoom: zoom, width: 640, height: 480)
        // The header's offset of the tiles (PMTiles v3 §3.1); what comes before are directories and metadata.
        let head = try LocalFile.bytes(at: path).prefix(64)
        let firstTile = head[56..<64].reversed().reduce(0) { $0 << 8 | Int($1) }
        let expected = try MapEngine(resources: Sources(archive: PMTilesTiles(local))).render(style, camera)
        #expect(expected.faults.isEmpty)
        try withRemote({ file.answer($0) }) { (origin, access) throws in
            let url = try OriginURL(origin.url("/firenze.pmtiles"))
            let remote = RemotePMTiles(url, name: "florence", access: access)
            let engine = MapEngine(resources: Sources(archive: remote))
            let first = try engine.render(style, camera)
            #expect(first.faults.isEmpty)
            #expect(Self.bytes(first) == Self.bytes(expected))
            let count = origin.requests.count
            let starts = try origin.requests.map { try #require(Self.start($0.fields["range"])) }
            let directories = starts.filter { $0 < firstTile }
            #expect(directories.count <= 3, "\(starts)")
            // Tiles that lie together come together.
            #expect((1...limit).contains(count - directories.count), "\(starts)")
            // Another engine has decoded nothing yet, and asks nobody all the same.
            let second = try MapEngine(resources: Sources(archive: remote)).render(style, camera)
            #expect(Self.bytes(second) == Self.bytes(first))
            #expect(Self.bytes(try engine.render(style, camera)) == Self.bytes(first))
            #expect(origin.requests.count == count)
        }
    }

    // MARK: Tiles by templates

    private static func raster(_ origin: FakeOrigin, _ members: String = "") throws -> Style {
        let text = """
            {"version": 8, "sources": {"s": {"type": "raster", "tileSize": 256\(members),
              "tiles": ["\(origin.url("/{z}/{x}/{y}{ratio}.png?key=secret"))"]}},
             "layers": [{"id": "r", "type": "raster", "source": "s", "paint": {"raster-fade-duration": 0}}]}
            """
        return try Style.read(Array(text.utf8))
    }

    private static func camera(ratio: Double = 1) -> Camera {
        var camera = Camera(longitude: 0, latitude: 0, zoom: 2, width: 512, height: 512)
        camera.pixelRatio = ratio
        return camera
    }

    @Test func pictureOfTiles_isDrawn_eachAskedForOnce() throws {
        try withRemote({ _ in .answer(200, "Z") }) { (origin, access) throws in
            let engine = MapEngine(resources: Sources(access: access))
            let style = try Self.raster(origin)
            let first = try engine.render(style, Self.camera())
            #expect(first.faults.isEmpty)
            #expect(Self.bytes(first).prefix(4) == [0x5A, 0, 0, 255])
            let targets = origin.requests.map(\.target)
            #expect(Set(targets).count == targets.count)
            #expect(targets.allSatisfy { $0.hasPrefix("/3/") && $0.hasSuffix(".png?key=secret") })
            _ = try engine.render(style, Self.camera())
            #expect(origin.requests.count == targets.count)
            // A sharp picture has other tiles in the same places.
            let sharp = try engine.render(style, Self.camera(ratio: 2))
            #expect(sharp.widthPx == 1024)
            let more = origin.requests.dropFirst(targets.count).map(\.target)
            #expect(more.count == targets.count)
            #expect(more.allSatisfy { $0.hasSuffix("@2x.png?key=secret") })
        }
    }

    @Test func missingTiles_areStoodInFor_andNothingIsAskedForTwice() throws {
        try withRemote { seen in
            seen.target.hasPrefix("/0/") ? .answer(200, "P") : .answer(404, "")
        } _: {
            (origin, access) throws in
            let engine = MapEngine(resources: Sources(access: access))
            let map = try engine.render(try Self.raster(origin), Self.camera())
            #expect(map.faults.isEmpty)
            #expect(Self.bytes(map).prefix(4) == [0x50, 0, 0, 255])
            let targets = origin.requests.map(\.target)
            #expect(Set(targets).count == targets.count)
            #expect(targets.contains { $0.hasPrefix("/0/0/0") })
        }
    }

    @Test func failingTiles_leaveGaps_andAreNotedWithoutKeys() throws {
        try withRemote { seen in
            seen.target.hasPrefix("/3/3/") ? .answer(403, "") : .answer(200, "P")
        } _: {
            (origin, access) throws in
            let map = try MapEngine(resources: Sources(access: access)).render(try Self.raster(origin), Self.camera())
            #expect(!map.faults.isEmpty)
            #expect(map.faults.allSatisfy { $0.cause.contains("its origin answered with status 403") })
            #expect(!"\(map.faults)".contains("secret"))
        }
    }

    @Test func levelsAndBoundsOfTheStyle_areRespected() throws {
        try withRemote({ _ in .answer(200, "P") }) { (origin, access) throws in
            let engine = MapEngine(resources: Sources(access: access))
            _ = try engine.render(try Self.raster(origin, #", "maxzoom": 1, "bounds": [0, 0, 180, 85]"#), Self.camera())
            #expect(origin.requests.map(\.target) == ["/1/1/0.png?key=secret"])
        }
    }

    @Test func deadOrigin_costsAPictureOneWait() throws {
        var rules = OriginRules.trial
        rules.patience = .milliseconds(100)
        rules.backOff = .seconds(60)
        try withRemote(cache: rules, { _ in [.wait("never")] }) { (origin, access) throws in
            let map = try MapEngine(resources: Sources(access: access)).render(try Self.raster(origin), Self.camera())
            #expect(map.faults.allSatisfy { $0.cause.contains("in time") || $0.cause.contains("not asked again yet") })
            #expect(origin.requests.count <= 6)
            origin.release("never")
        }
    }

    @Test func pictureThatIsNotWanted_ends() throws {
        try withRemote({ _ in [.wait("never")] }) { (origin, access) throws in
            let engine = MapEngine(resources: Sources(access: access))
            let style = try Self.raster(origin)
            #expect(throws: MapError.cancelled) {
                try engine.render(style, Self.camera(), shouldStop: { !origin.requests.isEmpty })
            }
            origin.release("never")
        }
    }
}
