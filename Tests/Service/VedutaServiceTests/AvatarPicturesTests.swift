import AssetLibrary
import Bytes
import CardGrammar
import CardPlan
import ImageEngine
import ImagePlan
import ImageWorkers
import Originals
import Parameters
import Raster
import Renditions
import ResponseCache
import Synchronization
import TestSupport
import Testing

@testable import VedutaService

/// The pictures of an avatar: what they cost is asked for before the first of them is decoded.
@Suite(.timeLimit(.minutes(5))) struct AvatarPicturesTests {
    private let folder: PictureFolder
    private let originals: Originals
    private let cells = CardPictureCells(cacheByteCount: 8 << 20)

    init() throws {
        folder = try PictureFolder()
        let picture = try PictureFolder.picture(800, 600)
        try folder.add("c.png", picture)
        // Its header can be read.
        try folder.add("cut.png", Array(picture.prefix(picture.count / 2)))
        try folder.add("text.png", Array("no picture".utf8))
        originals = Originals(library: try FolderLibrary(rootPath: folder.path))
    }

    /// What a render was asked to admit.
    private final class Asked: Sendable {
        private let costs = Mutex<[NeededWork]>([])
        private let refusedFrom: Int

        init(refusingFrom count: Int = .max) { refusedFrom = count }
        var microseconds: [Int] { costs.withLock { $0.map(\.microseconds) } }
        var byteCounts: [Int] { costs.withLock { $0.map(\.byteCount) } }

        var job: RenderJob {
            RenderJob(admit: { [self] cost in
                costs.withLock { costs in
                    costs.append(cost.work)
                    return costs.count > refusedFrom ? .tooCostly : .goOn
                }
            })
        }
    }

    private func read(_ query: String, _ asked: Asked = Asked()) throws(RenditionError) -> AvatarPictures.Shown {
        guard let items = try? QueryItems.parse(query), let request = try? AvatarRequest.parse(items) else {
            throw .notStored
        }
        let layout = AvatarLayout(request)
        let pictures = try? AvatarPictures(
            layout.pictureIDs, of: "person", in: originals, options: RenderOptions(), masters: nil, images: .here,
            cells: cells)
        guard let pictures else { throw .notStored }
        return try pictures.read(for: layout, asked.job, beside: layout.predictedCost(as: .png))
    }

    @Test func allPrices_areAskedForBeforeTheFirstPictureIsDecoded() throws {
        let query = "ids=a.png,b.png,c.png&size=64"
        let asked = Asked()
        #expect(try read(query, asked).textures.count == 3)
        let prices = asked.microseconds
        // The drawing, and with each picture more. What is known already is not asked for again.
        #expect(prices.count == 4 && prices == prices.sorted() && Set(prices).count == 4, "\(prices)")
        #expect(asked.byteCounts.allSatisfy { $0 >= 3 * 32 * 32 * 4 })
        for count in 0..<4 {
            // What is kept needs no asking.
            cells.forget(nil)
            let refused = Asked(refusingFrom: count)
            let error = #expect(throws: RenditionError.self) { _ = try read(query, refused) }
            guard case .tooCostly? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(refused.microseconds == Array(prices.prefix(count + 1)))
        }
    }

    @Test func pictureShownBefore_isNotMadeAgain() throws {
        let first = try read("ids=a.png,b.png&size=64")
        let asked = Asked()
        let second = try read("ids=b.png,a.png&size=64", asked)
        // The drawing alone has a price.
        #expect(asked.microseconds.count == 1)
        #expect(second.textures[0] === first.textures[1] && second.textures[1] === first.textures[0])
        #expect(second.states == first.states)
        let larger = try read("ids=a.png,b.png&size=96")
        #expect(larger.textures[0] !== first.textures[0])
        try folder.add("a.png", PictureFolder.picture(90, 30))
        let changed = try read("ids=a.png,b.png&size=64")
        #expect(changed.textures[0] !== first.textures[0] && changed.textures[1] === first.textures[1])
        #expect(changed.states["a.png"] != first.states["a.png"])
    }

    @Test func purge_dropsTheCellsOfAnAsset_alsoThoseThatWereBeingMade() throws {
        let first = try read("ids=a.png,b.png&size=64")
        let epoch = cells.epoch
        cells.forget(CacheTag(assetID: "a.png"))
        let second = try read("ids=a.png,b.png&size=64")
        #expect(second.textures[0] !== first.textures[0] && second.textures[1] === first.textures[1])
        cells.forget(nil)
        #expect(cells.byteCount == 0)
        let key = CardPictureCells.Key(
            id: "a.png", state: "1", size: PixelSize(widthPx: 32, heightPx: 64), gravity: .center, fit: .cover)
        cells.keep(first.textures[0], for: key, since: epoch)
        #expect(cells.find(key) == nil)
        cells.keep(first.textures[0], for: key, since: cells.epoch)
        #expect(cells.find(key) === first.textures[0])
    }

    @Test func cells_weighAnEighthOfTheCacheAtMost() throws {
        let small = CardPictureCells(cacheByteCount: 2 << 20)
        let texels = SharedBytes([UInt8](repeating: 0, count: 40 * 40 * 4))
        let texture = try #require(Texture(widthPx: 40, heightPx: 40, format: .rgba, texels: texels))
        func key(_ number: Int) -> CardPictureCells.Key {
            CardPictureCells.Key(
                id: "\(number).png", state: "1", size: PixelSize(widthPx: 40, heightPx: 40), gravity: .center,
                fit: .cover)
        }
        for number in 0..<200 { small.keep(texture, for: key(number), since: small.epoch) }
        #expect(small.byteCount <= 256 << 10 && small.byteCount > 200 << 10)
        let none = CardPictureCells(cacheByteCount: 0)
        none.keep(texture, for: key(0), since: none.epoch)
        #expect(none.find(key(0)) == nil && none.byteCount == 0)
    }

    /// As the template `article` has it: its words change, and the picture is not made again.
    @Test func photographOfACard_isKept() throws {
        let cells = CardPictureCells(cacheByteCount: 256 << 20)
        let pictures = try AvatarPictures(
            ["c.png"], of: "template", in: originals, options: RenderOptions(), masters: nil, images: .here,
            cells: cells)
        let wanted = AvatarPictures.Wanted(key: 0, size: PixelSize(widthPx: 490, heightPx: 630), ids: ["c.png"])
        func read(_ asked: Asked) throws -> Texture {
            let shown = try pictures.read(
                [wanted], holding: 0, asked.job, beside: PredictedCost(steps: [], frameCount: 1))
            return try #require(shown.textures.first)
        }
        let (first, second) = (Asked(), Asked())
        let texture = try read(first)
        #expect(try read(second) === texture)
        // The drawing alone has a price the second time.
        #expect(first.microseconds.count == 2 && second.microseconds.count == 1)
        for number in 0..<40 {
            let key = CardPictureCells.Key(
                id: "\(number).png", state: "1", size: wanted.size, gravity: .center, fit: .cover)
            cells.keep(texture, for: key, since: cells.epoch)
        }
        #expect((8 << 20...16 << 20).contains(cells.byteCount), "\(cells.byteCount)")
    }

    @Test func layouts_areKeptByStyle_withinTheirBound() throws {
        let layouts = AvatarLayouts(byteCapacity: 256 << 10)
        func layout(_ query: String, isCut: Bool = true) throws -> AvatarLayout {
            layouts.layout(of: try AvatarRequest.parse(try QueryItems.parse(query)), isCut: isCut)
        }
        let one = try layout("names=A,B,C,D,E")
        let byteCount = layouts.byteCount
        let other = try layout("ids=a.png,b.png,c.png&total=90")
        #expect(byteCount > 0 && layouts.byteCount == byteCount)
        #expect(other.cells.map(\.shape) == one.cells.map(\.shape))
        #expect(other.cells.last?.content == .more(87) && one.cells.last?.content == .more(2))
        #expect(other.pictureIDs == ["a.png", "b.png", "c.png"] && one.pictureIDs.isEmpty)
        for size in 16...400 { _ = try layout("names=A,B&size=\(size)&status=away", isCut: size % 2 == 0) }
        #expect((128 << 10...256 << 10).contains(layouts.byteCount), "\(layouts.byteCount)")
    }

    @Test func nothingIsRead_whereTheDrawingIsTooCostly() throws {
        // A picture that is missing would be noticed.
        let asked = Asked(refusingFrom: 0)
        let error = #expect(throws: RenditionError.self) { _ = try read("ids=gone.png&fallback=404", asked) }
        guard case .tooCostly? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: [
        ("person=id:gone.png%7CAnna&fallback=text.png,cut.png,a.png", 1, 1), ("person=id:cut.png%7CAnna", 0, 1),
        ("ids=a.png,cut.png,gone.png&names=A,B,C", 1, 2), ("names=A,B", 0, 0), ("ids=a.png,&names=A,B", 1, 0),
        ("person=A&fallback=b.png,404", 1, 0),
    ])
    func whatIsMissingOrBroken_isReplacedByTheNext(_ query: String, _ shownCount: Int, _ lackingCount: Int) throws {
        let shown = try read(query)
        #expect(shown.textures.count == shownCount && shown.numbers.count == shownCount)
        #expect(shown.lackingCount == lackingCount)
    }

    @Test(arguments: [
        "ids=gone.png&fallback=404", "ids=cut.png&fallback=404", "ids=gone.png&fallback=text.png,404",
        "names=A&fallback=404",
    ])
    func fallback404_isAnAbsence(_ query: String) {
        let error = #expect(throws: RenditionError.self) { _ = try read(query) }
        #expect(error?.isAbsence == true)
    }
}
