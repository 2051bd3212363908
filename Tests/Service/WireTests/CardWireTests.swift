import FakeOrigin
import Foundation
import Reactor
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// `/card` over a socket: templates, their fields, and the pictures that a card is made of.
@Suite(.timeLimit(.minutes(5))) struct CardWireTests {
    private static let article = "/card?template=article&title=Cards%20by%20URL&site=Veduta&image=a.png"

    @Test func card_isAJPEGOfItsSize_madeOnce_andKnownBeforeAnyWork() throws {
        try withPictures { pictures, client throws in
            let made = try client.get(Self.article)
            #expect(made.code == 200 && made.field("Content-Type") == "image/jpeg", "\(made.text)")
            let picture = try DecodedPicture(made.content)
            #expect((picture.widthPx, picture.heightPx) == (1200, 630))
            #expect(made.field("Vary") == "Accept" && made.field("Veduta-Fallback") == nil)
            #expect(made.field("Cache-Tag")?.split(separator: ",").count == 4)
            let tag = try #require(made.field("ETag"))
            // Another spelling of the same.
            let other =
                "/card?image=a.png&title=Cards%20%20by%20URL%20&site=Veduta&accent=%232f6df0&template=article&dpr=1"
            let again = try client.get(other)
            #expect(again.cacheStatus.hasPrefix("hit") && again.field("ETag") == tag)
            #expect(try client.get(Self.article, "If-None-Match: \(tag)").code == 304)
            let head = try client.get(Self.article, method: "HEAD")
            #expect(head.code == 200 && head.content.isEmpty && head.field("ETag") == tag)
            #expect(try client.get("/card", method: "OPTIONS").field("Allow") == "GET, HEAD, POST, OPTIONS")
            let double = try client.get(Self.article + "&scale=2&format=png&download=card")
            #expect(try DecodedPicture(double.content).widthPx == 2400)
            #expect(double.field("Content-Disposition") == "attachment; filename=\"card.png\"")
            #expect(try client.get(Self.article, "Accept: image/webp,*/*").field("Content-Type") == "image/webp")
            let replica = try RunningService {
                $0.library = pictures.path
                $0.sourceLifetime = 0
            }
            let second = try WireClient(replica.address)
            #expect(try second.get(Self.article, "If-None-Match: \(tag)").code == 304)
            #expect(try second.metric("veduta_renders_total{route=\"card\"}") == 0)
        }
    }

    @Test func faults_nameTheFieldsOfTheTemplate() throws {
        try withPictures { _, client throws in
            let answer = try client.get("/card?template=article&titel=a&accent=purplish&quality=0")
            #expect(answer.code == 400 && answer.text.contains("4 parameters"), "\(answer.text)")
            for part in [
                "did you mean `title`?", "`accent` must be a color", "`title` is required", "`quality` must be",
            ] {
                #expect(answer.text.contains(part), "\(part): \(answer.text)")
            }
            #expect(try client.get("/card?template=artcle&title=a").text.contains("did you mean `article`?"))
            #expect(try client.get("/card?title=a").text.contains("`template` is required"))
            #expect(
                try client.get("/card?template=place&title=a&latitude=91&longitude=0").text.contains(
                    "`latitude` must be"))
            let style = try client.get("/card?template=place&title=a&latitude=1&longitude=0&style=lihgt")
            #expect(style.code == 400 && style.text.contains("`style` must be"), "\(style.text)")
            #expect(try client.get("/card?template=article&title=a&image=https://elsewhere.example/x.png").code == 403)
            #expect(try client.get(Self.article, method: "DELETE").code == 405)
        }
    }

    @Test func newPicture_changesItsCards_andPurgesThem() throws {
        try withPictures { pictures, client throws in
            let alone = "/card?template=article&title=Alone"
            let (first, other) = (try client.get(Self.article), try client.get(alone))
            try pictures.add("a.png", PictureFolder.picture(300, 300))
            let changed = try client.get(Self.article)
            #expect(changed.field("ETag") != first.field("ETag") && changed.content != first.content)
            #expect(try client.get(alone).field("ETag") == other.field("ETag"))
            let token = "Authorization: Bearer secret"
            let purged = try client.get("/cache?id=a.png", method: "DELETE", token)
            #expect(purged.text.contains("\"memory\":2"), "\(purged.text)")
            #expect(try client.get(alone).cacheStatus.hasPrefix("hit"))
            #expect(try client.get(Self.article).cacheStatus.hasPrefix("fwd"))
            // All cards of a template.
            #expect(try client.get("/cache?template=article&id=a.png", method: "DELETE", token).code == 400)
            let all = try client.get("/cache?template=article", method: "DELETE", token)
            #expect(all.text == "{\"memory\":2,\"disk\":0}\n", "\(all.text)")
            #expect(try client.get(alone).cacheStatus.hasPrefix("fwd"))
        }
    }

    @Test func missingPictures_areLeftOut_unlessTheirFieldIsRequired() throws {
        let template = #"""
            {"width": 200, "height": 100, "fields": {"photo": {"type": "picture", "required": true}, "logo": {"type": "picture"}},
             "elements": [{"type": "picture", "id": "{photo}"}, {"type": "picture", "id": "{logo}", "width": 50},
             {"type": "box", "unless": "logo", "width": 50, "color": "00ff00"}]}
            """#
        try withPictures { pictures, client throws in
            let lacking = try client.get("/card?template=article&title=Cards&image=gone.png&logo=a.png&format=png")
            #expect(lacking.code == 200 && lacking.field("Veduta-Fallback") == "1/2", "\(lacking.text)")
            #expect(lacking.field("Cache-Control") == "max-age=60" && lacking.field("ETag") == nil)
            #expect(!lacking.cacheStatus.contains("stored"))
            // As if it had not been given.
            let without = try client.get("/card?template=article&title=Cards&logo=a.png&format=png")
            #expect(without.content == lacking.content && without.field("ETag") != nil)
        }
        let folder = try TemplateFiles(["both.json": template])
        try withPictures({ $0.cardTemplates = folder.path }) { pictures, client throws in
            #expect(try client.get("/card?template=both&photo=gone.png").code == 404)
            let made = try client.get("/card?template=both&photo=a.png&logo=gone.png&format=png")
            #expect(made.field("Veduta-Fallback") == "1/2", "\(made.text)")
            #expect(try DecodedPicture(made.content).widthPx == 200)
            #expect(try client.get("/card?template=both&photo=a.png&logo=b.png").field("ETag") != nil)
        }
    }

    /// A picture that is not there within two seconds is left out, and such an answer is not kept.
    @Test func latePictures_areLeftOut() throws {
        let world = try RemoteWorld()
        let picture = try PictureFolder.picture(200, 100)
        let head = FakeOrigin.Step.text(
            "HTTP/1.1 200 OK\r\nContent-Length: \(picture.count)\r\nCache-Control: max-age=600\r\n\r\n")
        world.answer("/photo.png", [.wait("photo"), head, .bytes(picture)])
        let target = "/card?template=article&title=Late&image=\(world.origin.url("/photo.png"))&format=png"
        let client = try WireClient(world.service.address)
        client.request(target)
        #expect(eventually { world.count("/photo.png") == 1 })
        world.clock.advance(by: .milliseconds(2500))
        let early = try client.read()
        #expect(early.code == 200 && early.field("Veduta-Fallback") == "1/1", "\(early.head)")
        #expect(early.field("Cache-Control") == "max-age=60" && early.field("ETag") == nil)
        world.origin.release("photo")
        #expect(eventually { (try? client.get(target).field("ETag")) ?? nil != nil })
        #expect(try client.get(target).field("Veduta-Fallback") == nil)
        #expect(world.count("/photo.png") == 1)
    }

    @Test func picturesOfOtherServers_areFetched_orLeftOut() throws {
        let world = try RemoteWorld()
        let client = try WireClient(world.service.address)
        try world.serve("/photo.png", PictureFolder.picture(200, 100), "Cache-Control: max-age=10")
        let target = "/card?template=article&title=Far&image=\(world.origin.url("/photo.png"))&format=png"
        let first = try client.get(target)
        #expect(first.code == 200 && first.field("ETag") != nil, "\(first.text)")
        #expect(world.count("/photo.png") == 1)
        let missing = try client.get("/card?template=article&title=Far&image=\(world.origin.url("/gone.png"))")
        #expect(missing.code == 200 && missing.field("Veduta-Fallback") == "1/1", "\(missing.text)")
    }

    @Test func map_isPartOfTheCard() throws {
        try withPictures { _, client throws in
            let target = "/card?template=place&title=Piazza&latitude=43.77&longitude=11.25&zoom=5&format=png"
            let made = try client.get(target)
            #expect(made.code == 200 && made.field("ETag") != nil, "\(made.text)")
            #expect(try client.get(target).cacheStatus.hasPrefix("hit"))
            let elsewhere = try client.get(target.replacing("11.25", with: "1.25"))
            #expect(elsewhere.content != made.content)
            let explained = try client.get(target + "&explain=1")
            #expect(explained.text.contains("\"tiles\"") && explained.text.contains("encode png"), "\(explained.text)")
            #expect(explained.text.contains("\"accepts\":\"png\","), "\(explained.text)")
        }
    }

    @Test func post_isTheCardThatGetHas() throws {
        try withPictures { _, client throws in
            let text = #"{"template": "article", "title": "Cards", "image": "a.png", "format": "png"}"#
            client.upload("/card", Array(text.utf8), "Content-Type: application/json")
            let posted = try client.read()
            #expect(posted.code == 200, "\(posted.text)")
            let got = try client.get(try #require(posted.field("Content-Location")))
            #expect(got.cacheStatus.hasPrefix("hit") && got.content == posted.content)
            for content in [
                #"{"template": "article"}"#, #"{"title": "a"}"#, "[]",
                #"{"template": "article", "title": "a", "zoom": 1}"#,
            ] {
                client.upload("/card", Array(content.utf8), "Content-Type: application/json")
                #expect(try client.read().code == 400, "\(content)")
            }
        }
    }

    @Test func templates_areReadAgain() throws {
        func template(_ color: String) -> String {
            #"{"width": 100, "height": 50, "background": "\#(color)", "elements": []}"#
        }
        let folder = try TemplateFiles(["plain.json": template("ff0000"), "notes.txt": "no template"])
        let veduta = try CachingService { $0.cardTemplates = folder.path }
        let target = "/card?template=plain&format=png"
        let red = try veduta.client.get(target)
        #expect(try DecodedPicture(red.content)[50, 25] == [255, 0, 0, 255])
        #expect(try veduta.client.get(target).cacheStatus.hasPrefix("hit"))
        try folder.write("plain.json", template("0000ff"))
        try veduta.service.reload(veduta.service.configuration)
        let blue = try veduta.client.get(target)
        #expect(
            try DecodedPicture(blue.content)[50, 25] == [0, 0, 255, 255] && blue.field("ETag") != red.field("ETag"))
        try folder.write("plain.json", "{}")
        #expect(throws: ServiceError.self) { try veduta.service.reload(veduta.service.configuration) }
        #expect(try veduta.client.get(target).field("ETag") == blue.field("ETag"))
        #expect(try veduta.client.get("/card?template=notes").code == 400)
    }

    @Test func faultyTemplates_stopTheStart_andAllFaultsAreTold() throws {
        let faulty =
            #"{"fields": {"title": {"type": "txt"}}, "elements": [{"type": "text", "text": "{titel}", "size": 0}, {"type": "bx"}]}"#
        let folder = try TemplateFiles(["faulty.json": faulty])
        do {
            _ = try RunningService { $0.cardTemplates = folder.path }
            Issue.record("it started")
        } catch let error as ServiceError {
            for part in [
                "faulty.json", "fields.title.type: ", "did you mean 'text'?", "elements[0].text: ",
                "did you mean 'title'?",
                "elements[0].size: ", "elements[1].type: ", "did you mean 'box'?",
            ] {
                #expect(error.description.contains(part), "\(part): \(error)")
            }
        }
        #expect(throws: ServiceError.self) { try RunningService { $0.cardTemplates = folder.path + "/none" } }
        let named = try TemplateFiles(["Big.json": "{\"elements\": []}"])
        #expect(throws: ServiceError.self) { try RunningService { $0.cardTemplates = named.path } }
    }

    @Test func limits_holdForCards() throws {
        try withPictures({
            $0.costLimit = 1
            $0.memoryLimit = 1 << 20
        }) { _, client throws in
            let answer = try client.get(Self.article)
            #expect(answer.code == 422 && answer.text.contains("result-too-costly"), "\(answer.text)")
        }
    }
}

/// A folder of templates.
private final class TemplateFiles {
    let path: String

    init(_ files: [String: String]) throws {
        path = NSTemporaryDirectory() + "veduta-templates-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in files { try write(name, text) }
    }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
