import Glibc
import Reactor
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// Pictures on disk: kept over a restart, shared by processes, never wrong.
@Suite(.timeLimit(.minutes(5))) struct DiskTierTests {
    private static let picture = CachingService.picture
    /// Larger than what a store reads into memory: noise that PNG cannot make small.
    private static let large = "/asset?id=noise.png&format=png"

    /// A service on `folder`; each one counts from 0.
    private func withService<Result>(
        _ pictures: PictureFolder, _ folder: CacheFolder, _ adjust: (inout Configuration) -> Void = { _ in },
        _ body: (WireClient) throws -> Result
    ) throws -> Result {
        let (_, _, client) = try RunningService.withPictures(in: pictures) { configuration in
            configuration.cacheDirectory = folder.path
            adjust(&configuration)
        }
        return try body(client)
    }

    private static func addNoise(to pictures: PictureFolder) throws {
        var pixels: [UInt8] = []
        var state: UInt32 = 12345
        for _ in 0..<(400 * 300) {
            for _ in 0..<3 {
                state = state &* 1_664_525 &+ 1_013_904_223
                pixels.append(UInt8(truncatingIfNeeded: state >> 24))
            }
            pixels.append(255)
        }
        try pictures.add("noise.png", PictureFolder.encoded(pixels, 400, 300))
    }

    @Test func picture_outlivesTheProcess() throws {
        let (pictures, folder) = (try PictureFolder(), try CacheFolder())
        let made = try withService(pictures, folder) { client in
            let made = try client.get(Self.picture)
            #expect(eventually { folder.entries.count == 1 })
            return made
        }
        try withService(pictures, folder) { client in
            let found = try client.get(Self.picture)
            #expect(found.cacheStatus == "hit; ttl=1")
            #expect(found.content == made.content)
            #expect(found.stableHead == made.stableHead)
            #expect(try client.metric("veduta_renders_total{route=\"asset\"}") == 0)
            #expect(try client.metric("veduta_cache_late_hits_total") == 1)
            #expect(try client.get(Self.picture).cacheStatus == "hit; ttl=1")
            // The first hit put it into memory.
            #expect(try client.metric("veduta_cache_disk_hits_total") == 1)
            #expect(try client.metric("veduta_cache_hits_total") == 1)
        }
    }

    @Test func onlyIfCached_findsWhatIsOnDisk_andWhatIsNot() throws {
        let (pictures, folder) = (try PictureFolder(), try CacheFolder())
        try withService(pictures, folder) { client in
            _ = try client.get(Self.picture)
            #expect(eventually { folder.entries.count == 1 })
        }
        try withService(pictures, folder) { client in
            let found = try client.get(Self.picture, "Cache-Control: only-if-cached")
            #expect(found.code == 200)
            let none = try client.get("/asset?id=b.png&width=40", "Cache-Control: only-if-cached")
            #expect(none.code == 504)
            #expect(try client.metric("veduta_renders_total{route=\"asset\"}") == 0)
        }
    }

    @Test func largePicture_isSentFromItsFile_wholeAndInParts() throws {
        let (pictures, folder) = (try PictureFolder(), try CacheFolder())
        try Self.addNoise(to: pictures)
        // No memory tier: every hit comes from the file.
        let made = try withService(pictures, folder, { $0.cacheMemory = 0 }) { client in
            let made = try client.get(Self.large)
            #expect(eventually { folder.entries.count == 1 })
            return made
        }
        #expect(made.content.count > 256 << 10)
        try withService(pictures, folder, { $0.cacheMemory = 0 }) { client in
            let found = try client.get(Self.large)
            #expect(found.cacheStatus == "hit; ttl=1")
            #expect(found.content == made.content)
            #expect(found.stableHead == made.stableHead)
            let head = try client.get(Self.large, method: "HEAD")
            #expect(head.stableHead == made.stableHead)
            let part = try client.get(Self.large, "Range: bytes=1000-300999")
            #expect(part.code == 206)
            #expect(part.content == Array(made.content[1000..<301_000]))
            let last = try client.get(Self.large, "Range: bytes=-5", "If-Range: \(made.field("ETag") ?? "")")
            #expect(last.content == Array(made.content.suffix(5)))
            let parts = try client.get(Self.large, "Range: bytes=0-9,200000-200009")
            #expect(parts.code == 206)
            #expect(parts.field("Content-Type")?.hasPrefix("multipart/byteranges") == true)
            #expect(try client.metric("veduta_renders_total{route=\"asset\"}") == 0)
            #expect(client.isKept())
        }
    }

    /// Each look by a worker waits in its queue, which is counted.
    private static func lookCount(_ client: WireClient) throws -> Int {
        try client.metric("veduta_render_queue_duration_seconds_count{route=\"asset\"}")
    }

    /// Asks until a hit needs no worker: an entry is trusted when it is some seconds old.
    private static func awaitTrust(in target: String, _ client: WireClient) throws -> Bool {
        eventually {
            guard let before = try? lookCount(client), (try? client.get(target)) != nil else { return false }
            return (try? lookCount(client)) == before
        }
    }

    @Test(arguments: [picture, large])
    func verifiedPicture_isServedByTheLoop_andDamageIsNoticed(_ target: String) throws {
        let (pictures, folder) = (try PictureFolder(), try CacheFolder())
        try Self.addNoise(to: pictures)
        // Looks at the source need a worker too.
        try withService(pictures, folder, { ($0.cacheMemory, $0.sourceLifetime) = (0, 3600) }) { client in
            let made = try client.get(target)
            #expect(eventually { folder.entries.count == 1 })
            #expect(try Self.awaitTrust(in: target, client))
            let looks = try Self.lookCount(client)
            for _ in 0..<3 {
                let found = try client.get(target)
                #expect(found.cacheStatus.hasPrefix("hit") && found.content == made.content)
                #expect(found.stableHead == made.stableHead)
                let part = try client.get(target, "Range: bytes=5-24")
                #expect(part.code == 206 && part.content == Array(made.content[5...24]))
                #expect(try client.get(target, method: "HEAD").stableHead == made.stableHead)
            }
            #expect(try Self.lookCount(client) == looks)
            #expect(try client.metric("veduta_renders_total{route=\"asset\"}") == 1)
            // The file is open and trusted; half of it is lost.
            let path = try #require(folder.entries.first)
            truncate(path, made.content.count / 2)
            #expect(try client.get(target).content == made.content)
            #expect(try client.metric("veduta_cache_disk_corrupt_total") == 1)
            #expect(try client.metric("veduta_renders_total{route=\"asset\"}") == 2)
        }
    }

    /// What the kernel was told to send, and is gone, cannot be made good: the connection ends short of the length, so that the
    /// client sees it.
    @Test func fileCutWhileItIsSent_breaksTheConnection_andTheNextAnswerIsWhole() throws {
        let (pictures, folder) = (try PictureFolder(), try CacheFolder())
        try Self.addNoise(to: pictures)
        let service = try RunningService(pictures: pictures) { configuration in
            configuration.cacheDirectory = folder.path
            configuration.cacheMemory = 0
        }
        let observer = try WireClient(service.address)
        let made = try observer.get(Self.large)
        #expect(eventually { folder.entries.count == 1 })
        #expect(try Self.awaitTrust(in: Self.large, observer))
        let path = try #require(folder.entries.first)
        // More answers than the buffers of the sockets hold, of which nobody reads one yet.
        let client = try WireClient(service.address)
        let hits = try observer.metric("veduta_cache_late_hits_total")
        for _ in 0..<64 { client.request(Self.large) }
        #expect(eventually { ((try? observer.metric("veduta_cache_late_hits_total")) ?? 0) > hits })
        // At the end of a page, as the kernel zeroes what is left of one, also where it is being sent.
        truncate(path, 65536)
        var wholeCount = 0
        while wholeCount < 64, let answer = try? client.read() {
            #expect(answer.content == made.content)
            wholeCount += 1
        }
        #expect(wholeCount < 64)
        #expect(!client.isKept())
        #expect(try observer.get(Self.large).content == made.content)
        #expect(try observer.metric("veduta_cache_disk_corrupt_total") == 1)
    }

    @Test func twoServicesOnOneFolder_makeAPictureOnce() throws {
        let (pictures, folder) = (try PictureFolder(), try CacheFolder())
        let services = try (0..<2).map { _ in
            try RunningService(pictures: pictures) { $0.cacheDirectory = folder.path }
        }
        let clients = try services.flatMap { service in try (0..<4).map { _ in try WireClient(service.address) } }
        for width in [600, 700, 800] {
            for client in clients { client.request("/asset?id=a.png&width=\(width)&enlarge=1&format=webp") }
            let answers = try clients.map { try $0.read() }
            #expect(answers.allSatisfy { $0.code == 200 })
            #expect(Set(answers.map(\.content)).count == 1)
        }
        let renders = try clients.indices.filter { $0 % 4 == 0 }.map {
            try clients[$0].metric("veduta_renders_total{route=\"asset\"}")
        }
        #expect(renders.reduce(0, +) == 3)
    }

    @Test func damagedFile_isMadeAnew_andReplaced() throws {
        let (pictures, folder) = (try PictureFolder(), try CacheFolder())
        let made = try withService(pictures, folder) { client in
            let made = try client.get(Self.picture)
            #expect(eventually { folder.entries.count == 1 })
            return made
        }
        let path = try #require(folder.entries.first)
        let file = try #require(fopen(path, "r+"))
        fseek(file, 20, SEEK_SET)
        fputc(Int32(made.content[20] ^ 1), file)
        fclose(file)
        try withService(pictures, folder) { client in
            let again = try client.get(Self.picture)
            #expect(again.cacheStatus == "fwd=uri-miss; stored")
            #expect(again.content == made.content)
            #expect(try client.metric("veduta_cache_disk_corrupt_total") == 1)
            #expect(eventually { (try? client.metric("veduta_cache_disk_stores_total")) == 1 })
        }
        let found = try withService(pictures, folder) { try $0.get(Self.picture) }
        #expect(found.cacheStatus == "hit; ttl=1")
    }

    @Test func diskThatTakesNothing_losesNoAnswer() throws {
        let (pictures, folder) = (try PictureFolder(), try CacheFolder())
        // The store's own folders are replaced by files, so that nothing can be written: also for root.
        try withService(pictures, folder, { $0.cacheMemory = 0 }) { client in
            let first = try client.get(Self.picture)
            #expect(eventually { folder.entries.count == 1 })
            for name in ["tmp", "entries"] {
                rename("\(folder.path)/\(name)", "\(folder.path)/\(name)-away")
                fclose(fopen("\(folder.path)/\(name)", "w"))
            }
            for width in 41..<50 {
                let answer = try client.get("/asset?id=a.png&width=\(width)&format=webp")
                #expect(answer.code == 200)
            }
            #expect(try client.get(Self.picture).content == first.content)
            #expect(client.isKept())
        }
    }

    @Test func folderThatCannotBeMade_stopsTheStart_andSaysWhichSettingItWas() throws {
        let pictures = try PictureFolder()
        for path in ["/dev/null/cache", pictures.path + "/a.png"] {
            do {
                let service = try RunningService { $0.cacheDirectory = path }
                service.stop()
                Issue.record("started")
            } catch let error as ServiceError {
                #expect("\(error)".contains("VEDUTA_CACHE_DIR") && "\(error)".contains(path))
            }
        }
    }
}
