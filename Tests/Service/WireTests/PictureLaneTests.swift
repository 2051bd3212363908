import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// What a picture will cost decides where it waits, and whether it is made at all.
@Suite(.timeLimit(.minutes(5))) struct PictureLaneTests {
    /// An animation of `frameCount` frames of 320 × 240, as GIF without compression: every code is one byte, as the table is
    /// cleared before it grows (GIF89a, appendix F).
    private static func animation(_ frameCount: Int) -> [UInt8] {
        func side(_ count: Int) -> [UInt8] { [UInt8(count & 255), UInt8(count >> 8)] }
        let (width, height) = (320, 240)
        var bytes = Array("GIF89a".utf8) + side(width) + side(height) + [0x86, 0, 0]
        for index in 0..<128 { bytes += [UInt8(2 * index), UInt8(255 - index), UInt8(index)] }
        for frame in 0..<frameCount {
            bytes += [0x21, 0xf9, 4, 0, 5, 0, 0, 0, 0x2c, 0, 0, 0, 0] + side(width) + side(height) + [0, 7]
            var codes: [UInt8] = []
            for index in 0..<(width * height) {
                if index % 100 == 0 { codes.append(128) }
                codes.append(UInt8((index % width / 3 + index / width + 5 * frame) % 128))
            }
            codes.append(129)
            for start in stride(from: 0, to: codes.count, by: 255) {
                let block = codes[start..<min(start + 255, codes.count)]
                bytes.append(UInt8(block.count))
                bytes += block
            }
            bytes.append(0)
        }
        return bytes + [0x3b]
    }

    @Test func animations_neverKeepAPhotographWaiting() throws {
        let pictures = try PictureFolder()
        try pictures.add("moving.gif", Self.animation(24))
        let service = try RunningService(pictures: pictures) { $0.workers = 2 }
        // Four that take a second or so each, where two workers would have room for two.
        let animations = try (0..<4).map { _ in try WireClient(service.address) }
        for (index, client) in animations.enumerated() {
            client.request("/asset?id=moving.gif&format=gif&width=\(300 + index)")
        }
        let client = try WireClient(service.address)
        #expect(eventually { (try? client.metric("veduta_postponed_jobs_total")) == 3 })
        for width in 30..<42 {
            #expect(try client.get("/asset?id=a.png&format=jpeg&width=\(width)").code == 200)
        }
        #expect(animations.filter(\.hasMore).count <= 1, "twelve photographs came before the second animation")
        #expect(try client.metric("veduta_jobs_queued") >= 2)
        for (index, client) in animations.enumerated() {
            let answer = try client.read()
            #expect(answer.code == 200 && answer.field("Content-Type") == "image/gif")
            #expect(answer.field("Veduta-Frames") == "24")
            #expect(try DecodedPicture(answer.content).widthPx == 300 + index)
        }
        // Each began twice, but for the first, and was counted once.
        #expect(try client.metric("veduta_renders_total{route=\"asset\"}") == 4 + 12)
    }

    @Test func whatIsTooCostly_isRefusedBeforeItIsMade() throws {
        // The clock stands, so only the price can be too much: twice a second of computing.
        let veduta = try CachingService { $0.renderTimeout = 1 }
        let target = "/asset?id=a.png&width=4000&enlarge=1&format=avif&effort=10"
        for status in ["fwd=uri-miss", "hit; ttl=60"] {
            let answer = try veduta.client.get(target)
            #expect(answer.code == 422)
            #expect(answer.field("Content-Type") == "application/problem+json")
            #expect(answer.field("Cache-Control") == "no-store")
            #expect(answer.field("Retry-After") == nil && answer.field("ETag") == nil)
            #expect(answer.cacheStatus.hasPrefix(status), "\(answer.cacheStatus)")
            #expect(answer.text.contains("\"type\":\"urn:problem-type:veduta:result-too-costly\""), "\(answer.text)")
            #expect(answer.text.contains("\"status\":422"))
            #expect(answer.text.contains("s of processor time") && answer.text.contains("MiB of memory"))
            #expect(
                answer.text.contains("2 s of processor time (twice its setting `render-timeout`)"), "\(answer.text)")
            let limits = "\"limits\":[{\"setting\":\"render-timeout\",\"unit\":\"seconds\",\"limit\":2,\"needed\":"
            #expect(answer.text.contains(limits), "\(answer.text)")
        }
        #expect(try veduta.client.get(target + "&explain=1").text.contains("result-too-costly"))
        // The same picture for less.
        #expect(try veduta.client.get("/asset?id=a.png&width=400&enlarge=1&format=jpeg").code == 200)
        #expect(veduta.client.isKept())
    }

    /// #15.3: pictures that do not fit into the memory for all are made one after another, every one of them.
    @Test func picturesThatAreLargeTogether_waitForEachOther() throws {
        let service = try RunningService(pictures: PictureFolder()) { configuration in
            configuration.workers = 4
            configuration.renderMemory = 1 << 20
        }
        let clients = try (0..<6).map { _ in try WireClient(service.address) }
        for (index, client) in clients.enumerated() {
            client.request("/asset?id=a.png&enlarge=1&format=png&width=\(900 + index)")
        }
        for (index, client) in clients.enumerated() {
            let answer = try client.read()
            #expect(answer.code == 200)
            #expect(try DecodedPicture(answer.content).widthPx == 900 + index)
        }
        let told = try clients[0].get("/asset?id=a.png&enlarge=1&format=png&width=950&explain=1")
        #expect(told.code == 200)
    }

    /// #15: an explanation that was put off counted as an answer of 503, and its picture as begun twice.
    @Test func explanationsThatArePutOff_areAnsweredOnce() throws {
        let (_, service, client) = try RunningService.withPictures { configuration in
            configuration.workers = 4
            configuration.renderMemory = 1 << 20
        }
        let told = try WireClient(service.address)
        do {
            let busy = try WireClient(service.address)
            busy.request(
                "/asset?id=a.png&width=4000&enlarge=1&format=png&filter=median:10,median:10,median:10,median:10")
            #expect(eventually { (try? client.metric("veduta_jobs_running")) == 1 })
            told.request("/asset?id=a.png&enlarge=1&format=png&width=950&explain=1")
            #expect(eventually { (try? client.metric("veduta_postponed_jobs_total")) == 1 })
        }
        #expect(try told.read().code == 200)
        #expect(try client.metric("veduta_requests_total{route=\"asset\",status=\"503\"}") == 0)
        #expect(try client.metric("veduta_renders_total{route=\"asset\"}") == 2)
    }

    /// #15.3: a picture that is too large for itself is refused, and says so.
    @Test func whatTakesTooMuchMemory_isRefused() throws {
        let veduta = try CachingService { $0.memoryLimit = 4 << 20 }
        let refused = try veduta.client.get("/asset?id=a.png&enlarge=1&format=png&width=2000")
        #expect(refused.code == 422 && refused.text.contains("result-too-costly"))
        #expect(refused.text.contains("allows at most 4 MiB of memory (its setting `memory-limit`) for one image"))
        let limits = "\"limits\":[{\"setting\":\"memory-limit\",\"unit\":\"bytes\",\"limit\":4194304,\"needed\":"
        #expect(refused.text.contains(limits), "\(refused.text)")
        #expect(try veduta.client.get("/asset?id=a.png&format=png&width=40").code == 200)
    }

    /// #15.2: effort beyond what the server makes counts as the most that it makes, and is the same picture.
    @Test func effortIsCapped() throws {
        let veduta = try CachingService { $0.effortMax = 2 }
        let most = try veduta.client.get("/asset?id=a.png&width=40&format=avif&effort=2")
        let more = try veduta.client.get("/asset?id=a.png&width=40&format=avif&effort=10")
        #expect(most.code == 200 && more.field("ETag") == most.field("ETag"))
        #expect(more.cacheStatus == "hit; ttl=1")
        let png = try veduta.client.get("/asset?id=a.png&width=40&format=png&effort=10")
        #expect(png.cacheStatus == "fwd=uri-miss; stored", "of formats that are quick it is kept")
        let open = try veduta.client.get("/asset?id=a.png&width=40&effort=10", "Accept: image/avif")
        #expect(open.field("ETag") != nil)
        #expect(
            try veduta.client.get("/asset?id=a.png&width=40&effort=2", "Accept: image/avif").field("ETag")
                == open.field("ETag"))
    }
}
