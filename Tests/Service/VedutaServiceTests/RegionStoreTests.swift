import AssetLibrary
import Bytes
import Digest
import DiskStore
import Foundation
import Glibc
import ImageEngine
import ImagePlan
import ImageWorkers
import Originals
import Parameters
import Reactor
import Renditions
import ResponseCache
import TestSupport
import Testing

@testable import VedutaService

/// A large original in a library, and a disk tier for its region copy, which an idle worker makes.
@Suite(.timeLimit(.minutes(5))) struct RegionStoreTests {
    private static let options: RenderOptions = {
        var options = RenderOptions()
        options.regionPixelCount = 500_000
        return options
    }()

    private final class Server: Sendable {
        let folder: PictureFolder
        let library: FolderLibrary
        let disk: EntryStore
        let cache: TieredCache
        let pool: WorkerPool
        let idle: IdleWorker
        let regions: RegionStore

        init(diskByteCapacity: Int = 64 << 20, limits: WorkLimit = WorkLimit(seconds: 60)) throws {
            folder = try PictureFolder()
            try folder.add("large.jpg", MasterStoreTests.photograph(1200, 900, quality: 85))
            try folder.add("small.jpg", MasterStoreTests.photograph(400, 300, quality: 85))
            library = try FolderLibrary(rootPath: folder.path)
            disk = try EntryStore.open(
                EntryStoreSettings(path: folder.path + "/.cache", byteCapacity: diskByteCapacity, fileCapacity: 100),
                clock: .system
            ) { _ in }
            cache = TieredCache(memoryByteCapacity: 1 << 20, disk: disk)
            pool = try WorkerPool(name: "worker", threadCount: 2, queueLimit: 8)
            idle = try IdleWorker(name: "idle", besides: pool, queueLimit: 8)
            let workshop = RegionStore.Workshop(
                idle: idle, workers: pool, limits: RenditionLimits(renderSeconds: 60, work: limits))
            regions = try #require(
                RegionStore(cache, options: RegionStoreTests.options, clock: .system, workshop: workshop))
        }

        func close() {
            regions.close()
            #expect(idle.shutdown(within: .seconds(60)))
            pool.shutdown()
        }

        func made(_ query: String, byCopy isOn: Bool = true) throws -> AssetRenderer.Made {
            let request = try ImageRequest.parse(QueryItems.parse(query))
            let reader = AssetReader(
                RequestedOriginals(request), in: Originals(library: library), byteLimit: 1 << 30, images: .here)
            return try AssetRenderer(
                reader: reader, request: request, acceptance: Acceptance(only: .jpeg),
                options: RegionStoreTests.options, masters: nil, regions: isOn ? regions : nil
            ).make(RenderJob())
        }

        /// The files of the disk tier that begin so.
        func entryFiles(beginning text: String) throws -> [String] {
            let root = folder.path + "/.cache/"
            let paths = try FileManager.default.subpathsOfDirectory(atPath: root).map { root + $0 }
            return paths.filter { path in
                FileManager.default.contents(atPath: path)?.starts(with: Data(text.utf8)) ?? false
            }
        }

        /// Waits until nothing is being made.
        func rest() { #expect(eventually { self.idle.isIdle }) }
    }

    private func bytes(_ made: AssetRenderer.Made) -> Digest256 { SHA256.digest(of: made.picture.content) }

    /// The copy, and its samples at 1/2, 1/4 and 1/8.
    private static let entryCount = 4
    private static let region = "id=large.jpg&crop=300,200,256,256"
    private static let other = "id=large.jpg&crop=800,600,256,256&width=128"

    @Test func afterTwoRegionsACopyIsMade_andFurtherOnesReadItAlone_withTheSameBytes() throws {
        let server = try Server()
        defer { server.close() }
        let first = try server.made(Self.region)
        server.rest()
        #expect(server.disk.counts.entryCount == 0, "one region alone is no reason")
        _ = try server.made(Self.other)
        server.rest()
        #expect(server.disk.counts.entryCount == Self.entryCount)
        for (query, exact) in [(Self.region, first), (Self.other, try server.made(Self.other, byCopy: false))] {
            let made = try server.made(query)
            #expect(made.picture.report.part != nil && exact.picture.report.part == nil)
            #expect(made.loaded.sources.picture.count == 0, "the original is not read")
            #expect(bytes(made) == bytes(exact))
            #expect(made.loaded.validator == exact.loaded.validator)
            #expect(made.masterOrigin == nil)
        }
        // Made once, whatever is asked for afterwards.
        server.rest()
        #expect(server.disk.counts.stores == Self.entryCount)
        #expect(server.regions.counts == RegionStore.Counts(made: 1, uses: 2))
    }

    @Test func reducedRegionsTakeSamplesThatAreKeptBesideTheCopy_withTheSameBytes() throws {
        let server = try Server()
        defer { server.close() }
        for query in [Self.region, Self.other] { _ = try server.made(query) }
        server.rest()
        for query in [
            "id=large.jpg&crop=300,200,512,512&width=128", "id=large.jpg&crop=688,388,512,512&width=64",
            "id=large.jpg&crop=0,0,640,640&width=40",
        ] {
            let (made, exact) = (try server.made(query), try server.made(query, byCopy: false))
            #expect(made.picture.report.usesSamples && made.picture.report.part != nil, "\(query)")
            #expect(made.loaded.sources.picture.count == 0 && bytes(made) == bytes(exact), "\(query)")
        }
        #expect(try !server.made(Self.region).picture.report.usesSamples)
        _ = server.cache.purge(tag: CacheTag(assetID: "large.jpg"))
        #expect(server.disk.counts.entryCount == 0)
    }

    /// A region that decodes for want of samples has them made; the copy is there.
    @Test(arguments: ["gone", "cut", "damaged"]) func samplesThatWereLostAreMadeOnceMore(_ loss: String) throws {
        let server = try Server()
        defer { server.close() }
        for query in [Self.region, Self.other] { _ = try server.made(query) }
        server.rest()
        let files = try server.entryFiles(beginning: "VPLANES1")
        #expect(files.count == Self.entryCount - 1)
        for file in files {
            var bytes = Array(try #require(FileManager.default.contents(atPath: file)))
            bytes[bytes.count / 3] ^= 1
            if loss == "cut" { bytes.removeLast(bytes.count / 2) }
            #expect(unlink(file) == 0)
            if loss != "gone" { #expect(FileManager.default.createFile(atPath: file, contents: Data(bytes))) }
        }
        let query = "id=large.jpg&crop=300,200,512,512&width=128"
        let made = try server.made(query)
        #expect(made.picture.report.part != nil && !made.picture.report.usesSamples)
        #expect(try bytes(made) == bytes(server.made(query, byCopy: false)))
        server.rest()
        let again = try server.made(query)
        #expect(again.picture.report.usesSamples && bytes(again) == bytes(made))
        #expect(server.regions.counts.made == 1)
    }

    @Test func samplesThatWouldTakeTooMuchOfTheDiskAreNotKept() throws {
        // An eighth of it holds the copy, but not the samples of about a byte for each pixel.
        let server = try Server(diskByteCapacity: 4 << 20)
        defer { server.close() }
        for query in [Self.region, Self.other, Self.region] { _ = try server.made(query) }
        server.rest()
        #expect(server.disk.counts.entryCount == 1)
        for _ in 0..<2 {
            let made = try server.made("id=large.jpg&crop=300,200,512,512&width=128")
            #expect(made.picture.report.part != nil && !made.picture.report.usesSamples)
            server.rest()
        }
        #expect(server.disk.counts.stores == 1)
    }

    @Test func whatTheCopyDoesNotServeIsMadeFromTheOriginal() throws {
        let server = try Server()
        defer { server.close() }
        for query in [Self.region, Self.other] { _ = try server.made(query) }
        server.rest()
        for query in [
            "id=large.jpg&width=300", Self.region + "&metadata=keep", "id=large.jpg&crop=0,0,1190,890&width=99",
        ] {
            let made = try server.made(query)
            #expect(made.picture.report.part == nil)
            #expect(try bytes(made) == bytes(server.made(query, byCopy: false)), "\(query)")
        }
    }

    @Test func aPurgeOfTheAssetRemovesTheCopy() throws {
        let server = try Server()
        defer { server.close() }
        for query in [Self.region, Self.other] { _ = try server.made(query) }
        server.rest()
        #expect(try server.made(Self.region).picture.report.part != nil)
        _ = server.cache.purge(tag: CacheTag(assetID: "large.jpg"))
        #expect(server.disk.counts.entryCount == 0)
        #expect(try server.made(Self.region).picture.report.part == nil)
        server.rest()
        #expect(try server.made(Self.region).picture.report.part != nil, "it is wanted, so it is made once more")
    }

    @Test func aChangedOriginalHasAnotherCopy() throws {
        let server = try Server()
        defer { server.close() }
        for query in [Self.region, Self.other] { _ = try server.made(query) }
        server.rest()
        try server.folder.add("large.jpg", MasterStoreTests.photograph(1000, 800, quality: 85))
        let made = try server.made(Self.region)
        #expect(made.picture.report.part == nil && made.picture.report.header.widthPx == 1000)
    }

    @Test func whereThereIsNoRoom_orTheWorkIsTooMuch_noneIsMade() throws {
        for server in [
            try Server(diskByteCapacity: 512 << 10), try Server(limits: WorkLimit(seconds: 60, byteCount: 1 << 20)),
        ] {
            defer { server.close() }
            for query in [Self.region, Self.other, Self.region, Self.other] { _ = try server.made(query) }
            server.rest()
            #expect(server.disk.counts.entryCount == 0)
            #expect(server.regions.counts.made == 0)
        }
    }

    @Test func smallOriginalsHaveNone() throws {
        let server = try Server()
        defer { server.close() }
        for _ in 0..<3 { _ = try server.made("id=small.jpg&crop=10,10,100,100") }
        server.rest()
        #expect(server.disk.counts.entryCount == 0)
    }

    @Test func withoutADiskTier_thereAreNone() throws {
        let server = try Server()
        defer { server.close() }
        let workshop = RegionStore.Workshop(
            idle: server.idle, workers: server.pool,
            limits: RenditionLimits(renderSeconds: 60, work: WorkLimit(seconds: 60)))
        let cache = TieredCache(memoryByteCapacity: 1 << 20, disk: nil)
        #expect(RegionStore(cache, options: Self.options, clock: .system, workshop: workshop) == nil)
    }
}
