import Foundation
import ImagePlan
import SeededRandom
import Testing

@testable import VedutaClient

@Suite(.timeLimit(.minutes(5)))
struct AssetURLTests {
    @Test func builder_writesTheCanonicalTextOfTheServer() throws {
        let url = AssetURL("lagoon.jpg").size(width: 800, height: 600).fit(.cover, .attention)
            .rotate(.degrees(15), .straighten).filter(.sepia(60), .vignette()).format(.avif).quality(.score(80))
        #expect(
            try url.canonical
                == "id=lagoon.jpg&width=800&height=600&fit=cover&gravity=attention&rotate=15,straighten"
                + "&filter=sepia:60,vignette&format=avif&quality=80")
        #expect(url.local.absoluteString.hasPrefix("asset://?id=lagoon.jpg&width=800&height=600"))
    }

    @Test func overlaysAndTexts_areAddedInOrder() throws {
        let url = AssetURL("a").text("a|b\n\\", options: ["size": "8p", "gravity": "top"])
            .overlay("b.png", at: .bottomRight, x: 8, y: 8, percent: 20, opacity: 0.5).overlay(
                "c.png", degrees: 30, gap: 4)
        #expect(
            try url.canonical
                == "id=a&text=a%5C%7Cb%5Cn%5C%5C%7Csize:8p%7Cgravity:top&overlay=b.png:bottom-right:8:8:20p:0.5"
                + "&overlay=c.png%7Crotate:30%7Ctile:4")
    }

    @Test func bothForms_areReadBack() throws {
        let service = VedutaEndpoint(try #require(URL(string: "https://host/pictures/")))
        let url = AssetURL("a b/ü&.jpg").size(width: 300).flip(.both).background("#ff000080")
        #expect(try url.url(for: service).absoluteString.hasPrefix("https://host/pictures/asset?id=a%20b/"))
        for form in [url.local, url.local(named: "other"), try url.url(for: service)] {
            #expect(try AssetURL(parsing: form).canonical == url.canonical, "\(form)")
        }
        #expect(url.local(named: "other").host() == "other")
    }

    @Test func literalFormOfTheIdea_isRead() throws {
        let url = try #require(URL(string: "asset://?id=123&width=1920&height=1280"))
        #expect(try AssetURL(parsing: url).canonical == "id=123&width=1920&height=1280")
    }

    /// As a server normalises them, so that their signatures agree.
    @Test func idsThatAreURLs_haveOneSpelling() throws {
        let written: AssetID = "HTTPS://Example.COM:443/a/../b%7ec.jpg?x=%e9"
        let spelled = "https://example.com/b~c.jpg?x=%E9"
        let encoded = "https://example.com/b~c.jpg%3Fx%3D%25E9"
        #expect(try AssetURL(written).size(width: 9).canonical == "id=\(encoded)&width=9")
        #expect(try AssetURL("a").overlay(written).canonical.contains(encoded))
        let key = try URLKey("a:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
        let pairs = [
            try (AssetURL(written).built, AssetURL(AssetID(spelled)).built),
            try (AvatarURL(.init(written)).built, AvatarURL(.init(AssetID(spelled))).built),
            try (PollURL(data: written).built, PollURL(data: AssetID(spelled)).built),
        ]
        for (one, other) in pairs {
            #expect(try one.signed(with: key).target == other.signed(with: key).target)
        }
    }

    @Test func faults_areAllThrownInTheWordsOfTheServer() throws {
        let url = AssetURL("a").size(width: 0).quality(.auto).format(.png).filter(.blur(1000)).parameter("widht", "3")
        let error = #expect(throws: VedutaError.self) { try url.canonical }
        guard case .invalidURL(let faults) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(faults.map(\.parameter) == ["width", "quality", "filter", "widht"])
        #expect(faults.last?.suggestion == "width")
        #expect(faults.last?.message == "`widht` is not a parameter here; did you mean `width`?")
    }

    @Test func numbersThatAreNone_areFaults() {
        #expect(throws: VedutaError.self) { try AssetURL("a").scale(.nan).canonical }
        #expect(throws: VedutaError.self) { try AssetURL("a").scale(.infinity).canonical }
    }

    @Test func srcset_hasAnImageForEachWidth() throws {
        let url = AssetURL("a.jpg").size(width: 400, height: 300).fit(.cover)
        #expect(
            try url.srcset(widths: [320, 640])
                == "/asset?id=a.jpg&width=320&height=240&fit=cover 320w, /asset?id=a.jpg&width=640&height=480&fit=cover 640w"
        )
        #expect(
            try AssetURL("a.jpg").size(width: 9).srcset(densities: [1, 2])
                == "/asset?id=a.jpg&width=9 1x, /asset?id=a.jpg&width=9&scale=2 2x")
    }

    @Test func presets_areLeftToTheServer() throws {
        let url = AssetURL("a.jpg").preset("thumb").crop(.attention)
        #expect(try url.canonical == "id=a.jpg&crop=attention&preset=thumb")
        #expect(throws: VedutaError.self) { try url.size(width: -1).canonical }
    }

    @Test func signatures_areAdded() throws {
        struct Signer: URLSigner {
            func sign(_ target: String) -> String { target + "&sig=\(target.utf8.count)" }
        }
        let service = VedutaEndpoint(try #require(URL(string: "http://h")), signer: Signer())
        let url = try AssetURL("a").url(for: service)
        #expect(url.absoluteString == "http://h/asset?id=a&sig=11")
        #expect(try AssetURL(parsing: url).canonical == "id=a")
    }

    @Test func contentIDs_areTheDigest() {
        // SHA-256 of nothing, FIPS 180-4.
        #expect(AssetID(contentOf: Data()).rawValue == "~47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU")
    }

    /// What builders write is what the server's parser writes, for 10,000 random requests; the server itself is asked for some of
    /// them in `ServerTests`.
    @Test func randomRequests_areReadBackAsTheyWereBuilt() throws {
        var random = SeededGenerator(state: 18)
        for _ in 0..<10_000 {
            let url = RandomAssetURL.make(&random)
            let canonical = try url.canonical
            #expect(try AssetURL(parsing: url.local).canonical == canonical)
        }
    }
}

/// Builds requests without faults.
enum RandomAssetURL {
    static func make(_ random: inout SeededGenerator) -> AssetURL {
        var url = AssetURL(
            AssetID(["lagoon.jpg", "morning.jpg", "badge.png", "a b+c%.jpg"].randomElement(using: &random) ?? ""))
        func chance() -> Bool { Bool.random(using: &random) }
        func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
        if chance() {
            url = url.size(width: .random(in: 1...400, using: &random), height: .random(in: 1...400, using: &random))
        }
        if chance() { url = url.scale(Double(Int.random(in: 50...400, using: &random)) / 100) }
        if chance() { url = url.fit(pick(AssetURL.Fit.allCases), .place(pick(AssetURL.Place.allCases))) }
        if chance() {
            url = url.crop(
                pick([
                    .pixels(x: -3, y: 4, width: 50, height: 60), .ratio(16, 9, .attention),
                    .size(width: 40, height: 40), .fractions(x: 0, y: 0.25, width: 0.5, height: 1),
                ]))
        }
        if chance() {
            url = url.rotate(
                .degrees(Double(Int.random(in: -3600...3600, using: &random)) / 10), pick([.grow, .straighten]))
        }
        if chance() { url = url.flip(pick(AssetURL.Flip.allCases)) }
        if chance() {
            url = url.filter(
                .sepia(Double(Int.random(in: 0...100, using: &random))),
                pick([
                    .grayscale, .blur(2.5), .duotone("navy", "#ffcc00", 40), .noise(5, seed: 7), .look(.noir),
                    .unsharp(radius: 1),
                ]))
        }
        if chance() { url = url.background(pick(["white", "#12345678", "transparent"])) }
        if chance() { url = chance() ? url.radius(12) : url.mask(pick(AssetURL.Mask.allCases)) }
        if chance() {
            url = url.format(pick([.jpeg, .png, .webp, .auto])).quality(.score(.random(in: 1...100, using: &random)))
        }
        if chance() { url = url.progressive().metadata(pick(AssetURL.Metadata.allCases)) }
        return url
    }
}
