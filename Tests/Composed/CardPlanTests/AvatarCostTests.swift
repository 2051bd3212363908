import Colors
import ImagePlan
import Parameters
import SeededRandom
import Testing

@testable import CardGrammar
@testable import CardPlan

/// The price of an avatar, which is known before its first picture is looked for.
@Suite(.timeLimit(.minutes(5))) struct AvatarCostTests {
    private func random(_ random: inout SeededGenerator) -> AvatarRequest {
        var request = AvatarRequest()
        request.persons = (0..<Int.random(in: 1...12, using: &random)).map { index in
            let name = ["Anna Maria Bell", "王小明", "👩‍👩‍👧 Us", "", "محمد علي"].randomElement(using: &random)
            return AvatarPerson(id: Bool.random(using: &random) ? "\(index).jpg" : nil, name: name)
        }
        request.layout = AvatarRequest.Layout.allCases.randomElement(using: &random) ?? .auto
        request.shape = [.circle, .squircle, .square, .rounded(9)].randomElement(using: &random) ?? .circle
        request.cellLimit = Int.random(in: 1...9, using: &random)
        request.total = Bool.random(using: &random) ? 90_000 : nil
        request.sizePx = Int.random(in: 16...1024, using: &random)
        request.initialCount = Int.random(in: 1...3, using: &random)
        request.status = Bool.random(using: &random) ? .away : nil
        let badges: [AvatarRequest.Badge?] = [nil, .number(1000), .asset("b.png")]
        request.badge = badges[Int.random(in: badges.indices, using: &random)]
        if Bool.random(using: &random) {
            request.ring = AvatarRequest.Ring(width: 3, color: .white)
            request.background = .black
        }
        let kinds: [AvatarRequest.Fallback] = [
            .initials, .identicon, .retro, .shape, .silhouette, .color, .blank, .absent, .asset("x.png"),
        ]
        request.fallbacks = (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in
            kinds.randomElement(using: &random)
        }
        return request
    }

    @Test func priceOfTheRequest_isAtLeastThatOfWhatIsDrawn() {
        var generator = SeededGenerator(state: 11)
        for _ in 0..<2000 {
            let request = random(&generator)
            let layout = AvatarLayout(request)
            let price = layout.predictedCost(as: .png)
            let uncut = AvatarLayout(request, isCut: false)
            #expect(uncut.predictedCost(as: .png) == price && uncut.pictureIDs == layout.pictureIDs)
            var shown: [Int: Int] = [:]
            for index in request.persons.indices where Bool.random(using: &generator) { shown[index] = 0 }
            let scenes = [
                layout.scene(showing: [:], NoMeasure()), layout.scene(showing: [:], BlockMeasure()),
                layout.scene(showing: shown, BlockMeasure()),
            ]
            for scene in scenes {
                let drawn = scene.predictedCost(at: request.scale, request.encoding, as: .png)
                #expect(price.microseconds >= drawn.microseconds && price.byteCount >= drawn.byteCount, "\(request)")
            }
        }
    }

    @Test func fewLettersCostLittle() {
        var request = AvatarRequest()
        request.persons = [AvatarPerson(name: "Anna Bell")]
        request.sizePx = 64
        #expect(AvatarLayout(request).predictedCost(as: .png).microseconds < 1500)
        #expect(AvatarLayout(request).pictureByteCount == 0)
    }

    /// The most that a request may ask for, whose pictures are held together: within the areas of all formats, and with a price
    /// from which the pictures are still to be decoded.
    @Test(arguments: AvatarRequest.Layout.allCases) func worstRequests_haveAPrice(_ layout: AvatarRequest.Layout) throws
    {
        let people = (0..<50).map { "person=id:\($0).jpg%7CA" }.joined(separator: "&")
        let query = "\(people)&layout=\(layout.rawValue)&max=9&fallback=retro&ring=3:fff"
        func parsed(_ more: String) throws -> AvatarRequest {
            try AvatarRequest.parse(try QueryItems.parse("\(query)&\(more)"))
        }
        let request = try parsed(layout == .stack ? "size=1024" : "size=1024&scale=2")
        #expect(throws: ParameterFaults.self) {
            try parsed(layout == .stack ? "size=1023&scale=1.01" : "size=1023&scale=2.1")
        }
        let made = AvatarLayout(request)
        let size = made.emptyScene.size(at: request.scale)
        #expect(size.widthPx * size.heightPx <= OutputFormat.webp.areaLimitPx && size.widthPx <= 16_383)
        #expect(made.pictureByteCount <= 64 << 20)
        let costs = [OutputFormat.png, .avif].map { made.predictedCost(as: $0) }
        #expect((100_000...4_000_000).contains(costs[0].microseconds), "\(costs[0])")
        #expect(costs[1].microseconds > costs[0].microseconds)
        #expect(costs[0].holding(made.pictureByteCount).byteCount < 256 << 20)
    }
}

/// Every text has the ink of a block.
/// Every character is one em wide.
struct BlockMeasure: TextMeasure {
    func advances(_ text: [UInt32], isBold: Bool) -> [Double] { text.map { _ in 1 } }
    func ink(_ text: [UInt32], isBold: Bool) -> CardRect? {
        text.isEmpty ? nil : CardRect(x: 0, y: -0.7, width: Double(text.count) * 0.6, height: 0.7)
    }
}
