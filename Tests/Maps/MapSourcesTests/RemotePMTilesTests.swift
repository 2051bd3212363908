import HTTPMessage
import Bytes
import MapRender
import MapStyle
import MapTestKit
import Origin
import OriginCache
import Reactor
import Synchronization
import Testing
import Tiles
import FakeOrigin

@testable import MapSources

/// Archives on other servers, by real requests.
@Suite(.timeLimit(.minutes(5))) struct RemotePMTilesTests {
    /// All tiles of the levels 0 to 4, in small leaf directories; `mark` tells archives apart.
    static func archive(
        mark: UInt8 = 0, compresses: Bool = true, tileByteCount: Int = 40,
        metadata: String = #"{"name": "trial", "attribution": "somebody"}"#
    ) -> [UInt8] {
        var writer = ArchiveWriter(leafEntryCount: 16, compresses: compresses)
        writer.maxZoom = 4
        writer.metadata = metadata
        for z in 0...4 {
            for x in 0..<1 << z {
                for y in 0..<1 << z {
                    guard let id = TileID(z: z, x: x, y: y) else { continue }
                    writer.tiles[id] =
                        [mark, UInt8(z), UInt8(x), UInt8(y)] + [UInt8](repeating: 7, count: tileByteCount)
                }
            }
        }
        return writer.archive()
    }

    private static let window = (4...7).flatMap { x in (5...7).map { TileCoordinate(z: 4, x: x, y: $0) } }

    private static func remote(_ origin: FakeOrigin, _ access: RemoteAccess, _ target: String = "/a.pmtiles") throws
        -> RemotePMTiles
    {
        RemotePMTiles(try OriginURL(origin.url(target)), name: "trial", access: access)
    }

    /// Runs `body` with an origin that serves `file`, access to it, and the archive.
    private static func withArchive(
        _ file: ServedFile, cache rules: OriginRules = .trial, access: RemoteAccess.Rules = .init(),
        clock: Clock = .system, log: RemoteLog = RemoteLog(),
        _ body: (FakeOrigin, RemoteAccess, RemotePMTiles) throws -> Void
    ) throws {
        try withRemote(cache: rules, access: access, clock: clock, log: log) {
            file.answer($0)
        } _: { (origin, access) throws in
            try body(origin, access, remote(origin, access))
        }
    }

    private static func mark(_ found: [TileCoordinate: Result<SharedBytes?, ResourceError>]) throws -> Set<UInt8> {
        Set(try found.values.map { try #require(try $0.get()).withUnsafeBytes { $0[0] } })
    }

    private static func byteArray(_ bytes: SharedBytes?) -> [UInt8]? { bytes.map { $0.withUnsafeBytes(Array.init) } }

    // MARK: How many requests

    @Test(arguments: [true, false])
    func firstPicture_costsAFewRequests_andTheSecondNone(_ compresses: Bool) throws {
        let data = Self.archive(compresses: compresses)
        let file = ServedFile(data)
        let local = try PMTilesArchive(bytes: SharedBytes(data))
        try Self.withArchive(file) { (origin, _, remote) throws in
            try remote.open()
            #expect(origin.requests.count == 1)
            #expect(remote.zooms == 0...4)
            #expect(remote.attribution == "somebody")
            for pass in 0..<2 {
                let found = remote.tiles(Self.window, ratio: 1, shouldStop: { false })
                #expect(found.count == Self.window.count)
                for (id, result) in found {
                    let place = try #require(TileID(z: id.z, x: id.x, y: id.y))
                    #expect(Self.byteArray(try result.get()) == Self.byteArray(try local.tile(place)))
                }
                // The beginning, directories in one, tiles in one: such a small archive has no gaps that matter.
                #expect(origin.requests.count <= 3, "pass \(pass)")
            }
            #expect(origin.requests.allSatisfy { $0.fields["range"] != nil })
            #expect(origin.requests.dropFirst().allSatisfy { $0.fields["if-match"] == "\"a\"" })
        }
    }

    @Test func everyTile_isThatOfTheFile() throws {
        let data = Self.archive()
        let file = ServedFile(data)
        let local = try PMTilesArchive(bytes: SharedBytes(data))
        try Self.withArchive(file) { (_, _, remote) throws in
            for z in 0...5 {
                for x in 0..<1 << z {
                    let column = (0..<1 << z).map { TileCoordinate(z: z, x: x, y: $0) }
                    let found = remote.tiles(column, ratio: 1, shouldStop: { false })
                    for id in column {
                        let place = try #require(TileID(z: id.z, x: id.x, y: id.y))
                        #expect(Self.byteArray(try found[id]?.get() ?? nil) == Self.byteArray(try local.tile(place)))
                    }
                }
            }
            #expect(try remote.tile(TileCoordinate(z: 3, x: 9, y: 0)) == nil)
            let stored = try #require(try remote.storedTile(TileCoordinate(z: 2, x: 1, y: 1)))
            #expect(stored.encoding == .gzip)
        }
    }

    @Test func manyThreads_shareOneRequest() throws {
        let file = ServedFile(Self.archive())
        try Self.withArchive(file) { (origin, _, remote) throws in
            try remote.open()
            _ = remote.tiles([TileCoordinate(z: 4, x: 0, y: 0)], ratio: 1, shouldStop: { false })
            let before = origin.requests.count
            file.change { $0.gate = "go" }
            let results = Mutex<[[UInt8]?]>([])
            // A neighbour, whose directory is known by now.
            let tile = TileCoordinate(z: 4, x: 1, y: 1)
            let threads = try (0..<50).map { number in
                try OwnedThread.start(name: "ask-\(number)") {
                    let data = Self.byteArray((try? remote.tile(tile)) ?? nil)
                    results.withLock { $0.append(data) }
                }
            }
            origin.waitForRequests(before + 1)
            origin.release("go")
            for thread in threads { thread.join() }
            #expect(results.withLock { $0.count } == 50)
            #expect(results.withLock { Set($0.map { $0?.prefix(4) }) } == [[0, 4, 1, 1]])
            #expect(origin.requests.count == before + 1)
        }
    }

    @Test func sections_areJoinedAcrossSmallGaps() {
        func parts(_ sections: [Range<UInt64>]) -> [ArchivePart] {
            ArchivePart.joining(sections, gap: 10, byteLimit: 100)
        }
        #expect(parts([]).isEmpty)
        #expect(parts([30..<40, 0..<20]).map(\.range) == [0..<40])
        #expect(parts([30..<40, 0..<20]).map(\.members) == [[1, 0]])
        #expect(parts([31..<40, 0..<20]).map(\.range) == [0..<20, 31..<40])
        #expect(parts([0..<60, 60..<120]).map(\.range) == [0..<60, 60..<120])
        #expect(parts([0..<200, 200..<201]).map(\.range) == [0..<200, 200..<201])
        #expect(parts([0..<20, 5..<10]).map(\.range) == [0..<20])
    }

    // MARK: Replaced archives

    @Test(arguments: ["tag", "tag without preconditions", "weak tag", "date", "length", "shorter"])
    func replacedArchive_isNoticed_andReadAnew(_ manner: String) throws {
        let log = RemoteLog()
        let file = ServedFile(Self.archive(mark: 1))
        let (old, new) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Mon, 07 Nov 1994 08:49:37 GMT")
        file.change {
            switch manner {
            case "tag without preconditions": $0.knowsPreconditions = false
            case "weak tag": $0.entityTag = "W/\"a\""
            case "date": ($0.entityTag, $0.lastModified) = (nil, old)
            case "length", "shorter": $0.entityTag = nil
            default: break
            }
        }
        try Self.withArchive(file, log: log) { (origin, _, remote) throws in
            try remote.open()
            #expect(try Self.mark(remote.tiles(Array(Self.window.prefix(2)), ratio: 1, shouldStop: { false })) == [1])
            let validator = remote.validator
            file.change {
                $0.bytes = Self.archive(mark: 2, tileByteCount: manner == "shorter" ? 4 : manner == "length" ? 41 : 40)
                switch manner {
                case "tag", "tag without preconditions": $0.entityTag = "\"b\""
                case "weak tag": $0.entityTag = "W/\"b\""
                case "date": $0.lastModified = new
                default: break
                }
            }
            #expect(try Self.mark(remote.tiles(Self.window.suffix(3), ratio: 1, shouldStop: { false })) == [2])
            #expect(remote.validator != validator)
            // Nothing of the old one is left.
            #expect(try Self.mark(remote.tiles(Self.window, ratio: 1, shouldStop: { false })) == [2])
            if manner == "weak tag" { #expect(origin.requests.allSatisfy { $0.fields["if-match"] == nil }) }
        }
    }

    @Test func archiveThatNeverStaysTheSame_failsInTheEnd() throws {
        let file = ServedFile(Self.archive())
        let count = Atomic(0)
        try withRemote { seen in
            let number = count.wrappingAdd(1, ordering: .relaxed).newValue
            file.change {
                $0.knowsPreconditions = false
                $0.entityTag = "\"\(number)\""
            }
            return file.answer(seen)
        } _: { (origin, access) throws in
            let remote = try Self.remote(origin, access)
            let error = ResourceError.unavailable("trial 0/0/0: it keeps changing while it is being read")
            #expect(throws: error) { try remote.tile(TileCoordinate(z: 0, x: 0, y: 0)) }
            #expect(origin.requests.count == 6)
        }
    }

    // MARK: Freshness

    @Test func validator_learnsOfChanges_inTheBackground() throws {
        let clock = HandMovedClock()
        let file = ServedFile(Self.archive(mark: 1))
        file.change { $0.fields = ["Cache-Control: max-age=120"] }
        try Self.withArchive(file, clock: clock.clock) { (origin, access, remote) throws in
            let unopened = remote.validator
            try remote.open()
            let first = remote.validator
            #expect(unopened != first)
            clock.advance(by: .seconds(119))
            #expect(remote.validator == first)
            #expect(origin.requests.count == 1)
            clock.advance(by: .seconds(2))
            // What is known is told at once, and the origin asked.
            #expect(remote.validator == first)
            access.settle()
            #expect(origin.requests.count == 2)
            #expect(origin.requests.last?.fields["if-none-match"] == "\"a\"")
            #expect(remote.validator == first)
            file.change { ($0.bytes, $0.entityTag) = (Self.archive(mark: 2), "\"b\"") }
            clock.advance(by: .seconds(121))
            _ = remote.validator
            access.settle()
            #expect(remote.validator != first)
            #expect(try Self.mark(remote.tiles(Self.window, ratio: 1, shouldStop: { false })) == [2])
        }
    }

    @Test func failingOrigin_leavesWhatIsKnown() throws {
        let clock = HandMovedClock()
        let file = ServedFile(Self.archive(mark: 1))
        try Self.withArchive(file, clock: clock.clock) { (origin, access, remote) throws in
            let found = remote.tiles(Self.window, ratio: 1, shouldStop: { false })
            let validator = remote.validator
            file.change { $0.status = 500 }
            for _ in 0..<3 {
                clock.advance(by: .seconds(86_400))
                #expect(remote.validator == validator)
                access.settle()
                #expect(remote.validator == validator)
            }
            #expect(origin.requests.count > 3)
            let again = remote.tiles(Self.window, ratio: 1, shouldStop: { false })
            #expect(try Self.mark(again) == Self.mark(found))
        }
    }

    // MARK: Origins that misbehave

    @Test(arguments: [403, 503])
    func metadataThatCannotBeHad_areDoneWithout_andToldOfOnce(_ status: Int) throws {
        let log = RemoteLog()
        // Behind what comes with the header.
        let data = Self.archive(
            compresses: false, metadata: #"{"attribution": "somebody"}"# + String(repeating: " ", count: 30_000))
        let local = try PMTilesArchive(bytes: SharedBytes(data))
        let file = ServedFile(data)
        let start =
            "bytes=\(try PMTilesIndex(beginning: SharedBytes(data), archiveByteCount: 1 << 20).metadata.lowerBound)-"
        let clock = HandMovedClock()
        let isRefused = Atomic(true)
        try withRemote(clock: clock.clock, log: log) { seen in
            let isMetadata = seen.fields["range"]?.hasPrefix(start) == true
            return isMetadata && isRefused.load(ordering: .relaxed) ? .answer(status, "") : file.answer(seen)
        } _: { (origin, access) throws in
            let remote = try Self.remote(origin, access)
            try remote.open()
            try remote.open()
            #expect(log.lines == ["used without its metadata: trial: its origin answered with status \(status)"])
            #expect(remote.zooms == 0...4)
            #expect(throws: ResourceError.self) { try remote.details() }
            let id = TileCoordinate(z: 1, x: 1, y: 0)
            let place = try #require(TileID(z: 1, x: 1, y: 0))
            #expect(Self.byteArray(try remote.tile(id)) == Self.byteArray(try local.tile(place)))
            // What is drawn without an attribution is not what is drawn with it.
            let validator = remote.validator
            isRefused.store(false, ordering: .relaxed)
            clock.advance(by: .seconds(10))
            try remote.open()
            #expect(remote.attribution == "somebody" && remote.validator != validator)
        }
    }

    @Test func originWithoutRanges_isTakenWhole_upToALimit() throws {
        let file = ServedFile(Self.archive())
        file.change { $0.knowsRanges = false }
        try Self.withArchive(file) { (origin, _, remote) throws in
            #expect(try Self.mark(remote.tiles(Self.window, ratio: 1, shouldStop: { false })) == [0])
            #expect(origin.requests.count == 1)
        }
        var rules = RemoteAccess.Rules()
        rules.wholeArchiveByteCount = 1_000
        try Self.withArchive(file, access: rules) { (_, _, remote) throws in
            #expect(throws: ResourceError.failed("trial: it is larger than 1000 bytes")) { try remote.open() }
        }
    }

    @Test func originThatForgetsRanges_isRefused() throws {
        let file = ServedFile(Self.archive())
        try Self.withArchive(file) { (origin, _, remote) throws in
            try remote.open()
            file.change { $0.knowsRanges = false }
            let error = ResourceError.failed("trial 0/0/0: its origin does not support range requests")
            #expect(throws: error) { try remote.tile(TileCoordinate(z: 0, x: 0, y: 0)) }
        }
    }

    @Test func lengthThatIsNotTold_doesNotMatter() throws {
        let file = ServedFile(Self.archive() + [UInt8](repeating: 0, count: 20_000))
        file.change { $0.tellsLength = false }
        try Self.withArchive(file) { (_, _, remote) throws in
            #expect(try Self.mark(remote.tiles(Self.window, ratio: 1, shouldStop: { false })) == [0])
        }
    }

    @Test func wrongParts_areRefused_andTold() throws {
        let file = ServedFile(Self.archive())
        file.change { $0.shift = 1 }
        try Self.withArchive(file) { (origin, _, remote) throws in
            let error = ResourceError.failed("trial: its origin sent an invalid HTTP response")
            #expect(throws: error) { try remote.open() }
            // Remembered for a moment.
            #expect(throws: error) { try remote.open() }
            #expect(origin.requests.count == 1)
        }
    }

    @Test func partsThatBreakOff_areAskedForAgain_thenTold() throws {
        let file = ServedFile(Self.archive())
        file.change { $0.missing = 1 }
        try Self.withArchive(file) { (origin, _, remote) throws in
            #expect(throws: ResourceError.unavailable("trial: the connection broke")) { try remote.open() }
            #expect(origin.requests.count == 3)
        }
    }

    @Test(arguments: [
        ([UInt8]("no archive, but long enough to be one".utf8), "notPMTiles"),
        (Array(archive().prefix(100)), "malformed"),
        (Array(archive().prefix(200)), "malformedHeader"),
    ])
    func whatIsNoArchive_isTold(_ data: [UInt8], _ cause: String) throws {
        let file = ServedFile(data)
        try Self.withArchive(file) { (_, _, remote) throws in
            do throws(ResourceError) {
                try remote.open()
                Issue.record("it was opened")
            } catch {
                guard case .failed(let text) = error else { throw error }
                #expect(text.contains("trial: it is not a readable archive"))
                #expect(text.contains(cause))
            }
        }
    }

    @Test(arguments: [404, 403, 416])
    func statuses_areTold(_ status: Int) throws {
        let file = ServedFile(Self.archive())
        file.change { $0.status = status }
        try withRemote({ file.answer($0) }) { (origin, access) throws in
            let text =
                status == 404
                ? "trial: its origin does not have it (404)" : "trial: its origin answered with status \(status)"
            #expect(throws: ResourceError.failed(text)) { try Self.remote(origin, access).open() }
        }
    }

    @Test func slowOrigin_isWaitedForOnce() throws {
        var rules = OriginRules.trial
        rules.patience = .milliseconds(200)
        rules.backOff = .seconds(60)
        let log = RemoteLog()
        let file = ServedFile(Self.archive())
        file.change { $0.gate = "never" }
        try Self.withArchive(file, cache: rules, log: log) { (origin, access, remote) throws in
            let other = try Self.remote(origin, access, "/b.pmtiles")
            #expect(throws: ResourceError.unavailable("trial: it did not arrive in time")) { try remote.open() }
            // The same is still under way; of anything else the origin is spared.
            #expect(
                throws: ResourceError.unavailable("trial: its origin failed a moment ago and is not asked again yet")
            ) {
                try other.open()
            }
            // On a busy machine even the first may not have arrived.
            #expect(origin.requests.count <= 1)
            #expect(log.lines.count == 1)
            origin.release("never")
        }
    }

    @Test func pictureThatIsNotWanted_stopsWaiting() throws {
        let file = ServedFile(Self.archive())
        try Self.withArchive(file) { (origin, _, remote) throws in
            try remote.open()
            file.change { $0.gate = "never" }
            let found = remote.tiles(Self.window, ratio: 1, shouldStop: { origin.requests.count > 1 })
            #expect(found.values.allSatisfy { if case .failure(.cancelled) = $0 { true } else { false } })
            file.change { $0.gate = nil }
            // What was given up is asked for anew.
            #expect(try Self.mark(remote.tiles(Self.window, ratio: 1, shouldStop: { false })) == [0])
            origin.release("never")
        }
    }

    @Test func archiveAndTileThatAreNotWanted_stopWaiting() throws {
        let file = ServedFile(Self.archive())
        file.change { $0.gate = "never" }
        try Self.withArchive(file) { (origin, _, remote) throws in
            #expect(throws: ResourceError.cancelled) {
                try remote.details(shouldStop: { !origin.requests.isEmpty })
            }
            #expect(throws: ResourceError.cancelled) {
                try remote.open(shouldStop: { origin.requests.count > 1 })
            }
            file.change { $0.gate = nil }
            try remote.open()
            file.change { $0.gate = "never" }
            let count = origin.requests.count
            #expect(throws: ResourceError.cancelled) {
                try remote.storedTile(Self.window[0], shouldStop: { origin.requests.count > count })
            }
            file.change { $0.gate = nil }
            #expect(try remote.storedTile(Self.window[0]) != nil)
            origin.release("never")
        }
    }

    // MARK: Keys

    @Test func keys_areInNoErrorAndNoLog_andGoNowhereElse() throws {
        let log = RemoteLog()
        let elsewhere = ServedFile(Self.archive())
        let field = RemoteField(name: "X-Key", value: "secret-field")
        try withTrialOrigin({ elsewhere.answer($0) }) { other throws in
            let place = other.url("/b")
            try withRemote(log: log, allowing: ["http://127.0.0.1:\(other.port)"]) { _ in
                .redirect(place)
            } _: {
                (origin, access) throws in
                let url = try OriginURL(origin.url("/secret-path?key=secret-query"))
                let remote = RemotePMTiles(url, name: "trial", fields: [field], access: access)
                #expect(try Self.mark(remote.tiles(Self.window, ratio: 1, shouldStop: { false })) == [0])
                #expect(origin.requests.allSatisfy { $0.fields["x-key"] == "secret-field" })
                #expect(other.requests.count == origin.requests.count)
                #expect(other.requests.allSatisfy { $0.fields["x-key"] == nil && !$0.target.contains("secret") })
                elsewhere.change { $0.status = 500 }
                let late = TileCoordinate(z: 4, x: 15, y: 15)
                do throws(ResourceError) {
                    _ = try remote.tile(late)
                    Issue.record("it was had")
                } catch {
                    #expect(!"\(error)".contains("secret"))
                }
            }
            #expect(!log.lines.joined().contains("secret"))
        }
    }

    @Test func redirectsToOthers_areRefused() throws {
        try withRemote({ _ in .redirect("http://localhost:1/a") }) { (origin, access) throws in
            let text = "trial: its origin is not on the list of allowed servers"
            #expect(throws: ResourceError.failed(text)) { try Self.remote(origin, access).open() }
        }
    }
}
