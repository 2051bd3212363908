import Foundation
import Reactor
import SeededRandom
import ServiceConfiguration
import TestSupport
import Testing
import URLSigning

/// `/srcset` over a socket.
@Suite(.timeLimit(.minutes(5))) struct SrcsetWireTests {
    private struct Answer: Decodable {
        struct Source: Decodable {
            struct Image: Decodable {
                let url: String
                let width, height: Int
            }
            let format, mediaType, srcset: String
            let images: [Image]
        }
        let id, src, sizes, alt, thumbHash, preview: String
        let width, height: Int
        let dominantColor: String?
        let sources: [Source]
    }

    private static func answer(_ response: WireResponse) throws -> Answer {
        #expect(response.code == 200, "\(response.text)")
        return try JSONDecoder().decode(Answer.self, from: Data(response.content))
    }

    /// The size in the head of a PNG.
    private static func size(ofPNG bytes: [UInt8]) -> [Int] {
        [16, 20].map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    }

    @Test func addressesAndSizes_areThoseOfTheImages() throws {
        let veduta = try CachingService()
        try veduta.pictures.add("b.png", PictureFolder.picture(400, 300))
        let target = "/srcset?id=b.png&widths=200,100,100,1000,2000&formats=png,webp&width=4&height=2&fit=cover&q=70"
        let told = try Self.answer(try veduta.client.get(target))
        #expect(told.sources.map(\.format) == ["webp", "png"])
        #expect(told.sources.map(\.mediaType) == ["image/webp", "image/png"])
        let images = try #require(told.sources.last).images
        // Nothing is enlarged, so 1000 and 2000 are as wide as the source, once.
        #expect(images.map(\.width) == [100, 200, 400])
        #expect(images.map(\.height).prefix(2) == [50, 100])
        #expect(told.sources[1].srcset == images.map { "\($0.url) \($0.width)w" }.joined(separator: ", "))
        #expect(told.src == images.last?.url)
        for image in images {
            let picture = try veduta.client.get(image.url)
            #expect(picture.code == 200)
            #expect(Self.size(ofPNG: picture.content) == [image.width, image.height])
        }
        let webp = try veduta.client.get(try #require(told.sources.first?.images.first?.url))
        #expect(webp.field("Content-Type") == "image/webp")
        // The one address of each image.
        #expect(images[0].url.hasPrefix("/asset?id=b.png&width=100&height=50"))
    }

    @Test func placeholders_areOfTheImageAsItIsShown() throws {
        let veduta = try CachingService()
        let plain = try Self.answer(try veduta.client.get("/srcset?id=a.png&widths=40"))
        let inverted = try Self.answer(try veduta.client.get("/srcset?id=a.png&widths=40&filter=invert"))
        #expect(plain.sources.map(\.format) == ["avif", "webp", "jpeg"])
        #expect(plain.sizes == "100vw")
        #expect(plain.dominantColor != inverted.dominantColor)
        #expect(plain.thumbHash != inverted.thumbHash)
        #expect(plain.preview.hasPrefix("data:image/webp;base64,UklGR"))
        #expect(plain.preview.utf8.count <= 1024)
        #expect(Data(base64Encoded: plain.thumbHash) != nil)
    }

    /// WebP keeps transparency without loss: of noise, 24 pixels a side have over a kilobyte at any quality.
    @Test func previewOfNoise_isSmallEnough() throws {
        let veduta = try CachingService()
        var generator = SeededGenerator(state: 7)
        var pixels: [UInt8] = []
        for _ in 0..<24 * 24 {
            let alpha = UInt8.random(in: 0...255, using: &generator)
            for _ in 0..<3 { pixels.append(UInt8.random(in: 0...alpha, using: &generator)) }
            pixels.append(alpha)
        }
        try veduta.pictures.add("noise.png", PictureFolder.encoded(pixels, 24, 24))
        let told = try Self.answer(try veduta.client.get("/srcset?id=noise.png&widths=24"))
        #expect(told.preview.hasPrefix("data:image/webp;base64,UklGR") && told.preview.utf8.count <= 1024)
    }

    @Test(arguments: [
        "&trim=10", "&crop=square", "&gravity=smart&width=3&height=2&fit=cover", "&rotate=30", "&scale=2",
    ])
    func sizes_areRightWhateverDecidesThem(_ more: String) throws {
        let veduta = try CachingService()
        try veduta.pictures.add("b.png", PictureFolder.picture(300, 200))
        let told = try Self.answer(try veduta.client.get("/srcset?id=b.png&widths=60,90&formats=png" + more))
        for image in told.sources[0].images {
            let picture = try veduta.client.get(image.url)
            #expect(Self.size(ofPNG: picture.content) == [image.width, image.height], "\(image.url)")
        }
    }

    /// The largest legal request.
    @Test func twelveWidthsInFourFormats_areOneAnswer() throws {
        let veduta = try CachingService()
        try veduta.pictures.add("b.png", PictureFolder.picture(400, 300))
        let widths = (1...12).map { "\($0 * 30)" }.joined(separator: ",")
        let told = try Self.answer(
            try veduta.client.get("/srcset?id=b.png&widths=\(widths)&formats=jpeg,png,webp,avif"))
        #expect(told.sources.map(\.images.count) == [12, 12, 12, 12])
        #expect(try veduta.client.metric("veduta_renders_total{route=\"srcset\"}") == 1)
        #expect(try veduta.client.get("/srcset?id=b.png&widths=\(widths),400").code == 400)
        #expect(try veduta.client.get("/srcset?id=b.png&widths=9&formats=jpeg,png,webp,avif,gif").code == 400)
    }

    @Test func faults_areToldAtOnceByTheNamesOfTheRequest() throws {
        let veduta = try CachingService { $0.imageSide = 500 }
        let target = "/srcset?id=a.png&widhts=9&widths=0,9&formats=bmp&format=webp&height=3&rotat=9&fit=nothing&html=2"
        let refused = try veduta.client.get(target)
        #expect(refused.code == 400)
        for word in [
            "widhts", "`widths`", "\"formats\"", "\"format\"", "\"height\"", "`rotate`", "\"fit\"", "\"html\"",
        ] {
            #expect(refused.text.contains(word), "\(word): \(refused.text)")
        }
        // Of parameters that nobody wrote there is no conflict.
        for (query, reason) in [
            ("colors=4", "`colors` needs `formats` as well"), ("lossless=1", "`lossless` needs `formats` as well"),
            ("lossless=1&formats=webp,jpeg", "`lossless` cannot be combined with `formats`"),
            ("colors=4&quality=auto", "`colors` cannot be combined with `quality`"),
        ] {
            let answer = try veduta.client.get("/srcset?id=a.png&widths=9&\(query)")
            #expect(answer.code == 400 && answer.text.contains(reason), "\(answer.text)")
        }
        #expect(try veduta.client.get("/srcset?id=a.png&widths=9&lossless=1&formats=webp,avif").code == 200)
        #expect(
            try veduta.client.get("/srcset?id=a.png&widths=9&dpi=90").text.contains("`dpi` is not a parameter here"))
        let large = try veduta.client.get("/srcset?id=a.png&widths=100,501,600")
        #expect(large.code == 400)
        #expect(large.text.contains("\"widths\""), "\(large.text)")
        #expect(try veduta.client.get("/srcset?id=none.png&widths=9").code == 404)
    }

    @Test func html_isAFinishedPicture_whoseTextsAreEscaped() throws {
        let veduta = try CachingService()
        let name = "<b>\"'&, .png"
        try veduta.pictures.add(name, PictureFolder.picture(60, 40))
        let id = "%3Cb%3E%22%27%26%2C%20.png"
        let answer = try veduta.client.get(
            "/srcset?id=\(id)&widths=20,40&html=1&alt=%22%3E%3Cscript%3E&sizes=%22%3E50vw&default=a.png")
        #expect(answer.code == 200, "\(answer.text)")
        #expect(answer.field("Content-Type") == "text/html; charset=utf-8")
        #expect(answer.field("Content-Security-Policy")?.hasPrefix("default-src 'none'") == true)
        let html = answer.text
        #expect(html.hasPrefix("<picture>\n<source type=\"image/avif\" srcset=\"/asset?id="))
        #expect(html.contains("<source type=\"image/webp\""))
        #expect(
            html.contains(
                " width=\"40\" height=\"27\" alt=\"&quot;&gt;&lt;script&gt;\" loading=\"lazy\" decoding=\"async\""))
        #expect(html.contains("sizes=\"&quot;&gt;50vw\""))
        #expect(html.contains("url(data:image/webp;base64,"))
        #expect(!html.contains("<script") && !html.contains("<b>"))
        #expect(html.count { $0 == "<" } == 5 && html.hasSuffix("</picture>\n"))
    }

    @Test func answer_isKeptAndPurgedWithItsImage() throws {
        let veduta = try CachingService { $0.token = AccessToken("secret") }
        let target = "/srcset?id=a.png&widths=20,40"
        let first = try veduta.client.get(target)
        let tag = try #require(first.field("ETag"))
        #expect(first.cacheStatus == "fwd=uri-miss; stored")
        #expect(first.field("Vary") == "Accept-Encoding")
        #expect(first.field("Cache-Tag") == (try veduta.client.get("/assets/a.png").field("Cache-Tag")))
        #expect(try veduta.client.get("/srcset?w=&widths=40,20,40&id=a.png", "If-None-Match: \(tag)").code == 304)
        #expect(try veduta.client.get(target).cacheStatus.hasPrefix("hit") == true)
        #expect(try veduta.client.get(target, method: "HEAD").field("ETag") == tag)
        #expect(try veduta.client.get(target, method: "OPTIONS").field("Allow") == "GET, HEAD, OPTIONS")
        #expect(try veduta.client.get("/cache?id=a.png", method: "DELETE", "Authorization: Bearer secret").code == 200)
        #expect(try veduta.client.get(target).cacheStatus.hasPrefix("fwd") == true)
    }

    /// The addresses of a signed answer are good, and end when it does.
    @Test func signedAnswer_hasSignedAddresses() throws {
        let text = "old:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
        let key = try #require(SigningKey(text: text))
        let veduta = try CachingService { $0.keys = SigningKeys([key]) }
        let query = "id=a.png&widths=20,40&formats=webp,jpeg"
        #expect(try veduta.client.get("/srcset?" + query).code == 403)
        func signed(_ expires: Int64?) -> String {
            let message = URLSignature.message(for: SignedResource(path: "/srcset", query: query), expires: expires)
            return "/srcset?\(query)&"
                + Credentials(signature: URLSignature.sign(message, with: key), expires: expires).query
        }
        let lasting = try Self.answer(try veduta.client.get(signed(nil)))
        let ending = try Self.answer(try veduta.client.get(signed(4_000_000_000)))
        for image in (lasting.sources + ending.sources).flatMap(\.images) {
            #expect(try veduta.client.get(image.url).code == 200, "\(image.url)")
            #expect(try veduta.client.get(image.url.replacing("id=a.png", with: "id=b.png")).code == 403)
        }
        #expect(ending.sources.flatMap(\.images).allSatisfy { $0.url.contains("expires=4000000000") })
        #expect(!lasting.sources.flatMap(\.images).contains { $0.url.contains("expires=") })
    }

    /// What is kept holds addresses that the old secret signed.
    @Test func signedAnswer_isMadeAgain_afterItsKeyGotAnotherSecret() throws {
        let keys = try ["MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA="]
            .map { try #require(SigningKey(text: "k:\($0)")) }
        let veduta = try CachingService { $0.keys = SigningKeys([keys[0]]) }
        let query = "id=a.png&widths=20,40&formats=webp,jpeg"
        for key in keys {
            var configuration = veduta.service.configuration
            configuration.keys = SigningKeys([key])
            try veduta.service.reload(configuration)
            let message = URLSignature.message(for: SignedResource(path: "/srcset", query: query), expires: nil)
            let target = "/srcset?\(query)&" + Credentials(signature: URLSignature.sign(message, with: key)).query
            for isKept in [false, true] {
                let answer = try veduta.client.get(target)
                #expect(answer.cacheStatus.hasPrefix("hit") == isKept)
                for image in try Self.answer(answer).sources.flatMap(\.images) {
                    #expect(try veduta.client.get(image.url).code == 200, "\(image.url)")
                }
            }
        }
    }
}
