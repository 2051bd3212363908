import Cards
import Colors
import Digest
import ImagePlan
import Parameters
import SeededRandom
import Testing
import TextLines

@testable import CardGrammar
@testable import CardPlan

@Suite(.timeLimit(.minutes(5))) struct AvatarTests {
    private func parsed(_ query: String) throws -> AvatarRequest {
        try AvatarRequest.parse(QueryItems.parse(query.replacing("|", with: "%7C")))
    }

    private func faults(_ query: String) -> [String] {
        do throws(ParameterFaults) {
            _ = try AvatarRequest.parse(try QueryItems.parse(query))
            return []
        } catch {
            return error.faults.map(\.message)
        }
    }

    @Test(arguments: [
        ("ids=a.jpg,b.jpg&names=Anna%20Bell,Bo", "person=id:a.jpg%7CAnna%20Bell&person=id:b.jpg%7CBo"),
        ("person=name:Anna|seed:42|color:1f6feb|id:x", "person=id:x%7Cseed:42%7Ccolor:1f6feb%7CAnna"),
        ("person=A&badge=007", "person=A&badge=7"), ("person=A&badge=b.png", "person=A&badge=b.png"),
        ("names=A,,B", "names=A,,B"), ("names=%20,", "names=,"),
        ("names=" + String(repeating: "a", count: 100), "person=" + String(repeating: "a", count: 100)),
        ("person=id:https://a.example/x.jpg|", "person=id:https://a.example/x.jpg"),
        ("person=A&s=64&max=4&gap=2.0&fallback=initials,identicon&order=given&bg=transparent", "person=A&size=64"),
        (
            "person=A&shape=rounded:12&ring=3:fff&fallback=a.png,404&palette=gray&badge=0&gravity=attention",
            "person=A&shape=rounded:12&ring=3:ffffff&fallback=a.png,404&palette=grey&badge=0"
        ),
    ])
    func canonicalText_isTheRequest(_ query: String, _ canonical: String) throws {
        #expect(try parsed(query).canonical == canonical)
        #expect(try parsed(canonical).canonical == canonical)
    }

    @Test func badRequests_areRefusedAllAtOnce() {
        let messages = faults(
            "person=id:&person=nmae:A%7CB&size=8&shape=oval&layout=ring&max=10&total=1&ring=3&palette=fff8&fallback=&status=here"
        )
        #expect(messages.count == 9, "\(messages)")
        #expect(messages[1].contains("did you mean `name`?"))
        #expect(faults("").first == "`person` is required.")
        #expect(faults("person=A&ids=x").first?.contains("cannot be combined") == true)
        #expect(
            faults((0..<51).map { "person=P\($0)" }.joined(separator: "&")).first?.contains("1 to 50 times") == true)
        #expect(faults("names=%20").first == "`person` is required.")
        let long = String(repeating: "a", count: 101)
        #expect(faults("person=\(long)").count == 1 && faults("names=A,\(long)").count == 1)
        let huge = String(repeating: "%F0%9F%98%80", count: 250_000)
        for text in [huge, "a" + String(repeating: "%CC%81", count: 500_000), huge + "%7CA"] {
            #expect(faults("person=\(text)").count == 1 && faults("names=\(text)").count == 1)
        }
        #expect(faults("person=A&badge=1000001").first?.contains("from 0 to 1000000") == true)
        #expect(faults("person=A&person=B&total=1").first?.contains("at least the number of people") == true)
    }

    @Test func stableOrder_isThatOfAllPermutations() throws {
        var random = SeededGenerator(state: 3)
        let people = [
            "id:a.jpg|Anna", "Bo", "id:c.jpg", "seed:9|Dora", "Bo", "id:x.jpg|seed:9|Dora", "seed:9|color:red|Dora",
        ]
        let whole = try parsed(people.map { "person=" + $0 }.joined(separator: "&") + "&order=stable").canonical
        for _ in 0..<50 {
            let shuffled = people.shuffled(using: &random).map { "person=" + $0 }.joined(separator: "&")
            #expect(try parsed(shuffled + "&order=stable").canonical == whole)
        }
        #expect(try parsed(whole).canonical == whole)
    }

    @Test(arguments: [
        ("Anna Bell", 2, "AB"), ("Anna", 2, "A"), ("Anna Maria Bell", 2, "AB"), ("Anna Maria Bell", 3, "AMB"),
        ("anna bell", 1, "A"),
        ("王小明", 2, "小明"), ("山田 太郎", 2, "太郎"), ("김민준", 1, "준"), ("محمد علي", 2, "م\u{200C}ع"), ("🦊 Fox", 2, "🦊"),
        ("👩‍👩‍👧 Us", 2, "👩‍👩‍👧"),
        ("ßara Öz", 2, "SÖ"), ("  (Bob) ", 2, "B"), ("...", 2, ""), ("", 2, ""), ("é̂lodie x", 2, "É̂X"),
        ("ǆana", 1, "Ǆ"),
    ])
    func initials_standForNames(_ name: String, _ count: Int, _ initials: String) {
        #expect(Initials.of(name, count) == initials)
    }

    @Test(arguments: [
        ("John Doe", 2, true, "JD"), ("john", 2, true, "JO"), ("john", 2, false, "jo"),
        ("anna maria bell", 2, false, "ab"),
        ("anna maria bell", 3, true, "AMB"), ("(x)", 3, true, "X"), ("王小明", 2, true, "小明"), ("🦊 Fox", 2, true, "🦊"),
        ("...", 2, true, ""),
    ])
    func lettersOfNames_areThoseOfUIAvatars(_ name: String, _ count: Int, _ isUpper: Bool, _ letters: String) {
        #expect(Initials.ofWord(name, count, isUpper: isUpper) == letters)
    }

    @Test(arguments: [
        ("XYZ", "XYZ"), ("ab", "AB"), ("王小", "王小"), ("王小明", "王小明"), ("ホヘ", "ホヘ"), ("김이", "김이"), ("אב", "אב"),
        ("مع", "م\u{200C}ع"), ("🦊f", "🦊F"), ("A.B", "AB"),
    ])
    func initialsOfHashes_areAllShown(_ given: String, _ shown: String) throws {
        let hash = String(repeating: "0", count: 32)
        let request = try HashedAvatar.parse(hash, [QueryItem(name: "initials", value: given)]).request
        #expect(request.initials(of: try #require(request.persons.first)) == shown)
    }

    // MARK: Layouts

    private static let shapes: [AvatarRequest.Shape] = [.circle, .squircle, .rounded(40)]

    @Test(arguments: AvatarRequest.Layout.allCases, 1...9)
    func cells_lieInThePictureApart(_ layout: AvatarRequest.Layout, _ count: Int) {
        for shape in Self.shapes {
            for signs in [false, true] {
                var request = AvatarRequest()
                request.persons = (0..<count).map { AvatarPerson(name: "P\($0)") }
                (request.layout, request.shape, request.cellLimit) = (layout, shape, 9)
                if signs { (request.status, request.badge) = (.online, .number(3)) }
                request.ring = AvatarRequest.Ring(width: 2, color: .white)
                let made = AvatarLayout(request)
                #expect(made.cells.count == (layout == .pair ? min(2, count) : count))
                for cell in made.cells {
                    let bounds = cell.shape.bounds ?? CardRect(x: -1, y: 0, width: 0, height: 0)
                    #expect(
                        bounds.x >= -0.01 && bounds.y >= -0.01 && bounds.right <= made.width + 0.01
                            && bounds.bottom <= made.height + 0.01)
                    #expect(cell.radius > 8, "\(layout) \(count)")
                }
                for y in stride(from: 1.5, to: made.height, by: 21) {
                    for x in stride(from: 1.5, to: made.width, by: 21) {
                        let owners = made.cells.filter { $0.shape.contains([x, y]) }
                        if owners.count > 1 { Issue.record("\(layout) \(count) \(shape) \(signs): \(x),\(y)") }
                        let isSign = signs && Self.isSign(made, x, y)
                        if isSign, !owners.isEmpty { Issue.record("\(layout) \(count) \(shape): sign at \(x),\(y)") }
                    }
                }
            }
        }
    }

    @Test(arguments: AvatarRequest.Layout.allCases, 1...9)
    func widestGapsAndRings_leaveRoomForEverybody(_ layout: AvatarRequest.Layout, _ count: Int) throws {
        let names = (0..<count).map { "P\($0)" }.joined(separator: ",")
        for shape in ["circle", "squircle", "square", "rounded:40"] {
            let query = "names=\(names)&layout=\(layout.rawValue)&max=9&gap=20&ring=20:fff&shape=\(shape)"
            let made = AvatarLayout(try parsed(query))
            #expect(made.cells.count == (layout == .pair ? min(2, count) : count))
            for cell in made.cells {
                let bounds = try #require(cell.shape.bounds)
                #expect(min(bounds.width, bounds.height) > 4 && cell.radius > 2, "\(layout) \(count) \(shape)")
            }
        }
    }

    private static func isSign(_ layout: AvatarLayout, _ x: Double, _ y: Double) -> Bool {
        for sign in [layout.dot, layout.badge] {
            let (dx, dy) = (x - sign.center.x, y - sign.center.y)
            if dx * dx + dy * dy < sign.radius * sign.radius { return true }
        }
        return false
    }

    @Test func lastCell_tellsHowManyMore() throws {
        func more(_ query: String) throws -> [AvatarCell.Content] {
            AvatarLayout(try parsed(query)).cells.map(\.content)
        }
        #expect(try more("names=A,B,C,D,E") == [.person(0), .person(1), .person(2), .more(2)])
        #expect(try more("names=A,B,C,D&total=4") == [.person(0), .person(1), .person(2), .person(3)])
        #expect(try more("names=A,B&total=9") == [.person(0), .person(1), .more(7)])
        #expect(try more("names=A,B&max=1") == [.person(0)])
        #expect(try more("names=A,B,C&layout=pair") == [.person(0), .more(2)])
    }

    /// Fewer people than cells, and more in truth: the last disc ends where the row does.
    @Test(arguments: ["names=A,B&total=9&max=9", "names=A,B&total=3", "names=A,B,C,D,E,F", "names=A&total=5&max=2"])
    func row_isAsWideAsItsDiscs(_ query: String) throws {
        let made = AvatarLayout(try parsed(query + "&layout=stack"))
        let right = made.cells.map(\.frame.right).max() ?? 0
        #expect(abs(right - made.width) < 1, "\(right) of \(made.width)")
    }

    /// Whoever is shown, in whatever colors.
    @Test(arguments: AvatarRequest.Layout.allCases, 1...9)
    func layoutsOfAStyle_haveTheSameCells(_ layout: AvatarRequest.Layout, _ count: Int) {
        var one = AvatarRequest()
        one.persons = (0..<12).map { AvatarPerson(name: "P\($0)") }
        (one.layout, one.cellLimit, one.sizePx) = (layout, count, 64)
        one.ring = AvatarRequest.Ring(width: 2, color: .white)
        (one.status, one.badge) = (.online, .number(3))
        var other = one
        other.persons = (0..<9).map { AvatarPerson(id: "\($0).jpg", name: "Q\($0)") }
        (other.total, other.scale, other.palette) = (500, 2, .bold)
        other.ring = AvatarRequest.Ring(width: 2, color: .black)
        (other.status, other.badge) = (.busy, .asset("b.png"))
        for isCut in [false, true] {
            #expect(AvatarLayout.Style(one, isCut: isCut) == AvatarLayout.Style(other, isCut: isCut))
            let known = AvatarLayout(one, isCut: isCut).showing(AvatarRequest()).showing(other)
            let made = AvatarLayout(other, isCut: isCut)
            #expect(known.cells == made.cells && known.pictureIDs == made.pictureIDs)
            #expect(known.scene(showing: [:], NoMeasure()) == made.scene(showing: [:], NoMeasure()))
            #expect(known.predictedCost(as: .png) == made.predictedCost(as: .png))
        }
    }

    @Test func whatMovesCells_isAnotherStyle() throws {
        var seen: Set<AvatarLayout.Style> = []
        for query in [
            "", "&size=65", "&shape=square", "&shape=rounded:4", "&shape=rounded:5", "&layout=grid", "&gap=3",
            "&ring=2:fff", "&ring=3:fff", "&status=away", "&badge=1", "&status=away&badge=1", "&max=2", "&total=9",
        ] {
            let request = try parsed("names=A,B,C" + query)
            for isCut in [false, true] {
                #expect(seen.insert(AvatarLayout.Style(request, isCut: isCut)).inserted, "\(query)")
            }
        }
        #expect(seen.insert(AvatarLayout.Style(try parsed("names=A,B,C,D"), isCut: true)).inserted)
    }

    // MARK: What stands in for a picture

    @Test(.enabled(if: TestFonts.areThere, "no fonts"))
    func anyName_showsSomethingReadable() throws {
        let typesetter = CardTypesetter(fonts: TestFonts.all)
        var random = SeededGenerator(state: 5)
        let ranges: [ClosedRange<UInt32>] = [
            0x41...0x5A, 0xC0...0x24F, 0x391...0x3C9, 0x410...0x44F, 0x531...0x556, 0x5D0...0x5EA, 0x620...0x64A,
            0x905...0x939, 0x985...0x9B9,
            0xB85...0xBB9, 0xE01...0xE2E, 0xF40...0xF6C, 0x1000...0x1020, 0x10D0...0x10F0, 0x1780...0x17A2,
            0x3041...0x3096, 0x4E00...0x9FA5,
            0xAC00...0xD7A3, 0x1F300...0x1F64F, 0x0...0x10FFFF,
        ]
        var patternCount = 0
        var (lettered, measured) = ([Int](repeating: 0, count: ranges.count), Set<Int>())
        for round in 0..<10_000 {
            let script = round % ranges.count
            let range = ranges[script]
            var name = String.UnicodeScalarView()
            for place in 0..<Int.random(in: 1...9, using: &random) {
                if place == 4 { name.append(" ") }
                if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { name.append(scalar) }
            }
            var request = AvatarRequest()
            request.persons = [AvatarPerson(name: CleanText.cleaned(String(name)))]
            request.palette =
                [
                    .calm, .bold, .grey,
                    .colors([Color(red: UInt8(round & 255), green: UInt8(round >> 4 & 255), blue: 99)]),
                ][round / ranges.count % 4]
            let scene = AvatarLayout(request).scene(showing: [:], typesetter)
            guard case .fill(_, let ground)? = scene.items.first, scene.items.count > 1 else {
                Issue.record("\(name) has an empty cell")
                continue
            }
            if case .text(let line) = scene.items[1] {
                #expect(ground.contrast(to: line.color) >= 4.5)
                lettered[script] += 1
                // Of each script in turn.
                guard round % 51 == 0 else { continue }
                measured.insert(script)
                let drawn = Picture(try CardDrawing.draw(scene, widthPx: 256, heightPx: 256, factor: 1, typesetter))
                var inkCount = 0
                for y in 0..<256 {
                    for x in 0..<256 where drawn[x, y].contrast(to: ground) >= 4.5 && drawn[x, y] == line.color {
                        inkCount += 1
                    }
                }
                #expect(inkCount > 40, "\(name)")
            } else {
                patternCount += 1
            }
        }
        #expect(patternCount < 2500)
        for script in ranges.indices where lettered[script] > 250 { #expect(measured.contains(script), "\(script)") }
    }

    @Test func identicons_areNeverEqual() {
        for fallback in [AvatarRequest.Fallback.identicon, .retro] {
            var seen: Set<Digest256Key> = []
            for seed in 0..<10_000 {
                var request = AvatarRequest()
                request.persons = [AvatarPerson(name: "seed \(seed)")]
                request.fallbacks = [fallback]
                let scene = AvatarLayout(request).scene(showing: [:], NoMeasure())
                #expect(seen.insert(Digest256Key(scene)).inserted, "\(seed)")
            }
        }
    }
}

extension CardShape {
    fileprivate func contains(_ place: SIMD2<Double>) -> Bool {
        var isInside = false
        for ring in rings {
            for (start, end) in zip(ring, ring.dropFirst() + ring.prefix(1))
            where (start.y > place.y) != (end.y > place.y) {
                if place.x < start.x + (place.y - start.y) / (end.y - start.y) * (end.x - start.x) { isInside.toggle() }
            }
        }
        return isInside
    }
}

/// Tells scenes of squares apart.
private struct Digest256Key: Hashable {
    let text: String

    init(_ scene: CardScene) {
        text = scene.items.map { item in
            guard case .fill(let shape, let color) = item else { return "" }
            return "\(shape.rings[0][0])\(color.canonical)"
        }.joined()
    }
}
