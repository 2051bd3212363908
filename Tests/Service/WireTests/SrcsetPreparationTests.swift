import Foundation
import Reactor
import ServiceConfiguration
import TestSupport
import Testing

/// What `/srcset` lists is made ahead, in idle time.
@Suite(.timeLimit(.minutes(5))) struct SrcsetPreparationTests {
    private struct Answer: Decodable {
        struct Source: Decodable {
            struct Image: Decodable { let url: String }
            let images: [Image]
        }
        let sources: [Source]
    }

    private static func addresses(_ response: WireResponse) throws -> [String] {
        try JSONDecoder().decode(Answer.self, from: Data(response.content)).sources.flatMap(\.images).map(\.url)
    }

    private static func made(_ veduta: CachingService) throws -> Int {
        try veduta.client.metric("veduta_prepare_made_total")
    }

    private static func dropped(_ veduta: CachingService) throws -> Int {
        try veduta.client.metric("veduta_prepare_dropped_total")
    }

    /// The same bytes, tags and fields as one that nobody prepared.
    @Test(arguments: decoder == nil ? [Isolation.off] : [.off, .all])
    func images_areHitsAfterIdle_andTheSameAsOthers(_ isolation: Isolation) throws {
        func started() throws -> CachingService {
            let veduta = try CachingService {
                $0.isolation = isolation
                $0.decoder = Self.decoder
            }
            try veduta.pictures.add("b.png", PictureFolder.picture(400, 300))
            return veduta
        }
        let (veduta, other) = (try started(), try started())
        defer {
            veduta.service.stop()
            other.service.stop()
        }
        let target = "/srcset?id=b.png&widths=100,200,1000,2000&formats=avif,webp,png,jpeg"
        let told = try veduta.client.get(target)
        #expect(told.field("Veduta-Prepare") == "queued")
        // Three sizes: 1000 and 2000 are the same image.
        let addresses = try Self.addresses(told)
        #expect(addresses.count == 12)
        #expect(eventually { (try? Self.made(veduta)) == 12 })
        for address in addresses {
            let (ahead, alone) = (try veduta.client.get(address), try other.client.get(address))
            #expect(ahead.cacheStatus.hasPrefix("hit"), "\(address): \(ahead.cacheStatus)")
            #expect(alone.cacheStatus.hasPrefix("fwd"))
            #expect(ahead.content == alone.content, "\(address)")
            for name in ["ETag", "Content-Type", "Veduta-Quality", "Cache-Tag", "Vary"] {
                #expect(ahead.field(name) == alone.field(name), "\(address) \(name)")
            }
        }
        #expect(try veduta.renders() == 12)
        // All are there: nothing is made again.
        #expect(try veduta.client.get(target).field("Veduta-Prepare") == "queued")
        #expect(veduta.waitForWorkers())
        #expect(try veduta.renders() == 12)
    }

    private static var decoder: String? { ProcessInfo.processInfo.environment["VEDUTA_BINARY"] }

    @Test func prepareOff_headAndNoStore_makeNothing() throws {
        let veduta = try CachingService()
        defer { veduta.service.stop() }
        let target = "/srcset?id=a.png&widths=20,40"
        #expect(try veduta.client.get(target + "&prepare=off").field("Veduta-Prepare") == nil)
        #expect(try veduta.client.get(target, method: "HEAD").field("Veduta-Prepare") == nil)
        #expect(try veduta.client.get(target, "Cache-Control: no-store").field("Veduta-Prepare") == nil)
        #expect(try veduta.client.get(target + "&prepare=later").code == 400)
        #expect(try veduta.client.metric("veduta_prepare_queued_total") == 0)
    }

    /// The whole job counts against the limit of one image; what is over it is made when it is asked for.
    @Test func jobOverTheCostLimit_endsThere() throws {
        let veduta = try CachingService { $0.costLimit = 1 }
        defer { veduta.service.stop() }
        try veduta.pictures.add("b.png", PictureFolder.picture(1600, 1200))
        let widths = (1...12).map { "\($0 * 133)" }.joined(separator: ",")
        let told = try veduta.client.get("/srcset?id=b.png&widths=\(widths)&formats=jpeg,png,webp,avif")
        #expect(try Self.addresses(told).count == 48)
        #expect(eventually { ((try? Self.made(veduta)) ?? 0) + ((try? Self.dropped(veduta)) ?? 0) == 48 })
        #expect(try Self.dropped(veduta) > 0)
        #expect(try veduta.client.get(try #require(Self.addresses(told).first)).code == 200)
    }

    @Test func purgedMeanwhile_isNotKept() throws {
        let veduta = try CachingService {
            $0.token = AccessToken("secret")
            $0.workers = 1
        }
        defer { veduta.service.stop() }
        try veduta.pictures.add("b.png", PictureFolder.picture(1600, 1200))
        let widths = (1...12).map { "\($0 * 133)" }.joined(separator: ",")
        let told = try veduta.client.get("/srcset?id=b.png&widths=\(widths)&formats=jpeg,png,webp,avif")
        #expect(told.field("Veduta-Prepare") == "queued")
        #expect(try veduta.client.get("/cache?id=b.png", method: "DELETE", "Authorization: Bearer secret").code == 200)
        #expect(eventually { ((try? Self.made(veduta)) ?? 0) + ((try? Self.dropped(veduta)) ?? 0) == 48 })
        #expect(try Self.dropped(veduta) > 0)
        #expect(veduta.waitForWorkers())
        let last = try #require(Self.addresses(told).last)
        #expect(try veduta.client.get(last).cacheStatus.hasPrefix("fwd"))
    }
}
