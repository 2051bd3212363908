import Foundation
import Reactor
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// What `/asset` answers beside the plain picture: descriptions, explanations, what is shown instead, names to save under.
@Suite(.timeLimit(.minutes(5))) struct AssetAnswerTests {
    // MARK: Descriptions

    @Test func description_isTheSameAtBothOfItsAddresses() throws {
        let veduta = try CachingService()
        try veduta.pictures.add("holiday/ä b.png", PictureFolder.picture(60, 40))
        let told = try veduta.client.get("/assets/holiday/%C3%A4%20b.png")
        #expect(told.code == 200)
        let members = try object(told)
        #expect(members["id"] as? String == "holiday/ä b.png")
        #expect(members["format"] as? String == "png")
        #expect(members["width"] as? Int == 60)
        #expect(members["height"] as? Int == 40)
        #expect(members["pages"] as? Int == 1)
        #expect(members["animation"] is NSNull)
        #expect((members["palette"] as? [Any])?.isEmpty == false)
        #expect((members["focalPoint"] as? [String: Any])?.keys.sorted() == ["isStored", "x", "y"])
        for target in [
            "/asset?id=holiday/%C3%A4+b.png&format=json", "/asset?id=holiday/%C3%A4+b.png&format=json&width=20&q=30",
            "/assets/holiday%2F%C3%A4%20b.png",
        ] {
            #expect(try veduta.client.get(target).content == told.content, "\(target)")
        }
    }

    @Test func description_isKeptAndRevalidatedAsAPictureIs() throws {
        let veduta = try CachingService { $0.token = AccessToken("secret") }
        let first = try veduta.client.get("/assets/a.png")
        #expect(first.cacheStatus == "fwd=uri-miss; stored")
        #expect(first.field("Vary") == "Accept-Encoding")
        let tag = try #require(first.field("ETag"))
        #expect(try veduta.client.get("/assets/a.png").cacheStatus == "hit; ttl=1")
        #expect(try veduta.client.get("/assets/a.png", "If-None-Match: \(tag)").code == 304)
        let purged = try veduta.client.get("/cache?id=a.png", method: "DELETE", "Authorization: Bearer secret")
        #expect(purged.text == "{\"memory\":1,\"disk\":0}\n")
        try veduta.change()
        veduta.clock.advance(by: .seconds(2))
        let other = try veduta.client.get("/assets/a.png")
        #expect(try object(other)["width"] as? Int == 200)
        #expect(other.field("ETag") != tag)
    }

    @Test(arguments: [
        ("/assets/missing.png", 404, "asset-not-found"), ("/assets/", 400, "invalid-parameters"),
        ("/assets/a.png?width=10", 400, "invalid-parameters"), ("/assets/%FF", 400, "invalid-parameters"),
        ("/assets/text.png", 415, "source-unsupported"),
    ])
    func whatCannotBeDescribed_isAProblem(_ target: String, _ code: Int, _ type: String) throws {
        let veduta = try CachingService()
        try veduta.pictures.add("text.png", Array("no picture at all".utf8))
        let answer = try veduta.client.get(target)
        #expect(answer.code == code)
        #expect(answer.text.contains("urn:problem-type:veduta:\(type)\""), "\(answer.text)")
    }

    @Test(arguments: ["page=1", "page=2", "pages=all", "download=a.json"])
    func whatDescriptionsDoNotHave_isRefusedByName(_ item: String) throws {
        let veduta = try CachingService()
        let name = item.prefix { $0 != "=" }
        for target in ["/asset?id=a.png&format=json&\(item)", "/assets/a.png?\(item)"] {
            let answer = try veduta.client.get(target)
            #expect(answer.code == 400, "\(target)")
            #expect(answer.field("Content-Type") == "application/problem+json")
            #expect(answer.text.contains("urn:problem-type:veduta:invalid-parameters\""))
            #expect(answer.text.contains("\"\(name)\""), "\(answer.text)")
        }
        // Of a picture they are what they were.
        #expect(try veduta.client.get("/asset?id=a.png&width=20&\(name == "page" ? "page=1" : item)").code == 200)
    }

    // MARK: Explanations

    @Test func explanation_saysWhatTheCacheHasAndWhatWasDone_andChangesNothing() throws {
        let veduta = try CachingService()
        let picture = "/asset?w=40&id=a.png&height=40&fit=cover"
        func explained() throws -> [String: Any] {
            let answer = try veduta.client.get(picture + "&explain=1", "Accept: image/webp")
            #expect(answer.code == 200)
            #expect(answer.field("Cache-Control") == "no-store")
            #expect(answer.field("Vary") == "Accept, Accept-Encoding")
            #expect(answer.field("ETag") == nil)
            return try object(answer)
        }
        let before = try explained()
        #expect(before["canonical"] as? String == "id=a.png&width=40&height=40&fit=cover")
        #expect(before["accepts"] as? String == "webp")
        #expect((before["cache"] as? [String: Any])?["kept"] as? String == "no")
        let made = try veduta.client.get(picture, "Accept: image/webp")
        #expect(made.cacheStatus == "fwd=uri-miss; stored")
        let after = try explained()
        let cache = try #require(after["cache"] as? [String: Any])
        #expect(cache["kept"] as? String == "memory" && cache["decision"] as? String == "hit")
        #expect(cache["entityTag"] as? String == made.field("ETag"))
        let plan = try #require(after["plan"] as? [String: Any])
        // 400 × 300 is cut to its middle square, to the pixel of the result.
        let box = try #require(plan["cropBox"] as? [String: Int])
        #expect(box["y"] == 0 && box["height"] == 300)
        #expect(abs((box["x"] ?? 0) - 50) < 8 && abs((box["width"] ?? 0) - 300) < 8)
        #expect(plan["candidates"] as? [String] == ["webp"])
        let predicted = try #require(after["predicted"] as? [String: Any])
        #expect((predicted["milliseconds"] as? Double ?? 0) > 0 && (predicted["bytes"] as? Int ?? 0) > 0)
        let result = try #require(after["result"] as? [String: Any])
        #expect(result["width"] as? Int == 40 && result["height"] as? Int == 40)
        #expect(result["bytes"] as? Int == made.content.count)
        #expect((after["steps"] as? [[String: Any]])?.allSatisfy { $0["milliseconds"] is Double } == true)
    }

    @Test func explanationOfWhatCannotBeMade_isTheProblem() throws {
        let veduta = try CachingService()
        let missing = try veduta.client.get("/asset?id=missing.png&explain=1")
        #expect(missing.code == 404 && missing.field("Content-Type") == "application/problem+json")
        #expect(try veduta.client.get("/asset?id=a.png&width=0&explain=1").code == 400)
    }

    // MARK: What is shown instead

    @Test func missingAsset_isShownByItsDefault_stillAs404() throws {
        let veduta = try CachingService()
        let target = "/asset?id=later.png&width=40&format=png&default=b.png"
        let instead = try veduta.client.get("/asset?id=b.png&width=40&format=png")
        for status in ["fwd=uri-miss; stored", "hit; ttl=1", "hit; ttl=1"] {
            let answer = try veduta.client.get(target, "Range: bytes=0-9", "If-None-Match: *")
            #expect(answer.code == 404)
            #expect(answer.cacheStatus == status)
            #expect(answer.content == instead.content)
            #expect(answer.field("Content-Type") == "image/png")
            #expect(answer.field("Cache-Control") == "max-age=60")
            #expect(answer.field("ETag") == nil && answer.field("Accept-Ranges") == nil)
        }
        try veduta.pictures.add("later.png", PictureFolder.picture(80, 80))
        veduta.clock.advance(by: .seconds(2))
        let there = try veduta.client.get(target)
        #expect(there.code == 200 && there.field("ETag") != nil)
        #expect(try DecodedPicture(there.content).heightPx == 40)
    }

    @Test func missingDefault_isTheProblemOfTheAsset() throws {
        let veduta = try CachingService()
        let answer = try veduta.client.get("/asset?id=missing.png&default=missing-too.png")
        #expect(answer.code == 404 && answer.text.contains("asset-not-found"))
    }

    /// #15.12: an id that can name nothing is a fault of the parameter that has it, whether or not it would be needed.
    @Test(arguments: ["../b.png", "/b.png", "a//b.png", "~short", "b%5Cc.png", "%01"])
    func impossibleDefault_isAFaultOfDefault(_ id: String) throws {
        let veduta = try CachingService()
        for asset in ["a.png", "missing.png"] {
            let answer = try veduta.client.get("/asset?id=\(asset)&width=20&default=\(id)")
            #expect(answer.code == 400 && answer.problem == "invalid-parameters", "\(answer.text)")
            #expect(answer.text.contains("\"parameter\":\"default\""), "\(answer.text)")
            #expect(answer.text.contains("`default`"), "\(answer.text)")
        }
        let overlay = try veduta.client.get("/asset?id=a.png&width=20&overlay=../b.png")
        #expect(overlay.code == 400 && overlay.text.contains("\"parameter\":\"overlay\""), "\(overlay.text)")
    }

    /// #15.15: what is listed nowhere is served nowhere.
    @Test func hiddenFiles_areNotServed() throws {
        let veduta = try CachingService()
        let picture = try PictureFolder.picture(30, 20)
        for name in [".secret.png", ".git/b.png", "album/.thumbs/c.png"] {
            try veduta.pictures.add(name, picture)
            for target in ["/asset?id=\(name)&width=10", "/assets/\(name)", "/assets/\(name)/original"] {
                let answer = try veduta.client.get(target)
                #expect(answer.code == 404 && answer.problem == "asset-not-found", "\(target)")
            }
        }
        // Folders that are mounted into containers are links to hidden ones.
        veduta.pictures.link("shown.png", to: ".git/b.png")
        #expect(try veduta.client.get("/asset?id=shown.png&width=10").code == 200)
    }

    @Test func damagedAsset_isNotHiddenByItsDefault() throws {
        let veduta = try CachingService()
        try veduta.pictures.add("bad.png", Array(PictureFolder.picture(80, 80).prefix(300)))
        #expect(try veduta.client.get("/asset?id=bad.png&default=a.png").code == 422)
    }

    // MARK: Overlays and formats

    @Test func overlay_isPartOfWhatThePictureIs() throws {
        let veduta = try CachingService()
        let target = "/asset?id=a.png&width=100&format=png&overlay=b.png:bottom-right:0:0:25p"
        let first = try veduta.client.get(target)
        #expect(first.code == 200)
        #expect(first.content != (try veduta.client.get("/asset?id=a.png&width=100&format=png")).content)
        try veduta.pictures.add("b.png", PictureFolder.picture(90, 90))
        veduta.clock.advance(by: .seconds(2))
        let second = try veduta.client.get(target)
        #expect(second.field("ETag") != first.field("ETag"))
        #expect(second.cacheStatus == "fwd=stale; stored")
        let missing = try veduta.client.get("/asset?id=a.png&overlay=nothing.png")
        #expect(missing.code == 404 && missing.text.contains("overlay-not-found"))
    }

    @Test func texts_areDrawnOnThePicture() throws {
        let veduta = try CachingService()
        func pixels(_ more: String) throws -> [UInt8] {
            try veduta.client.get("/asset?id=a.png&width=100&format=png" + more).content
        }
        let plain = try pixels("")
        let text = try pixels("&text=Veduta%7Cbackground:red")
        #expect(text != plain)
        #expect(try pixels("&text=Vedute%7Cbackground:red") != text)
        // Twice the pixels, and twice the letters.
        #expect(try DecodedPicture(pixels("&scale=2&text=V%7Csize:9")).widthPx == 200)
        // One picture, one key.
        let hit = try veduta.client.get(
            "/asset?id=a.png&w=100&format=png&text=%20Veduta%20%7Cbackground:ff0000%7Copacity:1")
        #expect(hit.cacheStatus.hasPrefix("hit") && hit.content == text)
        let long = try veduta.client.get("/asset?id=a.png&text=" + String(repeating: "a", count: 501))
        #expect(long.code == 400 && long.text.contains("\"parameter\":\"text\""), "\(long.text)")
        let faulty = try veduta.client.get("/asset?id=a.png&txt=x&text=x%7Csise:3&overlay=b.png%7Crotate:x")
        for part in ["did you mean `text`?", "did you mean `size`?", "degrees from -360 to 360"] {
            #expect(faulty.code == 400 && faulty.text.contains(part), "\(faulty.text)")
        }
    }

    // MARK: Names to save under

    @Test(arguments: [
        ("holiday.png", "attachment; filename=\"holiday.png\""), ("holiday", "attachment; filename=\"holiday.png\""),
        ("h%C3%A9llo%20100%25", "attachment; filename=\"h_llo 100_.png\"; filename*=UTF-8''h%C3%A9llo%20100%25.png"),
    ])
    func download_namesTheFile(_ name: String, _ field: String) throws {
        let veduta = try CachingService()
        for _ in 0..<2 {
            let answer = try veduta.client.get("/asset?id=a.png&width=40&format=png&download=\(name)")
            #expect(answer.code == 200)
            #expect(answer.field("Content-Disposition") == field)
        }
    }

    /// A score that no quality reaches is told: #15.22.
    @Test func aTargetThatIsMissed_isSaid() throws {
        let (_, _, client) = try RunningService.withPictures()
        for (format, target, isMissed) in [("webp", "auto:98", true), ("jpeg", "auto:40", false)] {
            let answer = try client.get("/asset?id=a.png&width=100&format=\(format)&quality=\(target)")
            let field = try #require(answer.field("Veduta-Quality"))
            #expect(field.contains(";score=") && field.hasSuffix(";missed") == isMissed, "\(field)")
        }
    }

    /// `Accept` of a browser that names PNG but not JPEG: #15.19.
    @Test(.enabled(if: SharedData.isPresent, "no data beside the repository"))
    func photographsComeAsJPEG_toClientsThatNamePNG() throws {
        let pictures = try PictureFolder()
        for name in ["photo1.heic", "photo1_16bit.tif", "photo1_alpha.png"] {
            try pictures.add(name, [UInt8](Data(contentsOf: SharedData.folder.appending(path: "images/\(name)"))))
        }
        let (_, _, client) = try RunningService.withPictures(in: pictures)
        func answer(_ query: String, _ accept: String) throws -> WireResponse {
            try client.get("/asset?id=\(query)", "Accept: \(accept)")
        }
        for name in ["photo1.heic", "photo1_16bit.tif"] {
            let photo = try answer("\(name)&width=600", "image/png,image/*;q=0.8,*/*;q=0.5")
            #expect(photo.field("Content-Type") == "image/jpeg", "\(name)")
            let exact = try answer("\(name)&width=600", "image/png")
            #expect(exact.field("Content-Type") == "image/png")
            #expect(photo.content.count * 4 < exact.content.count)
        }
        let clear = try answer("photo1_alpha.png&width=600", "image/png,image/*;q=0.8,*/*;q=0.5")
        #expect(clear.field("Content-Type") == "image/png")
    }

    @Test func ownFieldsAndType_outliveTheProcess() throws {
        let (pictures, folder) = (try PictureFolder(), try CacheFolder())
        let target = "/asset?id=a.png&width=40&quality=70&download=a"
        var answers: [WireResponse] = []
        for round in 0..<2 {
            let service = try RunningService(pictures: pictures) { $0.cacheDirectory = folder.path }
            let answer = try WireClient(service.address).get(target, "Accept: image/webp")
            #expect(answer.cacheStatus == (round == 0 ? "fwd=uri-miss; stored" : "hit; ttl=1"))
            answers.append(answer)
            #expect(eventually { folder.entries.count == 1 })
        }
        #expect(answers[0].stableHead == answers[1].stableHead)
        #expect(answers[1].field("Content-Type") == "image/webp")
        #expect(answers[1].field("Veduta-Quality") == "70")
        #expect(answers[1].field("Content-Disposition") == "attachment; filename=\"a.webp\"")
    }
}
