import ServiceConfiguration
import TestSupport
import Testing

/// What one client can take from others, over the wire. Clients are told apart by what their proxy, which is this test, says of
/// them.
@Suite(.timeLimit(.minutes(5))) struct ClientShareTests {
    private static let mallory = "X-Forwarded-For: 198.51.100.1"
    private static let alice = "X-Forwarded-For: 203.0.113.9"
    private static let carol = "X-Forwarded-For: 203.0.113.77"
    private static let picture = "/asset?id=a.png&width=40&format=webp"

    private func withService(
        _ adjust: (inout Configuration) -> Void, _ body: (RunningService, WireClient) throws -> Void
    ) throws {
        let (_, service, client) = try RunningService.withPictures { configuration in
            configuration.trustedProxies = TrustedProxies(["127.0.0.0/8"]) ?? .none
            adjust(&configuration)
        }
        try body(service, client)
    }

    private static func small(_ number: Int) -> String { "/asset?id=a.png&width=\(50 + number)&format=png" }

    // MARK: The queue

    /// A worker that draws something long for Mallory, after the targets in `before` were asked for with HEAD, until `free` is
    /// called, and a queue for three jobs.
    private func withBusyWorker(
        before: [String] = [],
        _ body: (_ service: RunningService, _ observer: WireClient, _ free: () -> Void) throws -> Void
    ) throws {
        try withService({ ($0.workers, $0.queue) = (1, 3) }) { service, observer in
            for target in before { #expect(try observer.get(target, method: "HEAD").code == 200) }
            var busy: WireClient? = try WireClient(service.address)
            busy?.request(
                "/map?latitude=20&longitude=10&zoom=3&width=4096&height=4096&format=avif&quality=90", Self.mallory)
            #expect(eventually { (try? observer.metric("veduta_renders_total{route=\"map\"}")) == 1 })
            try body(service, observer, { busy = nil })
        }
    }

    /// Mallory's, one after the other in the queue.
    private func crowd(_ targets: [String], _ service: RunningService, _ observer: WireClient) throws -> [WireClient] {
        let crowd = try targets.map { _ in try WireClient(service.address) }
        for (index, target) in targets.enumerated() {
            crowd[index].request(target, Self.mallory)
            #expect(eventually { (try? observer.metric("veduta_jobs_queued")) == index + 1 })
        }
        return crowd
    }

    /// #17: whoever had filled the queue kept everybody else out.
    @Test func queueThatOneAddressFilled_hasRoomForAnother() throws {
        try withBusyWorker { service, observer, free in
            let crowd = try crowd((0..<3).map(Self.small), service, observer)
            let alice = try WireClient(service.address)
            alice.request(Self.picture, Self.alice)
            #expect(eventually { (try? observer.metric("veduta_refused_jobs_total")) == 1 })
            free()
            #expect(try alice.read().code == 200)
            #expect(try crowd.map { try $0.read().code }.sorted() == [200, 200, 503])
        }
    }

    /// #17: whoever asked for a picture first decided when all others got it, and whether.
    @Test func pictureThatABusyAddressAskedForFirst_comesInTheTurnOfWhoAsksNext() throws {
        try withBusyWorker { service, observer, free in
            let crowd = try crowd([Self.small(0), Self.small(1), Self.picture], service, observer)
            let (alice, carol) = (try WireClient(service.address), try WireClient(service.address))
            alice.request(Self.picture, Self.alice)
            #expect(eventually { (try? observer.metric("veduta_cache_collapsed_total")) == 1 })
            carol.request(Self.small(2), Self.carol)
            #expect(eventually { (try? observer.metric("veduta_refused_jobs_total")) == 1 })
            free()
            #expect(try alice.read().code == 200)
            #expect(try carol.read().code == 200)
            #expect(try crowd.map { try $0.read().code } == [200, 503, 200])
        }
    }

    /// Lists whose answers are there, and whose images are not.
    private static func list(_ number: Int) -> String { "/srcset?id=a.png&widths=\(10 + number)&formats=png" }

    /// Whether images are made ahead.
    private static func told(_ target: String, _ client: String, _ observer: WireClient) throws -> String? {
        let answer = try observer.get(target, client)
        #expect(answer.code == 200 && answer.text.contains("/asset?id="), "\(answer.text)")
        return answer.field("Veduta-Prepare")
    }

    /// 64 lists wait to have their images made ahead. One more of a client that has them all is answered all the same, and told that its
    /// images are not; one of another client takes a place of it.
    @Test func listsBeyondTheQueue_areAnswered_andNotMadeAhead() throws {
        let limit = 64
        let lists = (0..<limit + 2).map(Self.list)
        try withBusyWorker(before: lists) { (_, observer, free) throws in
            let told: (String, String) throws -> String? = { try Self.told($0, $1, observer) }
            for target in lists.prefix(limit) { #expect(try told(target, Self.mallory) == "queued") }
            #expect(try told(lists[limit], Self.mallory) == "full")
            #expect(try observer.metric("veduta_prepare_dropped_total") == 1)
            #expect(try told(lists[limit + 1], Self.alice) == "queued")
            #expect(try observer.metric("veduta_prepare_dropped_total") == 2)
            #expect(try observer.metric("veduta_prepare_queued_total") == limit + 2)
            #expect(try observer.metric("veduta_prepare_made_total") == 0)
            free()
            #expect(eventually { (try? observer.metric("veduta_prepare_made_total")) == limit })
            // There is room again.
            #expect(try told(lists[limit], Self.mallory) == "queued")
            #expect(eventually { (try? observer.metric("veduta_prepare_made_total")) == limit + 1 })
            #expect(try observer.metric("veduta_prepare_dropped_total") == 2)
        }
    }

    // MARK: Memory

    /// Images of some 10 MB, of which one client may hold one: 16 MB may be still to be sent.
    private func withLittleMemory(_ body: (RunningService, WireClient) throws -> Void) throws {
        try withService({ ($0.cacheMemory, $0.renderMemory) = (0, 64 << 20) }, body)
    }

    /// Asks for a large image of its own, and does not read it.
    private func reader(_ number: Int, of client: String, _ service: RunningService) throws -> WireClient {
        let reader = try WireClient(service.address)
        let size = "width=\(2000 + number)&height=1700&fit=cover&enlarge=1"
        reader.request("/asset?id=a.png&\(size)&filter=noise:100&format=png", client)
        return reader
    }

    /// #17: two slow readers of one address were enough to keep everybody's images from being made.
    @Test func clientThatDoesNotRead_leavesRoomForImagesOfOthers() throws {
        try withLittleMemory { service, observer in
            let readers = try (0..<3).map { try reader($0, of: Self.mallory, service) }
            #expect(
                eventually { (try? observer.metric("veduta_refused_jobs_total")) == 2 }, "one of them holds its image")
            #expect(eventually { (try? observer.get(Self.picture, Self.alice))?.code == 200 })
            let refused = try observer.get(Self.picture, Self.mallory)
            #expect(refused.code == 503 && refused.field("Retry-After") != nil)
            #expect(try observer.get(Self.small(0), Self.alice).code == 200)
            withExtendedLifetime(readers) {}
        }
    }

    /// #17: eight slow readers of large images of their own held 800 MB.
    @Test func imagesThatAreNotRead_keepNoMoreFromBeingMade_untilTheyAreGone() throws {
        try withLittleMemory { service, observer in
            var readers = [try reader(0, of: Self.mallory, service), try reader(1, of: Self.alice, service)]
            #expect(eventually { (try? observer.get(Self.picture, Self.carol))?.code == 503 })
            let refused = try observer.get(Self.picture, Self.carol)
            #expect(refused.code == 503 && refused.field("Retry-After") != nil)
            #expect(try observer.get("/health/live").code == 200)
            #expect(readers.count == 2)
            readers = []
            #expect(eventually { (try? observer.get(Self.picture, Self.carol))?.code == 200 })
        }
    }

    private static let postLimit = 2 << 20

    /// A request for a small map, of so many bytes.
    private static func post(_ byteCount: Int, _ client: String) -> [UInt8] {
        let start = #"{"latitude": 48, "longitude": 11, "zoom": 5, "size": "64x64", "format": "png""#
        let content = start + String(repeating: " ", count: byteCount - start.utf8.count - 1) + "}"
        let lines = [
            "POST /map HTTP/1.1", "Host: veduta.test", "Content-Type: application/json", "Content-Length: \(byteCount)",
            client, "", content,
        ]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    /// #17: 33 contents of one address that never ended took all of the 64 MiB.
    @Test func contentsOfOneClient_leaveRoomForThoseOfOthers() throws {
        try withService({ $0.minimumRate = 0 }) { service, observer in
            let unfinished = Self.post(Self.postLimit, Self.mallory).dropLast()
            let posts = try (0..<40).map { _ in
                let client = try WireClient(service.address)
                client.send(Array(unfinished))
                return client
            }
            func code(_ byteCount: Int, of client: String) throws -> Int {
                let poster = try WireClient(service.address)
                poster.send(Self.post(byteCount, client))
                return try poster.read().code
            }
            #expect(eventually { (try? code(Self.postLimit, of: Self.mallory)) == 503 })
            #expect(try code(Self.postLimit / 2, of: Self.alice) == 200)
            withExtendedLifetime(posts) {}
        }
    }
}
