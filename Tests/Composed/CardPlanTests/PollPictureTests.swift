import Bytes
import Cards
import Colors
import ImagePlan
import Parameters
import Raster
import SeededRandom
import Testing
import TextEngine

@testable import CardGrammar
@testable import CardPlan

/// What polls look like, seen from their pixels.
@Suite(.timeLimit(.minutes(5)), .enabled(if: TestFonts.areThere, "no fonts")) struct PollPictureTests {
    private let typesetter = CardTypesetter(fonts: TestFonts.all)

    private func poll(_ question: String, _ labels: [String], _ more: String = "") throws -> PollRequest {
        let items =
            [QueryItem(name: "question", value: question)]
            + labels.enumerated().map {
                QueryItem(name: "option", value: "votes:\($0.offset * 7 + 3)|" + BarText.escaped($0.element))
            }
        return try PollRequest.parse(items + QueryItems.parse(more))
    }

    private func draw(_ scene: CardScene, scale: Double = 1) throws -> Picture {
        let (width, height) = (
            Int((scene.width * scene.zoom * scale).rounded()), Int((scene.height * scene.zoom * scale).rounded())
        )
        return Picture(
            try CardDrawing.draw(scene, widthPx: width, heightPx: height, factor: scene.zoom * scale, typesetter))
    }

    private func texts(_ scene: CardScene) -> [CardLine] {
        scene.items.compactMap { if case .text(let line) = $0 { line } else { nil } }
    }

    private static let layouts = PollRequest.Layout.allCases

    // MARK: Boxes

    @Test(arguments: ["bars", "columns"], ["", "&language=ar", "&sort=votes", "&card=og", "&width=240"])
    func boxes_containTheirBars(_ layout: String, _ more: String) throws {
        let query =
            "option=votes:5|color:f00|A&option=votes:9|color:0c0|B&option=votes:2|color:00f|C&layout=\(layout)" + more
        let layout = PollLayout(try PollRequest.parse(QueryItems.parse(query.replacing("|", with: "%7C"))), typesetter)
        let picture = try draw(layout.scene)
        var seen = [0, 0, 0]
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let color = picture[x, y]
                let channels = [color.red, color.green, color.blue].map(Int.init)
                guard let most = channels.max(), most - (channels.min() ?? 0) > 24,
                    let index = channels.firstIndex(of: most)
                else { continue }
                seen[index] += 1
                let box = layout.boxes[index]
                let isInside =
                    box.x - 1 <= Double(x) && Double(x) <= box.right && box.y - 1 <= Double(y)
                    && Double(y) <= box.bottom
                if !isInside { Issue.record("\(x),\(y) of \(index) is outside of \(box)") }
            }
        }
        #expect(seen.allSatisfy { $0 > 100 })
    }

    @Test(arguments: layouts)
    func boxes_lieInThePictureApart(_ layout: PollRequest.Layout) throws {
        for width in ["&width=240", "", "&card=og", "&language=ar&width=1600"] {
            let request = try poll("Which?", (0..<20).map { "Option \($0)" }, "layout=\(layout.rawValue)" + width)
            let made = PollLayout(request, typesetter)
            for (index, box) in made.boxes.enumerated() {
                #expect(
                    box.x >= 0 && box.y >= 0 && box.right <= Double(made.widthPx) && box.bottom <= Double(made.heightPx)
                )
                #expect(box.width > 5 && box.height > 5)
                for other in made.boxes[(index + 1)...] {
                    let isApart =
                        box.right <= other.x + 0.01 || other.right <= box.x + 0.01 || box.bottom <= other.y + 0.01
                        || other.bottom <= box.y + 0.01
                    #expect(isApart, "\(layout) \(width): \(box) and \(other)")
                }
            }
        }
    }

    /// So that a PNG of them has a palette. Those with pictures have the finest edges.
    @Test(arguments: layouts, ["", "&theme=dark", "&scale=2", "&card=og"])
    func flatPolls_haveFewColors(_ layout: PollRequest.Layout, _ more: String) throws {
        let labels = ["Trattoria", "Sushi on the other side", "At home"]
        let request = try poll("Where shall we have dinner?", labels, "layout=\(layout.rawValue)" + more)
        var scene = PollLayout(request, typesetter).scene
        func colorCount() throws -> Int {
            let picture = try draw(scene, scale: request.scale.double)
            var colors: Set<Color> = []
            for y in 0..<picture.height { for x in 0..<picture.width { colors.insert(picture[x, y]) } }
            return colors.count
        }
        #expect(try (3...256).contains(colorCount()))
        scene.items.append(.shade(CardShape(rings: []), CardGradient(start: [0, 0], end: [1, 0], colors: [.white])))
        #expect(try colorCount() > 256)
    }

    // MARK: Icons and faces

    /// They stand in the box of their option, clear of its words, however narrow the picture is.
    @Test(arguments: layouts, ["", "&width=240", "&card=og", "&language=ar", "&scale=2"])
    func pictures_standInTheirBoxes_clearOfWords(_ layout: PollRequest.Layout, _ more: String) throws {
        let parts = ["faces:a,b,c,d,e", "faces:a", "names:Anna,Bo"]
        for votes in ["votes:3%7C", ""] {
            let options = parts.map { "option=\(votes)icon:i.png%7C\($0)%7CSomewhere%20else,%20as%20always" }
            let query = options.joined(separator: "&") + "&layout=\(layout.rawValue)"
            let request = try PollRequest.parse(
                QueryItems.parse(query + more))
            let bare = PollLayout(request, typesetter)
            #expect(bare.pictures.count == 9)
            let shown = bare.pictures.enumerated().map {
                ($0.element.element, CardLayout.Shown(number: $0.offset, size: $0.element.size))
            }
            let made = PollLayout(request, typesetter, showing: Dictionary(uniqueKeysWithValues: shown))
            // Where everything is does not depend on what could be had.
            #expect(made.boxes == bare.boxes && made.heightPx == bare.heightPx)
            let zoom = made.scene.zoom
            let places = made.scene.items.compactMap { item -> CardRect? in
                if case .picture(_, _, let rect) = item { rect } else { nil }
            }
            #expect(places.count == 9)
            var words: [CardRect] = []
            for line in texts(made.scene) where line.font.size > 12 {
                var alone = CardScene(width: made.scene.width, background: .white)
                (alone.height, alone.items, alone.zoom) = (made.scene.height, [.text(line)], 1)
                if let ink = try draw(alone).ink { words.append(ink) }
            }
            for place in places {
                let scaled = place.scaled(by: zoom)
                let isInside = made.boxes.contains { box in
                    box.x - 0.5 <= scaled.x && box.y - 0.5 <= scaled.y && scaled.right <= box.right + 0.5
                        && scaled.bottom <= box.bottom + 0.5
                }
                // Narrow columns have their pictures in the legend, and are tapped themselves.
                #expect(isInside || layout == .columns, "\(query) \(more): \(scaled)")
                for ink in words {
                    let isApart =
                        ink.right <= place.x + 1 || place.right <= ink.x + 1 || ink.bottom <= place.y + 1
                        || place.bottom <= ink.y + 1
                    #expect(isApart, "\(query) \(more): \(place) and \(ink)")
                }
            }
        }
    }

    /// Who has no picture has letters, and there is a price for the worst.
    @Test func facesWithoutPictures_haveLetters_andAPrice() throws {
        let people = Array(repeating: "Anna Bell", count: 5).joined(separator: ",")
        let items = (0..<20).map { QueryItem(name: "option", value: "names:\(people)|Option \($0)") }
        let request = try PollRequest.parse(items)
        let scene = PollLayout(request, typesetter).scene
        #expect(texts(scene).filter { $0.text == CardText.scalars("AB") }.count == 100)
        let plain = try PollRequest.parse((0..<20).map { QueryItem(name: "option", value: "Option \($0)") })
        #expect(request.layoutCost.microseconds > plain.layoutCost.microseconds + 10_000)
        #expect((20_000...1_000_000).contains(request.layoutCost.microseconds))
    }

    /// Twenty long options with icons, a long question and a foot have room on a preview; the foot was cut off.
    @Test(arguments: layouts, ["votes:\(PollRequest.voteLimit)|", ""])
    func previews_haveRoomForTheMost(_ layout: PollRequest.Layout, _ votes: String) throws {
        let names = Array(repeating: "Bo", count: PollRequest.faceLimit).joined(separator: ",")
        for faces in ["", "names:\(names)|"] {
            let option = votes + "icon:i.png|chosen:1|" + faces + String(repeating: "漢", count: 120)
            let items =
                [QueryItem(name: "question", value: String(repeating: "漢", count: 300))]
                + (0..<20).map { _ in QueryItem(name: "option", value: option) }
            let more = "card=og&anonymous=1&percent=none&closes=2026-11-27T18:00Z&layout=\(layout.rawValue)"
            let made = PollLayout(try PollRequest.parse(items + QueryItems.parse(more)), typesetter)
            for line in texts(made.scene) {
                #expect(line.baseline > line.font.size && line.baseline + line.font.size / 2 < made.scene.height)
            }
            #expect(made.boxes.allSatisfy { $0.y >= 0 && $0.bottom <= Double(made.heightPx) })
            #expect(made.heightPx == 630)
        }
    }

    // MARK: Texts

    private static let scripts: [(String, [String])] = [
        (
            "أين نتناول العشاء يوم الجمعة مع جميع الأصدقاء من المدرسة القديمة؟",
            ["مطعم البحر الأزرق على الشاطئ الجميل", "سوشي", "نطبخ في المنزل"]
        ),
        ("शुक्रवार को रात का खाना कहाँ खाएँ और किसके साथ?", ["घर पर खाना बनाएँ और मेहमानों को बुलाएँ", "पिज़्ज़ा", "ढाबा"]),
        ("周五晚上我们去哪里吃饭？周五晚上我们去哪里吃饭？", ["在家做饭，然后一起看电影，非常有意思的电影", "寿司", "火锅"]),
        (
            "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz?",
            ["Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunte", "Ja", "Ångström Ťŷ"]
        ),
        ("မြန်မာစာ ไทยภาษา ភាសាខ្មែរ தமிழ் മലയാളം", ["ភាសាខ្មែរ ភាសាខ្មែរ", "བོད་ཡིག", "ไทยภาษาไทยภาษาไทยภาษาไทยภาษา"]),
    ]

    @Test(arguments: scripts.indices, layouts)
    func ink_staysInItsLine(_ script: Int, _ layout: PollRequest.Layout) throws {
        let (question, labels) = Self.scripts[script]
        for width in [280, 600] {
            let request = try poll(question, labels, "layout=\(layout.rawValue)&width=\(width)")
            let made = PollLayout(request, typesetter)
            let inks = try texts(made.scene).map { line in
                var alone = CardScene(width: made.scene.width, background: .white)
                alone.height = made.scene.height
                alone.items = [.text(line)]
                return try draw(alone).ink
            }
            for (index, ink) in inks.enumerated() {
                guard let ink else {
                    Issue.record("line \(index) shows nothing")
                    continue
                }
                #expect(
                    ink.x >= 4 && ink.y >= 4 && ink.right <= Double(made.widthPx - 4)
                        && ink.bottom <= Double(made.heightPx - 4), "\(width): \(ink)")
                for other in inks[(index + 1)...].compactMap(\.self) {
                    let isApart =
                        ink.right <= other.x || other.right <= ink.x || ink.bottom <= other.y || other.bottom <= ink.y
                    #expect(isApart, "\(question) \(layout) \(width): \(ink) and \(other)")
                }
            }
        }
    }

    @Test(arguments: layouts, ["light", "dark"])
    func contrast_isReadable(_ layout: PollRequest.Layout, _ theme: String) throws {
        for color in ["", "&accent=000", "&accent=fff", "&accent=ff0", "&accent=00f"] {
            let more = "layout=\(layout.rawValue)&theme=\(theme)&anonymous=1&sort=votes" + color
            let scene = PollLayout(try poll("Which one?", ["One", "Two", "Three"], more), typesetter).scene
            let lines = texts(scene)
            var (ground, black) = (scene, scene)
            ground.items.removeAll { if case .text = $0 { true } else { false } }
            black.background = .white
            black.items = lines.map { line in
                var line = line
                line.color = .black
                return .text(line)
            }
            let (drawn, below, mask) = try (draw(scene), draw(ground), draw(black))
            var worst = 21.0
            for y in 0..<drawn.height {
                for x in 0..<drawn.width where mask[x, y] == .black {
                    worst = min(worst, drawn[x, y].contrast(to: below[x, y]))
                }
            }
            #expect(worst >= 4.5 && worst < 21, "\(more)")
        }
    }

    /// Signs that pile up end before the next option: four of the deepest Tibetan ones reached 67 pixels below their line.
    @Test func towersOfSigns_stayOffOtherOptions() throws {
        let tower = "\u{0F40}" + String(repeating: "\u{0FAC}", count: 4)
        #expect(try #require(typesetter.ink(CardText.scalars(tower), isBold: false)).bottom > 2)
        func second(below label: String) throws -> [Color] {
            let layout = PollLayout(try poll("Which?", [label, "Plain"]), typesetter)
            let (picture, box) = (try draw(layout.scene), layout.boxes[1])
            return (Int(box.y)..<Int(box.bottom)).flatMap { y in
                (Int(box.x)..<Int(box.right)).map { x in picture[x, y] }
            }
        }
        let ordinary = try second(below: "One")
        #expect(Set(ordinary).count > 2)
        #expect(try second(below: String(repeating: tower, count: 8)) == ordinary)
    }

    /// Random texts of twenty scripts with marks, joiners, directions and emoji break neither layout nor drawing.
    @Test func hostileTexts_breakNothing() throws {
        var random = SeededGenerator(state: 7)
        let ranges: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0xA0...0x24F, 0x300...0x36F, 0x370...0x3FF, 0x400...0x4FF, 0x530...0x58F, 0x590...0x5FF,
            0x600...0x6FF,
            0x900...0x97F, 0x980...0x9FF, 0xB80...0xBFF, 0xE00...0xE7F, 0xF00...0xFFF, 0x1000...0x109F, 0x10A0...0x10FF,
            0x1100...0x11FF,
            0x1780...0x17FF, 0x1800...0x18AF, 0x200B...0x206F, 0x3040...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3,
            0xFDF0...0xFDFF,
            0x1F300...0x1F6FF, 0xE0000...0xE007F, 0x0...0x10FFFF,
        ]
        func text(_ limit: Int) -> String {
            let few = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                ranges[Int.random(in: ranges.indices, using: &random)]
            }
            var scalars = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...limit, using: &random) {
                let range = few[Int.random(in: few.indices, using: &random)]
                if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { scalars.append(scalar) }
            }
            return String(scalars)
        }
        var drawnCount = 0
        for round in 0..<2500 {
            var items = [QueryItem(name: "question", value: text(150))]
            for _ in 0..<4 {
                items.append(QueryItem(name: "option", value: "votes:1|label:" + BarText.escaped(text(60))))
            }
            items.append(QueryItem(name: "layout", value: Self.layouts[round % 6].rawValue))
            items.append(QueryItem(name: "width", value: String(Int.random(in: 240...700, using: &random))))
            guard let request = try? PollRequest.parse(items) else { continue }
            #expect(try PollRequest.parse(QueryItems.parse(request.canonical)).canonical == request.canonical)
            let layout = PollLayout(request, typesetter)
            #expect(layout.heightPx < 1200)
            for line in texts(layout.scene) {
                let width = typesetter.advances(line.text, isBold: line.font.isBold).reduce(0, +) * line.font.size
                #expect(width <= layout.scene.width, "\(request.canonical)")
            }
            if round % 50 == 0 {
                _ = try draw(layout.scene)
                drawnCount += 1
            }
        }
        #expect(drawnCount > 20)
    }

    @Test func noVotes_drawNothingThatIsNoNumber() throws {
        for layout in Self.layouts {
            let query = "option=votes:0%7Ca&option=votes:0%7Cb&layout=\(layout.rawValue)"
            for more in ["", "&voters=0", "&voters=5"] {
                let made = PollLayout(try PollRequest.parse(QueryItems.parse(query + more)), typesetter)
                #expect(made.figures.percents == [0, 0])
                for case .fill(let shape, _) in made.scene.items {
                    #expect(shape.rings.joined().allSatisfy { $0.x.isFinite && $0.y.isFinite })
                }
                _ = try draw(made.scene)
            }
        }
    }

    /// The most that a request may ask for: within the areas of all formats, and priced below what is refused.
    @Test func worstRequests_haveAPrice() throws {
        var most = 0
        for wide in [false, true] {
            for (width, scale) in [(240, 4), (400, 4), (720, 4), (800, 3.6), (1600, 1.8)] {
                for layout in Self.layouts {
                    let request = try poll(
                        String(repeating: wide ? "漢" : "iW ", count: wide ? 300 : 100),
                        (0..<20).map { _ in String(repeating: wide ? "漢" : "mW ", count: wide ? 120 : 40) },
                        "layout=\(layout.rawValue)&width=\(width)&scale=\(scale)")
                    let scene = PollLayout(request, typesetter).scene
                    let size = scene.size(at: request.scale)
                    #expect(size.widthPx * size.heightPx <= OutputFormat.webp.areaLimitPx && size.heightPx <= 16_383)
                    let cost = scene.predictedCost(at: request.scale, request.encoding, as: .png)
                    #expect(cost.byteCount <= size.widthPx * size.heightPx * 16)
                    most = max(most, cost.microseconds)
                }
            }
        }
        #expect((100_000...5_000_000).contains(most))
    }
}

enum TestFonts {
    static let all = FontSet()
    static let areThere = all.faces.contains { $0.family == "Noto Sans" }
}

/// Opaque pixels.
struct Picture {
    let width, height: Int
    private let bytes: [UInt8]

    init(_ buffer: PixelBuffer) {
        (width, height) = (buffer.widthPx, buffer.heightPx)
        bytes = buffer.pixels.withUnsafeBytes { Array($0) }
    }

    subscript(x: Int, y: Int) -> Color {
        let start = (y * width + x) * 4
        return Color(red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2])
    }

    /// Where it is not white.
    var ink: CardRect? {
        var (left, top, right, bottom) = (width, height, -1, -1)
        for y in 0..<height {
            for x in 0..<width where self[x, y] != .white {
                (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
            }
        }
        guard right >= 0 else { return nil }
        return CardRect(
            x: Double(left), y: Double(top), width: Double(right - left + 1), height: Double(bottom - top + 1))
    }
}
