import Foundation
import ServiceConfiguration
import TestSupport
import Testing
import VedutaService

/// The histograms of `/metrics`: how long requests, waits for a worker and stages of renders took.
@Suite(.timeLimit(.minutes(5))) struct DurationMetricsTests {
    private static let picture = "/asset?id=a.png&width=40&format=webp"
    private static let map = "/map?latitude=1&longitude=2&zoom=1&width=32&height=32&format=png"

    private func withService(_ body: (WireClient) throws -> Void) throws {
        let (_, _, client) = try RunningService.withPictures { configuration in
            // A look at a source in between would be one more job.
            configuration.sourceLifetime = 3600
        }
        try body(client)
    }

    /// The lines of a series that is not one of buckets, with their values.
    private func lines(_ client: WireClient, _ name: String) throws -> [String] {
        try client.get("/metrics").text.split(separator: "\n").map(String.init).filter { $0.hasPrefix(name) }
    }

    @Test func everyAnswerToARequest_isInOneBucketOfItsRoute() throws {
        try withService { client throws in
            let name = "veduta_request_duration_seconds"
            #expect(try client.metric(name + "_count{route=\"asset\"}") == 0)
            // A miss, a hit, a 304, a part, a fault, one that is not there.
            let first = try client.get(Self.picture)
            let tag = try #require(first.field("ETag"))
            #expect(try client.get(Self.picture).cacheStatus.hasPrefix("hit"))
            #expect(try client.get(Self.picture, "If-None-Match: \(tag)").code == 304)
            #expect(try client.get(Self.picture, "Range: bytes=0-3").code == 206)
            #expect(try client.get(Self.picture, "Range: bytes=99999-").code == 416)
            #expect(try client.get("/asset?id=a.png&width=many").code == 400)
            #expect(try client.get("/asset?id=none.png").code == 404)
            #expect(try client.get("/asset", method: "PUT").code == 405)
            #expect(try client.metric(name + "_count{route=\"asset\"}") == 8)
            #expect(try client.metric(name + "_bucket{route=\"asset\",le=\"+Inf\"}") == 8)
            // What memory answers takes no time by the clock of its loop.
            #expect(try client.metric(name + "_bucket{route=\"asset\",le=\"0.001\"}") >= 3)
            let sum = try #require(try lines(client, name + "_sum{route=\"asset\"}").first)
            #expect(try #require(Double(sum.split(separator: " ")[1])) > 0)
            // As many as there were answers: /metrics counts itself once it is written.
            let answers = try lines(client, "veduta_requests_total{").compactMap { Int($0.split(separator: " ")[1]) }
            let counts = try lines(client, name + "_count{").compactMap { Int($0.split(separator: " ")[1]) }
            #expect(answers.reduce(0, +) + 1 == counts.reduce(0, +))
        }
    }

    @Test func everyRender_waitsOnce_andTellsItsStages() throws {
        try withService { client throws in
            let waits = "veduta_render_queue_duration_seconds_count"
            func waitCount() throws -> Int {
                try lines(client, waits).compactMap { Int($0.split(separator: " ")[1]) }.reduce(0, +)
            }
            let stages = "veduta_render_stage_duration_seconds_count"
            for target in [Self.picture, Self.picture, Self.map] { #expect(try client.get(target).code == 200) }
            #expect(try waitCount() == 2)
            for route in ["asset", "map"] { #expect(try client.metric("\(waits){route=\"\(route)\"}") == 1) }
            func count(_ route: String, _ stage: String) throws -> Int {
                try client.metric("\(stages){route=\"\(route)\",stage=\"\(stage)\"}")
            }
            for stage in ["fetch", "open", "decode", "process", "encode"] {
                #expect(try count("asset", stage) == 1, "\(stage)")
            }
            for stage in ["decode", "prepare", "place", "draw", "encode"] {
                #expect(try count("map", stage) == 1, "\(stage)")
            }
            // An explanation renders too.
            #expect(try client.get(Self.picture + "&explain=1").code == 200)
            #expect(try count("asset", "decode") == 2)
            #expect(try client.metric("veduta_render_duration_seconds_count{route=\"asset\"}") == 2)
            #expect(try client.metric("veduta_render_duration_seconds_count{route=\"map\"}") == 1)
            #expect(try waitCount() == 3)
            for target in [
                "/assets/a.png", "/assets/a.png/pages", "/tiles/light/0/0/0.png", "/map.json?center=1,2&zoom=3",
            ] {
                #expect(try client.get(target).code == 200)
            }
            #expect(try count("asset_description", "describe") == 1)
            #expect(try count("asset_pages", "pages") == 1)
            #expect(try count("tiles", "draw") == 1)
            #expect(try waitCount() == 7)
            // Every route and every stage has a name of its own.
            for name in [stages, waits] {
                #expect(try lines(client, name).filter { $0.contains("\"other\"") } == [])
            }
        }
    }

    /// A fallback is told with the status that it is answered with.
    @Test func explanations_areCountedWithTheirStatus() throws {
        try withService { client throws in
            let target = "/asset?id=none.png&default=a.png&width=20&format=png&explain=1"
            #expect(try client.get(target).code == 404)
            #expect(try client.metric("veduta_requests_total{route=\"asset\",status=\"404\"}") == 1)
        }
    }
}
