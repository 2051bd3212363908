import Foundation
import ServiceConfiguration
import TestSupport
import Testing

import VedutaService

/// `PUT` and `DELETE /assets/{id}/focus`, and what `crop=focus` makes of it, over the wire.
@Suite(.timeLimit(.minutes(5))) struct FocalPointWireTests {
    private static let crop = "width=30&height=30&crop=focus&format=png"

    /// Red on the left, blue on the right, even in both.
    private static func halves() throws -> [UInt8] {
        var pixels: [UInt8] = []
        for _ in 0..<40 { for x in 0..<160 { pixels += x < 80 ? [200, 20, 20, 255] : [20, 20, 200, 255] } }
        return try PictureFolder.encoded(pixels, 160, 40)
    }

    private static func put(
        _ it: UploadingService, _ id: String, _ json: String, _ condition: String = "Accept: */*"
    ) throws -> WireResponse {
        try it.send("PUT", "/assets/\(id)/focus", Array(json.utf8), "Content-Type: application/json", condition)
    }

    private static func isBlue(_ answer: WireResponse) throws -> Bool {
        try DecodedPicture(answer.content).share { red, _, blue in blue > red } > 0.9
    }

    @Test func theStoredPoint_isWhatIsKept_inTheTag_andPurgesWhatWasMade() throws {
        let it = try UploadingService()
        try it.pictures.add("deep/halves.png", try Self.halves())
        let (plain, around) = (
            "/asset?id=deep/halves.png&width=30&height=30&fit=cover&format=png",
            "/asset?id=deep/halves.png&\(Self.crop)"
        )
        let (plainTag, tag) = (try it.client.get(plain).field("ETag"), try it.client.get(around).field("ETag"))
        let told = try Self.put(it, "deep/halves.png", #"{"x": 0.9, "y": 0.5}"#)
        #expect(told.code == 200 && told.field("Cache-Control") == "no-store", "\(told.text)")
        #expect((try told.json()["focalPoint"] as? [String: Any])?["x"] as? Double == 0.9)
        let right = try it.client.get(around)
        #expect(try Self.isBlue(right) && right.field("ETag") != tag)
        #expect(right.field("Cache-Status")?.contains("hit") == false)
        let again = try it.client.get(plain)
        // Purged with the asset, and the same again.
        #expect(again.field("ETag") == plainTag && again.field("Cache-Status")?.contains("hit") == false)
        #expect(try Self.put(it, "deep/halves.png", #"{"x": 0.05, "y": 0.5}"#).code == 200)
        let left = try it.client.get(around)
        #expect(try !Self.isBlue(left) && left.field("ETag") != right.field("ETag"))
        it.client.request(around, "If-None-Match: \(try #require(left.field("ETag")))")
        #expect(try it.client.read().code == 304)
    }

    @Test func descriptions_tellThePoint_andForgetIt() throws {
        let it = try UploadingService()
        try it.pictures.add("halves.png", try Self.halves())
        func point() throws -> [String: Any] {
            try it.client.get("/assets/halves.png").json()["focalPoint"] as? [String: Any] ?? [:]
        }
        #expect(try point()["isStored"] as? Bool == false)
        #expect(try Self.put(it, "halves.png", #"{"x": 0.1234567, "y": 1}"#).code == 200)
        let stored = try point()
        #expect(
            stored["x"] as? Double == 0.123457 && stored["y"] as? Double == 1 && stored["isStored"] as? Bool == true)
        let tag = try it.client.get("/asset?id=halves.png&\(Self.crop)").field("ETag")
        #expect(try it.delete("/assets/halves.png/focus").code == 204)
        #expect(try it.delete("/assets/halves.png/focus").code == 204)
        #expect(try point()["isStored"] as? Bool == false)
        #expect(try it.client.get("/asset?id=halves.png&\(Self.crop)").field("ETag") != tag)
    }

    @Test func uploads_keepTheirPointUntilTheyAreDeleted_andAreNotCalledImmutable() throws {
        let it = try UploadingService()
        let id = try #require(try it.send("POST", "/assets", try Self.halves()).json()["id"] as? String)
        let plain = try it.client.get("/asset?id=\(id)&width=30&format=png")
        #expect(plain.field("Cache-Control")?.contains("immutable") == true)
        let around = try it.client.get("/asset?id=\(id)&\(Self.crop)")
        #expect(around.code == 200 && around.field("Cache-Control")?.contains("immutable") == false)
        #expect(try Self.put(it, id, #"{"x": 0.95, "y": 0}"#).code == 200)
        #expect(try Self.isBlue(try it.client.get("/asset?id=\(id)&\(Self.crop)")))
        #expect(try it.delete("/assets/\(id)").code == 204)
        #expect(try Self.put(it, id, #"{"x": 0.95, "y": 0}"#).problem == "asset-not-found")
        #expect(try it.send("POST", "/assets", try Self.halves()).code == 201)
        let told = try it.client.get("/assets/\(id)").json()["focalPoint"] as? [String: Any]
        #expect(told?["isStored"] as? Bool == false)
    }

    /// RFC 9110 §13: the tag is the point as `gravity` takes it.
    @Test func points_keepTheirPreconditions() throws {
        let it = try UploadingService()
        try it.pictures.add("halves.png", try Self.halves())
        let (first, second) = (#"{"x": 0.62, "y": 1}"#, #"{"x": 0.1, "y": 0.000001}"#)
        func stored() throws -> Double? {
            let told = try it.client.get("/assets/halves.png").json()["focalPoint"] as? [String: Any]
            return told?["isStored"] as? Bool == true ? told?["x"] as? Double : nil
        }
        // There is none.
        #expect(try Self.put(it, "halves.png", first, "If-Match: *").problem == "precondition-failed")
        #expect(try it.delete("/assets/halves.png/focus", "If-Match: \"0.62x1\"").code == 412)
        #expect(try stored() == nil)
        #expect(try Self.put(it, "halves.png", first, "If-None-Match: *").code == 200)
        // There is one.
        #expect(try Self.put(it, "halves.png", second, "If-None-Match: *").code == 412)
        #expect(try Self.put(it, "halves.png", second, "If-Match: \"0.5x1\"").code == 412)
        #expect(try it.delete("/assets/halves.png/focus", "If-None-Match: \"0.62x1\"").code == 412)
        #expect(try stored() == 0.62)
        // It has no date (§13.1.4).
        let date = "If-Unmodified-Since: Sat, 21 Nov 2020 13:00:00 GMT"
        #expect(try Self.put(it, "halves.png", first, date).code == 200)
        #expect(try Self.put(it, "halves.png", second, "If-Match: \"0.62x1\"").code == 200)
        #expect(try stored() == 0.1)
        // A request that would fail anyway fails so (§13.2.1).
        #expect(try Self.put(it, "missing.png", first, "If-Match: *").problem == "asset-not-found")
        #expect(try it.delete("/assets/halves.png/focus", "If-Match: \"0.1x0.000001\"").code == 204)
        #expect(try stored() == nil)
    }

    @Test func points_surviveARestart() throws {
        let it = try UploadingService()
        try it.pictures.add("halves.png", try Self.halves())
        #expect(try Self.put(it, "halves.png", #"{"x": 0.97, "y": 0.5}"#).code == 200)
        // It lets go of the folder when nobody holds the service any more; a copy is as good.
        let copy = it.uploads + "-copy"
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try FileManager.default.copyItem(atPath: it.uploads, toPath: copy)
        let next = try RunningService(pictures: it.pictures) { $0.uploads = copy }
        let answer = try WireClient(next.address).get("/asset?id=halves.png&\(Self.crop)")
        #expect(answer.code == 200)
        #expect(try Self.isBlue(answer))
    }

    @Test func mistakes_areTold_allAtOnce_andNothingIsStored() throws {
        let it = try UploadingService()
        try it.pictures.add("halves.png", try Self.halves())
        var answer = try Self.put(it, "halves.png", #"{"x": 1.5, "z": 2}"#)
        #expect(answer.code == 400 && answer.problem == "invalid-parameters")
        for name in ["x", "y", "z"] { #expect(answer.text.contains("\"\(name)\""), "\(name)") }
        for json in [
            "", "[]", "{", #"{"x": {"y": 1}, "y": 0}"#, #"{"x": "left", "y": 0}"#,
            #"{"x": 0.62, "y": false}"#, #"{"x": "0.5", "y": 0}"#, #"{"x": [0.5], "y": 0}"#,
        ] {
            #expect(try Self.put(it, "halves.png", json).code == 400, "\(json)")
        }
        answer = try Self.put(
            it, "halves.png", #"{"x": 0.1, "y": 0.1, "#.padding(toLength: 2000, withPad: " ", startingAt: 0))
        #expect(answer.code == 413)
        #expect(try Self.put(it, "missing.png", #"{"x": 0, "y": 0}"#).problem == "asset-not-found")
        #expect(try Self.put(it, "..", #"{"x": 0, "y": 0}"#).code == 400)
        answer = try it.send("PUT", "/assets/halves.png/focus", Array("x=1".utf8), "Content-Type: text/plain")
        #expect(answer.code == 415)
        answer = try it.client.get("/assets/halves.png/focus")
        #expect(answer.code == 405 && answer.field("Allow") == "PUT, DELETE, OPTIONS")
        let told = try it.client.get("/assets/halves.png").json()["focalPoint"] as? [String: Any]
        #expect(told?["isStored"] as? Bool == false)
    }

    @Test func onlyTheToken_andOnlyACatalogue_storePoints() throws {
        let it = try UploadingService()
        try it.pictures.add("halves.png", try Self.halves())
        it.client.upload(
            "/assets/halves.png/focus", Array(#"{"x": 0, "y": 0}"#.utf8), method: "PUT",
            "Content-Type: application/json")
        #expect(try it.client.read().code == 401)
        let without = try UploadingService { $0.uploads = nil }
        try without.pictures.add("halves.png", try Self.halves())
        let answer = try Self.put(without, "halves.png", #"{"x": 0, "y": 0}"#)
        #expect(answer.code == 403 && answer.problem == "focal-points-off")
        // As `attention`, which finds nothing here.
        #expect(try without.client.get("/asset?id=halves.png&\(Self.crop)").code == 200)
    }
}
