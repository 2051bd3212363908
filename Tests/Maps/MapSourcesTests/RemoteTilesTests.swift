import Bytes
import HTTPMessage
import MapRender
import MapStyle
import MapTestKit
import Origin
import OriginCache
import Reactor
import Testing
import FakeOrigin

@testable import MapSources

/// Tiles by templates on other servers, by real requests.
@Suite(.timeLimit(.minutes(5))) struct RemoteTilesTests {
    private static func tiles(
        _ origin: FakeOrigin, _ access: RemoteAccess, _ target: String = "/{z}/{x}/{y}.png",
        kind: SourceKind = .raster,
        _ adjust: (inout RemoteTilesSettings) -> Void = { _ in }
    ) throws -> RemoteTiles {
        var settings = RemoteTilesSettings(label: "trial", kind: kind, templates: [origin.url(target)])
        adjust(&settings)
        return try RemoteTiles(settings, access: access)
    }

    private static let first = TileCoordinate(z: 1, x: 0, y: 1)

    private static func text(_ bytes: SharedBytes?) -> String? {
        bytes.map { $0.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
    }

    // MARK: Requests

    @Test func tilesOfAPicture_comeTogether_butFewAtATime() throws {
        // The fetcher waits for the first answer, which tells whether one connection is enough (HTTP/2).
        try withRemote { seen in
            (seen.target == "/5/0/3.png" ? [] : [.wait("go")]) + .answer(200, seen.target)
        } _: { (origin, access) throws in
            let tiles = try Self.tiles(origin, access)
            let ids = (0..<20).map { TileCoordinate(z: 5, x: $0, y: 3) }
            let watcher = try OwnedThread.start(name: "watcher") {
                origin.waitForRequests(7)
                origin.release("go")
            }
            let found = tiles.tiles(ids, ratio: 1, shouldStop: { false })
            watcher.join()
            for id in ids { #expect(try Self.text(found[id]?.get() ?? nil) == "/5/\(id.x)/3.png") }
            #expect(origin.requests.count == 20)
            #expect(origin.connectionCount == 6)
        }
    }

    @Test func templates_areFilledIn() throws {
        try withRemote({ seen in .answer(200, seen.target) }) { (origin, access) throws in
            func target(_ template: String, ratio: Double = 1, _ adjust: (inout RemoteTilesSettings) -> Void = { _ in })
                throws -> String?
            {
                let tiles = try Self.tiles(origin, access, template, adjust)
                return Self.text(
                    try tiles.tiles([Self.first], ratio: ratio, shouldStop: { false })[Self.first]?.get() ?? nil)
            }
            #expect(try target("/{z}/{x}/{y}{ratio}.png", ratio: 2) == "/1/0/1@2x.png")
            #expect(try target("/{z}/{x}/{y}{ratio}.png") == "/1/0/1.png")
            #expect(try target("/{z}/{x}/{y}") { $0.isTMS = true } == "/1/0/0")
            #expect(try target("/{-y}?{quadkey}") == "/0?2")
            #expect(try target("/{s}") { $0.subdomains = ["one", "two"] } == "/two")
            #expect(try target("/{s}") == "/b")
        }
    }

    @Test func whatIsOutside_isNotAskedFor() throws {
        try withRemote({ _ in .answer() }) { (origin, access) throws in
            let tiles = try Self.tiles(origin, access) {
                $0.minZoom = 1
                $0.maxZoom = 2
                $0.bounds = [0, 0, 90, 60]
            }
            #expect(tiles.zooms == 1...2)
            for id in [(0, 0, 0), (3, 4, 3), (2, 0, 0), (2, 2, 2)].map(TileCoordinate.init(z:x:y:)) {
                #expect(try tiles.tile(id) == nil)
            }
            #expect(origin.requests.isEmpty)
            #expect(try tiles.tile(TileCoordinate(z: 2, x: 2, y: 1)) != nil)
        }
    }

    @Test(arguments: ["ftp://host/{z}", "/{z}", "https://user:x@host/{z}", ""])
    func templatesThatLeadNowhere_areAProblem(_ template: String) throws {
        try withRemote { _ in
            .answer()
        } _: { (_, access) throws in
            let settings = RemoteTilesSettings(label: "trial", kind: .raster, templates: [template])
            #expect(throws: SourceProblem.self) { try RemoteTiles(settings, access: access) }
            #expect(RemoteTiles(TileTemplates([template]), access: access) == nil)
        }
    }

    // MARK: Freshness

    /// The tile after some time, by what the origin says of it; and how often the origin was asked.
    private func course(
        _ lines: [String], _ waits: [Int], status: @escaping @Sendable (Int) -> Int = { _ in 200 }
    ) throws -> (texts: [String], requests: [FakeOrigin.Seen]) {
        let clock = HandMovedClock()
        let counter = Counter()
        var texts: [String] = []
        var requests: [FakeOrigin.Seen] = []
        try withRemote(clock: clock.clock) { seen in
            let number = counter.next()
            let code = status(number)
            let isConditional = seen.fields["if-none-match"] != nil || seen.fields["if-modified-since"] != nil
            let content = code == 200 ? "tile \(number)" : ""
            let head = ["HTTP/1.1 \(code == 200 && isConditional ? 304 : code) Reason"] + lines
            let length = code == 200 && isConditional ? [] : ["Content-Length: \(content.utf8.count)"]
            let text = (head + length).joined(separator: "\r\n") + "\r\n\r\n"
            return [.text(code == 200 && isConditional ? text : text + content)]
        } _: { (origin, access) throws in
            let tiles = try Self.tiles(origin, access)
            for wait in [0] + waits {
                clock.advance(by: .seconds(wait))
                do throws(ResourceError) {
                    texts.append(Self.text(try tiles.tile(Self.first)) ?? "none")
                } catch {
                    texts.append("failed")
                }
                access.settle()
            }
            requests = origin.requests
        }
        return (texts, requests)
    }

    @Test func freshTiles_costNothing_thenAreAskedAbout() throws {
        let (texts, requests) = try course(["Cache-Control: max-age=60", "ETag: \"a\""], [59, 2, 59])
        #expect(texts == ["tile 1", "tile 1", "tile 1", "tile 1"])
        #expect(requests.map { $0.fields["if-none-match"] } == [nil, "\"a\""])
    }

    @Test func sharedMaxAge_goesBeforeMaxAge_andAgeIsTakenOff() throws {
        let (texts, _) = try course(["Cache-Control: max-age=1000, s-maxage=100", "Age: 50"], [49, 2])
        #expect(texts == ["tile 1", "tile 1", "tile 2"])
    }

    @Test func expires_counts() throws {
        let start: Int64 = 1_800_000_000
        let (texts, _) = try course(
            ["Date: \(HTTPDate.text(start))", "Expires: \(HTTPDate.text(start + 100))"], [99, 2])
        #expect(texts == ["tile 1", "tile 1", "tile 2"])
    }

    @Test func withoutAWord_thereIsADefault() throws {
        let (texts, requests) = try course(["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"], [3_599, 86_402])
        #expect(texts == ["tile 1", "tile 1", "tile 1"])
        #expect(requests.map { $0.fields["if-modified-since"] != nil } == [false, true])
    }

    @Test(arguments: [
        ("max-age=0", 9, 1), ("max-age=0", 11, 2), ("max-age=99999999", 604_799, 1), ("max-age=99999999", 604_801, 2),
    ])
    func lifetimes_haveBounds(_ directive: String, _ wait: Int, _ count: Int) throws {
        #expect(try course(["Cache-Control: \(directive)"], [wait]).requests.count == count)
    }

    @Test(arguments: ["no-store", "private"])
    func whatMustNotBeKept_isNot(_ directive: String) throws {
        let (texts, requests) = try course(["Cache-Control: \(directive)", "ETag: \"a\""], [0, 0])
        #expect(texts == ["tile 1", "tile 2", "tile 3"])
        #expect(requests.allSatisfy { $0.fields["if-none-match"] == nil })
    }

    @Test func noCache_isAskedAboutEachTime() throws {
        let (texts, requests) = try course(["Cache-Control: no-cache, max-age=60", "ETag: \"a\""], [0, 0])
        #expect(texts == ["tile 1", "tile 1", "tile 1"])
        #expect(requests.count == 3)
    }

    @Test func staleTiles_areUsedWhileTheOriginIsAsked_whereItSaysSo() throws {
        let (texts, requests) = try course(["Cache-Control: max-age=60, stale-while-revalidate=60"], [61, 1])
        #expect(texts == ["tile 1", "tile 1", "tile 2"])
        #expect(requests.count == 2)
    }

    @Test func staleTiles_standInForThoseThatCannotBeHad() throws {
        let (texts, requests) = try course(["Cache-Control: max-age=60"], [61, 10, 604_800]) { $0 == 1 ? 200 : 500 }
        #expect(texts == ["tile 1", "tile 1", "tile 1", "failed"])
        // None while the failure is fresh; then three attempts, or fewer where the fetcher's circuit breaker opens.
        #expect((5...7).contains(requests.count))
        let strict = try course(["Cache-Control: max-age=60, must-revalidate"], [61]) { $0 == 1 ? 200 : 500 }
        #expect(strict.texts == ["tile 1", "failed"])
    }

    // MARK: What is not there

    @Test func missingTiles_areRemembered() throws {
        let (texts, requests) = try course([], [299, 2]) { _ in 404 }
        #expect(texts == ["none", "none", "none"])
        #expect(requests.count == 2)
    }

    @Test func emptyTiles_areThere_andRemembered() throws {
        let (texts, requests) = try course([], [299]) { _ in 204 }
        #expect(texts == ["", ""])
        #expect(requests.count == 1)
    }

    @Test func failures_areRemembered_forAMoment() throws {
        let (texts, requests) = try course([], [4, 2]) { _ in 403 }
        #expect(texts == ["failed", "failed", "failed"])
        #expect(requests.count == 2)
    }

    @Test(arguments: [429, 503])
    func originThatAsksForPatience_getsIt(_ status: Int) throws {
        let clock = HandMovedClock()
        try withRemote(clock: clock.clock) { _ in
            .answer(status, "", "Retry-After: 120")
        } _: { (origin, access) throws in
            let tiles = try Self.tiles(origin, access)
            let ids = (0..<10).map { TileCoordinate(z: 5, x: $0, y: 3) }
            _ = tiles.tiles(ids, ratio: 1, shouldStop: { false })
            // Those that were under way; what waited for its turn is not sent.
            let count = origin.requests.count
            #expect(count <= 6)
            clock.advance(by: .seconds(119))
            let text = "trial 1/0/1: its origin failed a moment ago and is not asked again yet"
            #expect(throws: ResourceError.unavailable(text)) { try tiles.tile(Self.first) }
            #expect(origin.requests.count == count)
            clock.advance(by: .seconds(2))
            #expect(throws: ResourceError.self) { try tiles.tile(Self.first) }
        }
    }

    @Test func deadOrigin_doesNotMakeEachTileWait() throws {
        var rules = OriginRules.trial
        rules.patience = .milliseconds(200)
        rules.backOff = .seconds(60)
        try withRemote(cache: rules, { _ in [.wait("never")] }) { (origin, access) throws in
            let tiles = try Self.tiles(origin, access)
            let ids = (0..<30).map { TileCoordinate(z: 5, x: $0, y: 3) }
            let found = tiles.tiles(ids, ratio: 1, shouldStop: { false })
            #expect(found.values.allSatisfy { if case .failure(.unavailable) = $0 { true } else { false } })
            #expect(throws: ResourceError.self) { try tiles.tile(Self.first) }
            #expect(origin.requests.count <= 6)
            origin.release("never")
        }
    }

    // MARK: Content

    @Test func tilesForAMap_comeCompressed_andNoneIsLongerThanInAnArchive() throws {
        let packed = gzipStored(Array("vector".utf8))
        try withRemote { seen in
            if seen.target.hasPrefix("/2/") {
                return [.text("HTTP/1.1 200 OK\r\nContent-Length: 16777217\r\n\r\n"), .filler(16_777_217)]
            }
            return [.text("HTTP/1.1 200 OK\r\nContent-Length: \(packed.count)\r\n\r\n"), .bytes(packed)]
        } _: { (origin, access) throws in
            let tiles = try Self.tiles(origin, access, "/{z}/{x}/{y}.pbf", kind: .vector)
            let long = TileCoordinate(z: 2, x: 0, y: 1)
            let found = tiles.packedTiles([Self.first, long], ratio: 1, shouldStop: { false })
            let first = try #require(try found[Self.first]?.get() ?? nil)
            #expect(first.withUnsafeBytes(Array.init) == packed)
            #expect(Self.text(try tiles.tile(Self.first)) == "vector")
            let error = ResourceError.failed("trial 2/0/1: it is larger than 16777216 bytes")
            #expect(throws: error) { try found[long]?.get() }
        }
    }

    @Test func compressedTiles_areDecompressed_butKeptAsTheyAre() throws {
        let packed = gzipStored(Array("vector".utf8))
        try withRemote { seen in
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
            return [.text(head), .bytes(packed)]
        } _: { (origin, access) throws in
            let tiles = try Self.tiles(origin, access, "/{z}/{x}/{y}.pbf", kind: .vector)
            #expect(Self.text(try tiles.tile(Self.first)) == "vector")
            let stored = try #require(try tiles.storedTile(Self.first))
            #expect(stored.encoding == .gzip)
            #expect(stored.content.count == packed.count)
            #expect(origin.requests.map { $0.fields["accept-encoding"] } == ["gzip"])
            #expect(Self.text(try access.bytes(at: origin.url("/style.json"))) == "vector")
        }
    }

    @Test func whatIsTooLarge_isRefused_asItComesAndDecompressed() throws {
        let packed = gzipStored([UInt8](repeating: 0, count: 60_000), stating: 1 << 30)
        var rules = RemoteAccess.Rules()
        rules.byteLimit = 60_010
        try withRemote(access: rules) { seen in
            switch seen.target {
            case "/endless": [.text("HTTP/1.1 200 OK\r\n\r\n"), .endless]
            case "/stated": [.text("HTTP/1.1 200 OK\r\nContent-Length: 60011\r\n\r\n"), .filler(60_011)]
            default: [.text("HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n"), .bytes(Array(packed.prefix(60_000)))]
            }
        } _: { (origin, access) throws in
            for target in ["/endless", "/stated"] {
                let url = origin.url(target)
                #expect(throws: ResourceError.failed("\(origin.url("")): it is larger than 60010 bytes")) {
                    try access.bytes(at: url)
                }
            }
            let text = "\(origin.url("")): it cannot be decompressed, or has more than 60010 bytes"
            #expect(throws: ResourceError.failed(text)) { try access.bytes(at: origin.url("/packed")) }
        }
    }

    @Test func documents_areHadByTheirAddress_withoutTheirKeysInErrors() throws {
        try withRemote { seen in
            seen.target.hasPrefix("/there") ? .answer(200, "{}") : .answer(seen.target == "/no" ? 404 : 500, "")
        } _: {
            (origin, access) throws in
            #expect(Self.text(try access.bytes(at: origin.url("/there?key=secret"))) == "{}")
            #expect(try access.bytes(at: origin.url("/no")) == nil)
            let error = ResourceError.unavailable("\(origin.url("")): its origin answered with status 500")
            #expect(throws: error) { try access.bytes(at: origin.url("/secret/broken?key=secret")) }
            #expect(throws: ResourceError.failed("https://host: no address that may be fetched (credentials)")) {
                try access.bytes(at: "https://user:secret@host/secret?key=secret")
            }
            #expect(throws: ResourceError.failed("nothing: no address that may be fetched (scheme)")) {
                try access.bytes(at: "nothing?key=secret")
            }
        }
    }

    @Test func documentThatIsNotWanted_stopsWaiting() throws {
        try withRemote { _ in
            [FakeOrigin.Step.wait("go")] + .answer(200, "{}")
        } _: { (origin, access) throws in
            let (url, other) = (origin.url("/t.json"), origin.url("/other"))
            #expect(throws: ResourceError.cancelled) {
                try access.bytes(at: url, shouldStop: { !origin.requests.isEmpty })
            }
            // Nothing is asked for where nobody waits from the start.
            #expect(throws: ResourceError.cancelled) { try access.bytes(at: other, shouldStop: { true }) }
            #expect(origin.requests.map(\.target) == ["/t.json"])
            origin.release("go")
            #expect(Self.text(try access.bytes(at: url)) == "{}")
            // What is at hand is given even so.
            #expect(Self.text(try access.bytes(at: url, shouldStop: { true })) == "{}")
        }
    }

    @Test func storedTileThatIsNotWanted_stopsWaiting() throws {
        try withRemote { _ in
            [FakeOrigin.Step.wait("go")] + .answer(200, "tile")
        } _: { (origin, access) throws in
            let tiles = try Self.tiles(origin, access)
            #expect(throws: ResourceError.cancelled) {
                try tiles.storedTile(Self.first, shouldStop: { !origin.requests.isEmpty })
            }
            #expect(throws: ResourceError.cancelled) {
                try tiles.tile(Self.first, shouldStop: { origin.requests.count > 1 })
            }
            origin.release("go")
            #expect(try tiles.storedTile(Self.first)?.content.count == 4)
        }
    }

    @Test func memory_isBounded() throws {
        var rules = OriginRules.trial
        rules.byteCapacity = 100_000
        try withRemote(cache: rules) { _ in
            .answer(200, String(repeating: "x", count: 5_000))
        } _: { (origin, access) throws in
            let tiles = try Self.tiles(origin, access)
            for x in 0..<64 { #expect(try tiles.tile(TileCoordinate(z: 6, x: x, y: 0))?.count == 5_000) }
            #expect(access.cache.counts.heldByteCount <= 100_000)
            #expect(access.cache.counts.heldByteCount > 50_000)
        }
    }

    @Test func validator_changesByTheDay_andWithTheTemplates() throws {
        let clock = HandMovedClock(unixSeconds: 86_400 * 20_000)
        try withRemote(clock: clock.clock, { _ in .answer() }) { (origin, access) throws in
            let (one, other) = (try Self.tiles(origin, access), try Self.tiles(origin, access, "/b/{z}/{x}/{y}"))
            let first = one.validator
            #expect(first != other.validator)
            clock.advance(by: .seconds(86_399))
            #expect(one.validator == first)
            clock.advance(by: .seconds(1))
            #expect(one.validator != first)
            #expect(origin.requests.isEmpty)
        }
    }
}

/// Counts from 1.
private final class Counter: Sendable {
    private let number = Monitor(0)

    func next() -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }
}
