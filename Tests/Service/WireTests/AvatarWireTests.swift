import FakeOrigin
import Foundation
import ImagePlan
import Reactor
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// `/avatar` over a socket: what of a group depends on its people.
@Suite(.timeLimit(.minutes(5))) struct AvatarWireTests {
    private static let group = "/avatar?ids=a.png,b.png&names=Anna,Bo&size=64&format=png"

    @Test func group_isMadeOnce_andKnownBeforeAnyWork() throws {
        try withPictures { pictures, client throws in
            let made = try client.get(Self.group)
            #expect(made.code == 200 && made.field("Content-Type") == "image/png")
            #expect(try DecodedPicture(made.content).widthPx == 64)
            #expect(made.field("Veduta-Fallback") == nil)
            #expect(made.field("Cache-Tag")?.split(separator: ",").count == 4)
            let tag = try #require(made.field("ETag"))
            #expect(try client.get(Self.group).cacheStatus.hasPrefix("hit"))
            #expect(try client.get(Self.group, "If-None-Match: \(tag)").code == 304)
            #expect(try client.get(Self.group, method: "HEAD").field("ETag") == tag)
            // A replica with the same files has the same tags, and does no work for them.
            let replica = try RunningService {
                $0.library = pictures.path
                $0.sourceLifetime = 0
            }
            let other = try WireClient(replica.address)
            #expect(try other.get(Self.group, "If-None-Match: \(tag)").code == 304)
            #expect(try other.metric("veduta_renders_total{route=\"avatar\"}") == 0)
        }
    }

    @Test func newPictureOfOnePerson_changesTheirGroupsAlone() throws {
        try withPictures { pictures, client throws in
            let alone = "/avatar?person=id:b.png%7CBo&size=64&format=png"
            let (group, other) = (try client.get(Self.group), try client.get(alone))
            try pictures.add("a.png", PictureFolder.picture(200, 200))
            let changed = try client.get(Self.group)
            #expect(changed.field("ETag") != group.field("ETag") && changed.content != group.content)
            #expect(try client.get(alone).field("ETag") == other.field("ETag"))
        }
    }

    /// Composed and decomposed letters are equal as texts.
    @Test func picturesWhoseIDsLookTheSame_areTwo() throws {
        try withPictures { pictures, client throws in
            for (name, side) in [("\u{e9}.png", 100), ("e\u{301}.png", 120)] {
                try pictures.add(name, PictureFolder.picture(side, side))
            }
            let target = "/avatar?ids=%C3%A9.png,e%CC%81.png&size=64&format=png"
            let group = try client.get(target)
            #expect(group.code == 200 && group.field("Veduta-Fallback") == nil, "\(group.text)")
            #expect(try client.get(target).cacheStatus.hasPrefix("hit"))
            try pictures.add("e\u{301}.png", PictureFolder.picture(60, 200))
            let changed = try client.get(target)
            #expect(changed.field("ETag") != group.field("ETag") && changed.content != group.content)
        }
    }

    @Test func permutations_haveOneTag_whereOrderIsStable() throws {
        try withPictures { _, client throws in
            let tags = try ["a.png,b.png", "b.png,a.png"].map { ids throws in
                try client.get("/avatar?ids=\(ids)&order=stable&size=64&format=png").field("ETag")
            }
            #expect(tags[0] != nil && tags[0] == tags[1])
            #expect(try client.metric("veduta_renders_total{route=\"avatar\"}") == 1)
        }
    }

    @Test func missingAndBrokenPictures_areReplaced_andTheAnswerIsNotKept() throws {
        try withPictures { pictures, client throws in
            try pictures.add("broken.png", Array("\u{89}PNG\r\n\u{1a}\n nothing".utf8))
            let target = "/avatar?ids=a.png,gone.png,broken.png&names=Anna,Bo,Cy&size=64&format=png"
            let lacking = try client.get(target)
            #expect(lacking.code == 200, "\(lacking.text)")
            #expect(lacking.field("Veduta-Fallback") == "2/3")
            #expect(lacking.field("Cache-Control") == "max-age=60")
            #expect(lacking.field("ETag") == nil)
            #expect(!lacking.cacheStatus.contains("stored"))
            #expect(try client.get(target).cacheStatus.hasPrefix("fwd"))
            // Whoever has no picture needs none.
            let whole = try client.get("/avatar?ids=a.png,&names=Anna,Bo&size=64&format=png")
            #expect(whole.field("Veduta-Fallback") == nil && whole.field("ETag") != nil)
            #expect(try client.get("/avatar?ids=gone.png&fallback=404").code == 404)
            let instead = try client.get("/avatar?person=Bo&fallback=b.png,initials&size=64&format=png")
            #expect(instead.field("ETag") != nil)
            #expect(instead.content == (try client.get("/avatar?person=id:b.png&size=64&format=png")).content)
            try pictures.add("gone.png", PictureFolder.picture(50, 50))
            #expect(try client.get(target).field("Veduta-Fallback") == "1/3")
        }
    }

    @Test func badge_isAPictureOfItsAvatar_withoutWhichThereIsOne() throws {
        try withPictures { pictures, client throws in
            let target = "/avatar?person=id:a.png%7CAnna&badge=b.png&fallback=404&size=64&format=png"
            let made = try client.get(target)
            #expect(made.code == 200 && made.field("Veduta-Fallback") == nil, "\(made.text)")
            #expect(made.field("Cache-Tag")?.split(separator: ",").count == 4)
            try pictures.add("b.png", PictureFolder.picture(80, 80))
            let changed = try client.get(target)
            #expect(changed.field("ETag") != made.field("ETag") && changed.content != made.content)
            let lacking = try client.get(target.replacing("b.png", with: "gone.png"))
            #expect(lacking.code == 200 && lacking.field("Veduta-Fallback") == "1/2")
            #expect(try client.get(target.replacing("a.png", with: "gone.png")).code == 404)
        }
    }

    @Test func drawing_isThePictureInShapes() throws {
        try withPictures({ $0.formats = [.svg] }) { pictures, client throws in
            let query = "names=%3Cb%3EAnna,Bo%20Li,&size=96&status=online&fallback=initials,identicon&background=fff"
            let drawing = try client.get("/avatar?\(query)&format=svg&download=group")
            #expect(drawing.code == 200 && drawing.field("Content-Type") == "image/svg+xml", "\(drawing.text)")
            #expect(drawing.field("Content-Security-Policy") == "sandbox" && drawing.field("Vary") == nil)
            #expect(drawing.field("Content-Disposition") == "attachment; filename=\"group.svg\"")
            #expect(drawing.text.hasPrefix("<svg ") && !drawing.text.contains("Anna"))
            #expect(try client.get("/avatar?\(query)&format=svg&download=group").cacheStatus.hasPrefix("hit"))
            let told = try client.get("/avatar?\(query)&format=svg&explain=1", "Accept: image/avif")
            #expect(told.code == 200 && !told.text.contains("avif"), "\(told.text)")
            // Drawn by another program it looks the same.
            try pictures.add("group.svg", drawing.content)
            let redrawn = try client.get("/asset?id=group.svg&format=png")
            let drawn = try client.get("/avatar?\(query)&format=png")
            let (one, other) = (try DecodedPicture(redrawn.content), try DecodedPicture(drawn.content))
            #expect(one.widthPx == 96 && one.heightPx == 96)
            let distance = zip(one.samples, other.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            #expect(Double(distance) / Double(other.samples.count) < 2, "\(distance)")
            #expect(try client.get("/avatar?ids=a.png&format=svg").code == 400)
            #expect(try client.get("/avatar?names=A&format=svg&filter=sepia").code == 400)
        }
    }

    @Test func purgeOfOnePerson_purgesTheirGroups() throws {
        try withPictures { _, client throws in
            let alone = "/avatar?person=id:a.png&size=64&format=png"
            for target in [Self.group, alone] { #expect(try client.get(target).code == 200) }
            let purged = try client.get("/cache?id=b.png", method: "DELETE", "Authorization: Bearer secret")
            #expect(purged.text == "{\"memory\":1,\"disk\":0}\n")
            #expect(try client.get(alone).cacheStatus.hasPrefix("hit"))
            #expect(try client.get(Self.group).cacheStatus.hasPrefix("fwd"))
        }
    }

    /// What Gravatar's `d` gives where there is no picture.
    @Test func hashes_areAnsweredAsGravatarDoes() throws {
        try withPictures { pictures, client throws in
            let (known, unknown) = (String(repeating: "ab", count: 32), String(repeating: "0", count: 32))
            try pictures.add("avatars/" + known, PictureFolder.picture(300, 300))
            let own = try client.get("/avatar/\(known.uppercased()).png?s=40&d=404&r=pg")
            #expect(own.code == 200 && own.field("ETag") != nil && own.field("Content-Type") == "image/png")
            #expect(try DecodedPicture(own.content).widthPx == 40)
            #expect(try client.get("/avatar/\(unknown)?d=404").code == 404)
            // As Redmine writes it.
            #expect(try client.get("/avatar/\(known)?rating=PG&size=50&default=").code == 200)
            #expect(try DecodedPicture(client.get("/avatar/\(unknown).jpg").content).widthPx == 80)
            var seen: Set<[UInt8]> = []
            for kind in [
                "mp", "identicon", "retro", "color", "blank", "initials&name=Anna%20Bell", "initials&initials=XYZ",
            ] {
                let answer = try client.get("/avatar/\(unknown).png?d=\(kind)")
                #expect(answer.code == 200 && answer.field("Veduta-Fallback") == "1/1", "\(kind)")
                seen.insert(answer.content)
                let forced = try client.get("/avatar/\(known).png?f=y&d=\(kind)")
                #expect(forced.field("Veduta-Fallback") == nil && forced.field("ETag") != nil)
            }
            #expect(seen.count == 7)
            let pattern = try client.get("/avatar/\(unknown).png?d=identicon").content
            let letters = try ["%E7%8E%8B%E5%B0%8F", "%E5%B0%8F"].map { text throws in
                try client.get("/avatar/\(unknown).png?d=initials&initials=\(text)").content
            }
            // Unless no font has them.
            #expect(letters[0] != letters[1] || letters[0] == pattern)
            for kind in ["monsterid", "wavatar", "robohash"] {
                let answer = try client.get("/avatar/\(unknown).png?d=\(kind)")
                #expect(answer.field("Veduta-Fallback") == "1/1;\(kind)=identicon" && answer.content == pattern)
                // What is drawn in its place is told also where no picture was looked for.
                let forced = try client.get("/avatar/\(known).png?f=y&d=\(kind)")
                #expect(forced.field("Veduta-Fallback") == "0/1;\(kind)=identicon" && forced.field("ETag") != nil)
                #expect(try client.get("/avatar/\(known).png?d=\(kind)").field("Veduta-Fallback") == nil)
            }
            for target in [
                "/avatar/abc", "/avatar/\(unknown).svg", "/avatar/\(unknown)?d=monster", "/avatar/\(unknown)?s=0",
            ] {
                #expect(try client.get(target).code == 400, "\(target)")
            }
            #expect(try client.get("/avatar/\(unknown)?d=https://elsewhere.example/x.png").code == 403)
        }
    }

    /// What ui-avatars' documentation shows.
    @Test func names_areAnsweredAsUIAvatarsDoes() throws {
        try withPictures {
            $0.compat = [.uiAvatars]
        } _: { _, client throws in
            let plain = try client.get("/api/?name=John+Doe&format=png")
            #expect(plain.code == 200 && plain.field("Content-Type") == "image/png" && plain.field("ETag") != nil)
            let picture = try DecodedPicture(plain.content)
            #expect(picture.widthPx == 64 && picture.heightPx == 64)
            // Without parameters it is that name, on that color.
            #expect(try client.get("/api/?format=png").content == plain.content)
            #expect(
                try client.get("/api/?format=png&name=John+Doe&background=f0e9e9&color=8b5d5d&length=2&rounded=false")
                    .cacheStatus.hasPrefix("hit"))
            var seen: Set<[UInt8]> = [plain.content]
            let others = [
                "size=128", "background=0D8ABC&color=fff", "background=random", "length=1", "font-size=0.33",
                "rounded=true",
                "bold=true", "uppercase=false&name=john+doe", "name=Elon+Musk",
            ]
            for query in others {
                let answer = try client.get("/api/?format=png&" + query)
                #expect(answer.code == 200, "\(query): \(answer.text)")
                #expect(seen.insert(answer.content).inserted, "\(query)")
            }
            #expect(
                try client.get("/api/?name=John&format=png").content
                    == (try client.get("/api/?name=Jo&format=png")).content)
            #expect(try client.get("/api/?format=svg", "Accept: image/webp").field("Content-Type") == "image/svg+xml")
            #expect(try client.get("/api/?size=8&length=9&colour=fff").text.contains("3 parameters"))
            #expect(try client.get("/api/?format=png", "If-None-Match: \(plain.field("ETag") ?? "")").code == 304)
        }
        try withPictures { _, client throws in
            let off = try client.get("/api/?name=John+Doe")
            #expect(off.code == 404 && off.text.contains("route-not-found"))
        }
    }

    /// The most expensive request that may be asked: its price is over the limit, so that nothing is decoded for it; with less it is
    /// made, for as long as its client wants it.
    @Test func worstRequest_isRefusedBeforeItsPicturesAreDecoded() throws {
        try withPictures {
            $0.costLimit = 1
        } _: { _, client throws in
            let people = (0..<50).map { _ in "person=id:a.png%7CA" }.joined(separator: "&")
            let worst = "/avatar?\(people)&layout=stack&max=9&size=1024&fallback=retro"
            for more in ["format=avif", "format=png&filter=median:10", "format=webp&filter=blur:100"] {
                let answer = try client.get("\(worst)&\(more)")
                #expect(answer.code == 422 && answer.text.contains("result-too-costly"), "\(answer.text)")
                #expect(answer.text.contains("cost-limit"), "\(answer.text)")
            }
            #expect(
                try client.get("/avatar?\(people)&layout=stack&max=9&size=32&fallback=retro&format=png").code == 200)
        }
    }

    /// What the drawing alone costs is too much, whatever the pictures are.
    @Test func nothingIsFetched_forWhatIsTooCostlyAnyway() throws {
        let world = try RemoteWorld { $0.memoryLimit = 1 << 20 }
        world.serve("/anna.png", try PictureFolder.picture(60, 40))
        let client = try WireClient(world.service.address)
        let person = "person=id:\(world.origin.url("/anna.png"))%7CAnna"
        let refused = try client.get("/avatar?\(person)&size=1024&scale=2&format=png")
        #expect(refused.code == 422 && refused.text.contains("result-too-costly"), "\(refused.text)")
        #expect(world.count("/anna.png") == 0)
        let made = try client.get("/avatar?\(person)&size=32&format=png")
        #expect(made.code == 200 && made.field("Veduta-Fallback") == nil, "\(made.head)")
        #expect(world.count("/anna.png") == 1)
    }

    /// Pictures are fetched at the same time. After two seconds those that have come are shown; the others go on.
    @Test func latePictures_areReplaced_andFetchedOn() throws {
        let world = try RemoteWorld()
        let picture = try PictureFolder.picture(60, 40)
        let head = FakeOrigin.Step.text(
            "HTTP/1.1 200 OK\r\nContent-Length: \(picture.count)\r\nCache-Control: max-age=600\r\n\r\n")
        for (path, gate) in [("/anna.png", "anna"), ("/bo.png", "bo"), ("/cy.png", "cy")] {
            world.answer(path, [.wait(gate), head, .bytes(picture)])
        }
        let ids = ["/anna.png", "/bo.png", "/cy.png"].map { world.origin.url($0) }.joined(separator: ",")
        let target = "/avatar?ids=\(ids)&names=Anna,Bo,Cy&size=64&format=png"
        let client = try WireClient(world.service.address)
        // An origin that is known: of another, a first connection tells whether it takes several requests at once.
        world.serve("/known.png", picture)
        #expect(try client.get("/avatar?ids=\(world.origin.url("/known.png"))&size=32").code == 200)
        client.request(target)
        // None waits for another.
        for path in ["/anna.png", "/bo.png", "/cy.png"] { #expect(eventually { world.count(path) == 1 }) }
        world.origin.release("bo")
        world.clock.advance(by: .milliseconds(2500))
        let early = try client.read()
        #expect(
            early.code == 200 && early.field("Veduta-Fallback").map { ["2/3", "3/3"].contains($0) } == true,
            "\(early.head)")
        #expect(early.field("Cache-Control") == "max-age=60" && early.field("ETag") == nil)
        world.origin.release("anna")
        world.origin.release("cy")
        // Each was fetched once.
        #expect(eventually { (try? client.get(target).field("ETag")) ?? nil != nil })
        let whole = try client.get(target)
        #expect(whole.field("Veduta-Fallback") == nil && whole.cacheStatus.hasPrefix("hit"), "\(whole.head)")
        for path in ["/anna.png", "/bo.png", "/cy.png"] { #expect(world.count(path) == 1, "\(path)") }
    }

    /// Another spelling of an id is the same person.
    @Test func idsAreSpelledInOneWay() throws {
        let world = try RemoteWorld()
        world.serve("/anna.png", try PictureFolder.picture(60, 40), "ETag: \"1\"")
        let client = try WireClient(world.service.address)
        let tags = try ["/anna.png", "/x/../anna.png", "/%61nna.png"].map { path throws in
            let id = world.origin.url(path).replacing("%", with: "%25")
            return try client.get("/avatar?person=id:\(id)%7CAnna&size=32&format=png").field("ETag")
        }
        #expect(tags[0] != nil && Set(tags).count == 1, "\(tags)")
        #expect(try client.metric("veduta_renders_total{route=\"avatar\"}") == 1)
    }

    @Test func explanation_tellsPriceAndPeople_andKeepsNothing() throws {
        try withPictures { _, client throws in
            let target = "/avatar?ids=a.png,gone.png,&names=Anna,Bo,Cy&size=64&format=png"
            let told = try client.get(target + "&explain=1")
            #expect(told.code == 200 && told.field("Content-Type") == "application/json", "\(told.text)")
            #expect(told.field("Cache-Control") == "no-store" && told.field("ETag") == nil)
            let object = try #require(JSONSerialization.jsonObject(with: Data(told.content)) as? [String: Any])
            #expect(
                object["canonical"] as? String
                    == "person=id:a.png%7CAnna&person=id:gone.png%7CBo&person=Cy&size=64&format=png")
            let people = try #require(object["people"] as? [[String: Any]])
            #expect(people.map { $0["shown"] as? String } == ["a.png", nil, nil])
            let predicted = try #require(object["predicted"] as? [String: Any])
            let steps = try #require(predicted["steps"] as? [[String: Any]])
            #expect(steps.first?["name"] as? String == "draw")
            #expect(steps.contains { ($0["name"] as? String)?.contains("decode") == true }, "\(told.text)")
            #expect((object["result"] as? [String: Any])?["width"] as? Int == 64)
            #expect((object["cache"] as? [String: Any])?["kept"] as? String == "no")
            let group = Self.group + "&explain=1"
            let (before, made) = (try client.get(group), try client.get(Self.group))
            let after = try client.get(group)
            #expect(made.cacheStatus.hasSuffix("stored"))
            #expect(
                before.text.contains("\"kept\":\"no\"") && after.text.contains("\"kept\":\"memory\""), "\(after.text)")
            #expect(after.text.contains(made.field("ETag")?.replacing("\"", with: "\\\"") ?? "-"), "\(after.text)")
            client.upload("/avatar", Array(#"{"names": "A", "explain": true}"#.utf8), "Content-Type: application/json")
            #expect(try client.read().code == 400)
            #expect(try client.get("/avatar?names=A&explain=2").code == 400)
        }
    }

    @Test func limits_andFaults() throws {
        try withPictures { configuration in
            configuration.memoryLimit = 1 << 20
        } _: { _, client throws in
            let answer = try client.get("/avatar?names=Anna&size=1024&scale=2&format=png")
            #expect(answer.code == 422 && answer.text.contains("result-too-costly"), "\(answer.text)")
            let faulty = try client.get("/avatar?name=Anna&size=3")
            #expect(faulty.code == 400 && faulty.text.contains("did you mean `names`?"))
            for (query, parameter) in [
                ("ids=../x", "ids"), ("person=id:../x%7CA", "person"), ("names=A&badge=../x", "badge"),
                ("names=A&fallback=../x", "fallback"),
            ] {
                let refused = try client.get("/avatar?" + query)
                #expect(refused.code == 400)
                #expect(refused.text.contains("\"parameter\":\"\(parameter)\""), "\(refused.text)")
            }
            #expect(try client.get("/avatar?ids=https://elsewhere.example/x.png").code == 403)
            client.upload(
                "/avatar", Array(#"{"person": [{"id": "a.png", "name": "Anna"}, "Bo"], "size": 64}"#.utf8),
                "Content-Type: application/json")
            let posted = try client.read()
            #expect(
                posted.code == 200
                    && posted.field("Content-Location") == "/avatar?person=id:a.png%7CAnna&person=Bo&size=64")
        }
    }
}
