import Originals
import AssetLibrary
import HTTPMessage
import ImageEngine
import ImagePlan
import Renditions
import Synchronization
import TestSupport
import Testing

@testable import VedutaService

/// What the icons of a map cost is known before any of them is decoded (#15.4).
@Suite(.timeLimit(.minutes(5))) struct MapIconTests {
    private let folder: PictureFolder
    private let icons: MapIcons
    private let mapCost = PredictedCost(steps: [.init("draw", nanoseconds: 5_000_000, bytes: 1000)], frameCount: 1)

    init() throws {
        folder = try PictureFolder()
        let originals = Originals(library: try FolderLibrary(rootPath: folder.path))
        icons = try MapIcons(["a.png", "b.png", "a.png"], sideLimitPx: 32, in: originals, options: RenderOptions())
    }

    @Test func sumOfAllIsAskedFor_beforeAnyIsDecoded() throws {
        let asked = Mutex<[RenderCost]>([])
        let job = RenderJob(admit: { cost in
            asked.withLock { $0.append(cost) }
            return .goOn
        })
        #expect(try icons.read(job, beside: mapCost).textures.count == 2)
        let costs = asked.withLock { $0 }
        // Asked for the map with one, and with both; what was granted is not asked for again.
        let whole = try #require(costs.last)
        #expect(costs.count == 2)
        #expect(whole.steps.filter { $0 == "decode png" }.count == 2)
        #expect(whole.steps.contains("draw"))
        #expect(whole.work.microseconds > mapCost.microseconds + 100)
    }

    /// 64 names of one large file were read in full before anybody asked whether that many may be shown.
    @Test func iconsBeyondWhatIsAllowed_areNotRead() throws {
        let asked = Mutex(0)
        let job = RenderJob(admit: { _ in
            asked.withLock { $0 += 1 }
            return .tooCostly
        })
        let ids = (0..<20).map { "icon-\($0).png" }
        for id in ids { try folder.add(id, PictureFolder.picture(40, 30)) }
        let originals = Originals(library: try FolderLibrary(rootPath: folder.path))
        let many = try MapIcons(ids, sideLimitPx: 32, in: originals, options: RenderOptions())
        #expect(throws: RenditionError.self) { _ = try many.read(job, beside: mapCost) }
        #expect(asked.withLock { $0 } == 1)
    }

    @Test func tooMuchWork_isRefused() throws {
        let alone = Mutex(0)
        _ = try icons.read(
            RenderJob(admit: { cost in
                alone.withLock { $0 = max($0, cost.work.microseconds) }
                return .goOn
            }), beside: mapCost)
        let limit = alone.withLock { $0 } - 1
        // The map and one of them would do.
        let job = RenderJob(admit: { $0.work.microseconds > limit ? .tooCostly : .goOn })
        let error = #expect(throws: RenditionError.self) { _ = try icons.read(job, beside: mapCost) }
        let problem = error.map { Problem($0) }
        #expect(problem?.type.hasSuffix("result-too-costly") == true)
        #expect(problem?.status == .unprocessableContent)
    }

    @Test func iconReplacedMeanwhile_isAskedForAgain() throws {
        let folder = folder
        let asked = Mutex<[RenderCost]>([])
        let job = RenderJob(admit: { cost in
            asked.withLock { $0.append(cost) }
            try? folder.add("a.png", PictureFolder.picture(800, 600))
            return .goOn
        })
        _ = try icons.read(job, beside: mapCost)
        let costs = asked.withLock { $0 }
        #expect(costs.count == 3)
        #expect(costs.last?.work.microseconds ?? 0 > costs.first?.work.microseconds ?? 0)
    }
}
