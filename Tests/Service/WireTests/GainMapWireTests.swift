import Foundation
import Testing
import TestSupport

/// #19: gain maps of HDR photographs, over the wire.
@Suite(.timeLimit(.minutes(5))) struct GainMapWireTests {
    private let veduta: CachingService

    init() throws {
        veduta = try CachingService { _ in }
        let photograph = SharedData.packageRoot.appending(path: "docs/images/asset/hdr.jpg")
        try veduta.pictures.add("hdr.jpg", [UInt8](Data(contentsOf: photograph)))
    }

    /// What `explain=1` says of the map.
    private func told(_ query: String) throws -> [String: Any]? {
        let answer = try veduta.client.get("/asset?explain=1&\(query)")
        let members = try JSONSerialization.jsonObject(with: Data(answer.content)) as? [String: Any]
        let told = try #require(members?["gainMap"], "\(answer.text)")
        return told as? [String: Any]
    }

    @Test func explanation_saysWhatBecameOfTheMap() throws {
        let kept = try #require(try told("id=hdr.jpg&width=100&format=jpeg&hdr=keep"))
        #expect(kept["isKept"] as? Bool == true && kept["reason"] is NSNull)
        #expect(kept["width"] as? Int == 25 && (kept["bytes"] as? Int ?? 0) > 300)
        for (query, reason) in [
            ("format=jpeg", "thumbnail"), ("format=png", "format"), ("format=jpeg&hdr=drop", "request"),
            ("format=jpeg&filter=sepia", "painted"),
        ] {
            let dropped = try #require(try told("id=hdr.jpg&width=100&" + query))
            #expect(dropped["isKept"] as? Bool == false && dropped["reason"] as? String == reason, "\(query)")
            #expect(dropped["width"] is NSNull && dropped["bytes"] is NSNull)
        }
        #expect(try told("id=a.png&width=100&format=jpeg&hdr=keep") == nil)
    }

    @Test func keepingAndDropping_areDifferentPictures() throws {
        func answer(_ query: String, accepting accepted: String = "image/*") throws -> WireResponse {
            try veduta.client.get("/asset?id=hdr.jpg&width=120&" + query, "Accept: \(accepted)")
        }
        let kept = try answer("format=jpeg&hdr=keep")
        let dropped = try answer("format=jpeg&hdr=drop")
        #expect(kept.code == 200 && kept.content.count > dropped.content.count + 300)
        #expect(kept.field("ETag") != dropped.field("ETag"))
        let modern = "image/avif,image/webp,image/jpeg"
        #expect(try answer("hdr=keep", accepting: modern).field("Content-Type") == "image/jpeg")
        #expect(try answer("hdr=drop", accepting: modern).field("Content-Type") != "image/jpeg")
        // It is negotiated all the same.
        #expect(try answer("hdr=keep", accepting: "image/webp").field("Content-Type") == "image/webp")
        #expect(try answer("hdr=keep").field("Vary")?.contains("Accept") == true)
    }

    @Test func whatCannotBeKept_isRefused() throws {
        let answer = try veduta.client.get("/asset?id=hdr.jpg&hdr=keep&format=webp&filter=grayscale")
        #expect(answer.code == 400)
        #expect(answer.text.contains("hdr") && answer.text.contains("filter") && answer.text.contains("format"))
    }
}
