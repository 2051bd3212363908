import Originals
import AssetLibrary
import Bytes
import Digest
import DiskStore
import HTTPMessage
import ImageEngine
import ImagePlan
import ImageWorkers
import Parameters
import Raster
import Reactor
import Renditions
import ResponseCache
import Synchronization
import TestSupport
import Testing

@testable import VedutaService

/// A large original in a library, and a disk tier for its masters.
@Suite(.timeLimit(.minutes(5))) struct MasterStoreTests {
    private let folder: PictureFolder
    private let library: FolderLibrary
    private let disk: EntryStore
    private let cache: TieredCache
    private let masters: MasterStore

    init() throws {
        folder = try PictureFolder()
        try folder.add("large.jpg", Self.large.get())
        try folder.add("small.jpg", Self.small.get())
        library = try FolderLibrary(rootPath: folder.path)
        disk = try EntryStore.open(
            EntryStoreSettings(path: folder.path + "/.cache", byteCapacity: 64 << 20, fileCapacity: 100), clock: .system
        ) { _ in }
        cache = TieredCache(memoryByteCapacity: 1 << 20, disk: disk)
        masters = try #require(MasterStore(cache, options: RenderOptions(), clock: .system))
    }

    private static let large = Result { try photograph(2720, 1400) }
    private static let small = Result { try photograph(800, 600) }

    /// Soft shapes with fine grain, so that it is no drawing.
    static func photograph(_ width: Int, _ height: Int, quality: Int = 90) throws -> [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let grain = (x &* 31 ^ y &* 17) & 15
                pixels += [UInt8(x * 200 / width + grain), UInt8(y * 200 / height + grain), UInt8((x ^ y) & 127), 255]
            }
        }
        let encoded = try ImageEngine.encode(
            rgba: SharedBytes(pixels), widthPx: width, heightPx: height, output: .jpeg, quality: quality,
            shouldStop: { false })
        return encoded.array
    }

    private func made(
        _ query: String, by masters: MasterStore?, uploads: UploadLibrary? = nil, _ job: RenderJob = RenderJob()
    ) throws -> AssetRenderer.Made {
        let request = try ImageRequest.parse(QueryItems.parse(query))
        let reader = AssetReader(
            RequestedOriginals(request), in: Originals(library: library, uploads: uploads), byteLimit: 1 << 30,
            images: .here)
        return try AssetRenderer(
            reader: reader, request: request, acceptance: Acceptance(only: .jpeg), options: RenderOptions(),
            masters: masters
        ).make(job)
    }

    private func bytes(_ made: AssetRenderer.Made) -> Digest256 { SHA256.digest(of: made.picture.content) }

    @Test func smallPicturesAreMadeFromTheMaster_withTheSameBytesWhetherItWasThereOrNot() throws {
        let first = try made("id=large.jpg&w=600", by: masters)
        #expect(disk.counts.entryCount == 1)
        #expect(first.masterOrigin == .made)
        let second = try made("id=large.jpg&w=600", by: masters)
        #expect(second.masterOrigin == .kept)
        #expect(second.loaded.sources.picture.count == 0, "the original is not read")
        #expect(bytes(first) == bytes(second))
        #expect(try bytes(made("id=large.jpg&w=300&crop=square,attention", by: masters)) != bytes(second))
        _ = cache.purge(tag: CacheTag(assetID: "large.jpg"))
        #expect(disk.counts.entryCount == 0)
        #expect(try bytes(made("id=large.jpg&w=600", by: masters)) == bytes(first))
        #expect(first.picture.widthPx == 600 && first.picture.heightPx == second.picture.heightPx)
    }

    @Test func personOfAnAvatar_isReadOnceForPriceAndPixels() throws {
        _ = try made("id=large.jpg&w=300", by: masters)
        let pictures = try AvatarPictures(
            ["large.jpg"], of: "person", in: Originals(library: library), options: RenderOptions(), masters: masters,
            images: .here, cells: CardPictureCells(cacheByteCount: 0))
        let wanted = AvatarPictures.Wanted(
            key: 0, size: PixelSize(widthPx: 64, heightPx: 64), ids: ["large.jpg"],
            gravity: .interest(.attention, otherwise: .center))
        func read() throws -> [UInt8] {
            let drawing = PredictedCost(steps: [], frameCount: 1)
            let shown = try pictures.read([wanted], holding: 0, RenderJob(), beside: drawing)
            #expect(shown.price.byteCount > 0 && shown.lackingCount == 0)
            return try #require(shown.textures.first).texels.array
        }
        let hits = disk.counts.hits
        let texels = try read()
        #expect(disk.counts.hits == hits + 1)
        #expect(try read() == texels && disk.counts.hits == hits + 2)
        _ = cache.purge(tag: CacheTag(assetID: "large.jpg"))
        #expect(disk.counts.entryCount == 0)
        #expect(try read() == texels && disk.counts.entryCount == 1)
    }

    /// Crops of one shape have one subject: only the first of them decodes the master to look for it.
    @Test func subjectIsLookedForOnce_whateverTheSize() throws {
        func square(_ side: Int, _ masters: MasterStore) throws -> (AssetRenderer.Made, hasLooked: Bool) {
            let made = try made("id=large.jpg&w=\(side)&h=\(side)&fit=cover&gravity=attention", by: masters)
            return (made, made.picture.report.steps.contains { $0.name == "look for attention" })
        }
        func forgetful() throws -> MasterStore {
            try #require(MasterStore(cache, options: RenderOptions(), clock: .system))
        }
        let (first, second) = (try square(300, masters), try square(64, masters))
        #expect(first.hasLooked && !second.hasLooked)
        #expect(second.0.picture.report.analysis == first.0.picture.report.analysis)
        let anew = try square(64, try forgetful())
        #expect(anew.hasLooked && bytes(anew.0) == bytes(second.0))
        // Another shape has another subject, and another photograph another one.
        let wide = try made("id=large.jpg&w=300&h=100&fit=cover&gravity=attention", by: masters)
        #expect(wide.picture.report.steps.contains { $0.name == "look for attention" })
        try folder.add("large.jpg", Self.large.get() + [0])
        #expect(try square(64, masters).hasLooked)
        // A process that opened the picture of somebody else may have been taken over by it.
        let signed = "id=large.jpg&w=120&h=30&fit=cover&gravity=attention&overlay=small.jpg"
        for _ in 0..<2 {
            #expect(try made(signed, by: masters).picture.report.steps.contains { $0.name == "look for attention" })
        }
        // As a person of an avatar, the price is asked for before, and is the same; a look would be asked for too.
        let asked = Mutex(0)
        let job = RenderJob(admit: { _ in
            asked.withLock { $0 += 1 }
            return .goOn
        })
        let request = try ImageRequest.parse(
            QueryItems.parse("id=large.jpg&w=48&h=48&fit=cover&gravity=attention&format=png"))
        for (store, count) in [(masters, 1), (try forgetful(), 2), (masters, 1)] {
            asked.withLock { $0 = 0 }
            let reader = AssetReader(
                RequestedOriginals(request), in: Originals(library: library), byteLimit: 1 << 30, images: .here)
            _ = try AssetRenderer(
                reader: reader, request: request, acceptance: Acceptance(only: .png), options: RenderOptions(),
                masters: store
            ).pixels(job)
            #expect(asked.withLock { $0 } == count)
        }
    }

    @Test func largePicturesAreMadeFromTheOriginal() throws {
        let plain = try made("id=large.jpg&w=2000", by: nil)
        #expect(try bytes(made("id=large.jpg&w=2000", by: masters)) == bytes(plain))
        #expect(disk.counts.entryCount == 0, "nothing wanted a master")
        _ = try made("id=large.jpg&w=300", by: masters)
        #expect(try bytes(made("id=large.jpg&w=2000", by: masters)) == bytes(plain))
        #expect(disk.counts.entryCount == 1)
    }

    /// The doorkeeper hears of the master first, and where it says no, none is made.
    @Test(arguments: [(RenderJob.Verdict.tooCostly, 422), (.startLater, 503)])
    func mastersAreAdmittedBeforeTheyAreMade(_ answer: RenderJob.Verdict, _ code: Int) throws {
        let asked = Mutex<[RenderCost]>([])
        let job = RenderJob(admit: { cost in
            asked.withLock { $0.append(cost) }
            return answer
        })
        let error = #expect(throws: RenditionError.self) { _ = try made("id=large.jpg&w=600", by: masters, job) }
        #expect(error.map { Problem($0).status.code } == code)
        #expect(asked.withLock { $0.map { $0.steps.filter { $0 == "encode jpeg" }.count } } == [3])
        #expect(disk.counts.entryCount == 0)
        // One that is there costs nothing any more; the picture is asked for as any other.
        _ = try made("id=large.jpg&w=600", by: masters)
        asked.withLock { $0 = [] }
        #expect(throws: RenditionError.self) { _ = try made("id=large.jpg&w=600", by: masters, job) }
        #expect(asked.withLock { $0.map(\.steps.count) } == [3])
    }

    @Test func bordersAreLookedForInTheOriginal_andNoMasterIsMadeForThem() throws {
        let made = try made("id=large.jpg&w=300&trim=4", by: masters)
        #expect(made.masterOrigin == nil && disk.counts.entryCount == 0)
    }

    @Test func whereThePlaceIsStored_noMasterIsMadeToLookForIt() throws {
        let uploads = try UploadLibrary(UploadSettings(path: folder.path + "/.uploads") { _ in "image/jpeg" })
        let point = try #require(StoredFocalPoint(xMillionths: 300_000, yMillionths: 500_000))
        try uploads.setFocalPoint(point, of: "large.jpg")
        let query = "id=large.jpg&w=1200&h=1200&fit=cover&gravity=focus"
        let made = try made(query, by: masters, uploads: uploads)
        #expect(made.picture.widthPx == 1200 && made.masterOrigin == nil && disk.counts.entryCount == 0)
        _ = try self.made(query, by: masters)
        #expect(disk.counts.entryCount == 1, "without a point it is looked for")
    }

    @Test func descriptionsAreAdmittedToo() throws {
        let endpoint = AssetEndpoint(originals: Originals(library: library), options: RenderOptions(), masters: masters)
        let rendition = try endpoint.description(id: "large.jpg", takesGzip: false)
        let refused = #expect(throws: RenditionError.self) {
            _ = try rendition.renderer.render(RenderJob(admit: { _ in .tooCostly }))
        }
        #expect(refused.map { Problem($0).type } == "result-too-costly")
        #expect(try rendition.renderer.render(RenderJob()).mediaType == "application/json")
    }

    @Test func smallOriginalsHaveNoMaster() throws {
        let plain = try made("id=small.jpg&w=100", by: nil)
        #expect(try bytes(made("id=small.jpg&w=100", by: masters)) == bytes(plain))
        #expect(disk.counts.entryCount == 0)
    }

    @Test func withoutADiskTier_thereAreNone() {
        let cache = TieredCache(memoryByteCapacity: 1 << 20, disk: nil)
        #expect(MasterStore(cache, options: RenderOptions(), clock: .system) == nil)
    }
}
