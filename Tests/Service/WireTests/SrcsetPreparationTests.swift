import Foundation
import Reactor
import Sandbox
import ServiceConfiguration
import TestSupport
import Testing
import URLSigning

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

    private static func ended(_ veduta: CachingService) throws -> Int { try made(veduta) + dropped(veduta) }

    /// The largest job.
    private static let large =
        "/srcset?id=b.png&widths=\((1...12).map { "\($0 * 133)" }.joined(separator: ","))&formats=jpeg,png,webp,avif"

    /// The same bytes, tags and fields as one that nobody prepared.
    @Test(arguments: decoder == nil ? [Isolation.off] : [.off, .all])
    func images_areHitsAfterIdle_andTheSameAsOthers(_ isolation: Isolation) throws {
        let pictures = try PictureFolder()
        try pictures.add("b.png", PictureFolder.picture(400, 300))
        let (veduta, other) = (try Self.service(pictures, isolation), try Self.service(pictures, isolation))
        let target = "/srcset?id=b.png&widths=100,200,1000,2000&formats=avif,webp,png,jpeg"
        let told = try veduta.client.get(target)
        #expect(told.field("Veduta-Prepare") == "queued")
        // Three sizes: 1000 and 2000 give the same image.
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
        #expect(try veduta.client.get("/srcset?id=b.png&widths=50&formats=png").field("Veduta-Prepare") == "queued")
        // Jobs are done one after the other.
        #expect(eventually { (try? Self.made(veduta)) == 13 })
        #expect(try veduta.renders() == 13)
    }

    /// Where formats differ in their pixels, as only some hold alpha, the text is drawn for each.
    @Test(arguments: decoder == nil ? [Isolation.off] : [.off, .all])
    func textsAreInEveryFormat(_ isolation: Isolation) throws {
        let pictures = try PictureFolder()
        try pictures.add("b.png", PictureFolder.picture(400, 300))
        let (veduta, other) = (try Self.service(pictures, isolation), try Self.service(pictures, isolation))
        let query = "id=b.png&rotate=30&text=Hello%7Csize:60"
        let addresses = try Self.addresses(veduta.client.get("/srcset?\(query)&widths=200&formats=webp,png,jpeg"))
        #expect(addresses.count == 3)
        #expect(eventually { (try? Self.made(veduta)) == 3 })
        for address in addresses {
            let (ahead, alone) = (try veduta.client.get(address), try other.client.get(address))
            #expect(ahead.cacheStatus.hasPrefix("hit"), "\(address): \(ahead.cacheStatus)")
            #expect(ahead.content == alone.content, "\(address)")
        }
    }

    private static func service(_ pictures: PictureFolder, _ isolation: Isolation) throws -> CachingService {
        try CachingService {
            $0.library = pictures.path
            $0.isolation = isolation
            $0.decoder = decoder
        }
    }

    private static var decoder: String? { ProcessInfo.processInfo.environment["VEDUTA_BINARY"] }

    @Test func prepareOff_headAndNoStore_makeNothing() throws {
        let veduta = try CachingService()
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
        try veduta.pictures.add("b.png", PictureFolder.picture(1600, 1200))
        let told = try veduta.client.get(Self.large)
        #expect(try Self.addresses(told).count == 48)
        #expect(eventually { (try? Self.ended(veduta)) == 48 })
        #expect(try Self.dropped(veduta) > 0)
        #expect(try veduta.client.get(try #require(Self.addresses(told).first)).code == 200)
    }

    /// A purge ends the job. What it makes later is not kept.
    @Test func purgedMeanwhile_isNotMade() throws {
        let veduta = try CachingService { $0.token = AccessToken("secret") }
        try veduta.pictures.add("b.png", PictureFolder.picture(1600, 1200))
        let told = try veduta.client.get(Self.large)
        #expect(told.field("Veduta-Prepare") == "queued")
        #expect(try veduta.client.get("/cache?id=b.png", method: "DELETE", "Authorization: Bearer secret").code == 200)
        #expect(eventually { (try? Self.ended(veduta)) == 48 })
        #expect(try Self.dropped(veduta) > 0)
        let last = try #require(Self.addresses(told).last)
        #expect(try veduta.client.get(last).cacheStatus.hasPrefix("fwd"))
    }

    /// The client has its answer and may leave.
    @Test func clientThatHasLeft_hasItsImagesMade() throws {
        let veduta = try CachingService()
        var client: WireClient? = try WireClient(veduta.service.address)
        let told = try client?.get("/srcset?id=a.png&widths=10,20&formats=png,jpeg")
        client = nil
        #expect(told?.field("Veduta-Prepare") == "queued")
        #expect(eventually { (try? Self.made(veduta)) == 4 })
    }

    @Test func signedAnswer_hasItsImagesMade() throws {
        let key = try #require(SigningKey(text: "old:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="))
        let veduta = try CachingService { $0.keys = SigningKeys([key]) }
        let query = "id=a.png&widths=20,40&formats=webp,jpeg"
        let message = URLSignature.message(for: SignedResource(path: "/srcset", query: query), expires: nil)
        let credentials = Credentials(signature: URLSignature.sign(message, with: key), expires: nil)
        let told = try veduta.client.get("/srcset?\(query)&\(credentials.query)")
        #expect(told.field("Veduta-Prepare") == "queued")
        #expect(eventually { (try? Self.made(veduta)) == 4 })
        for address in try Self.addresses(told) {
            #expect(try veduta.client.get(address).cacheStatus.hasPrefix("hit"), "\(address)")
        }
    }

    /// It is charged to who asked, and to nobody else.
    @Test func jobOverTheBudget_endsThere() throws {
        let veduta = try CachingService {
            ($0.budget, $0.budgetDepth) = (1, 1)
            $0.trustedProxies = TrustedProxies(["127.0.0.0/8"]) ?? .none
        }
        try veduta.pictures.add("b.png", PictureFolder.picture(1600, 1200))
        let told = try veduta.client.get(Self.large, "X-Forwarded-For: 198.51.100.1")
        #expect(told.field("Veduta-Prepare") == "queued")
        #expect(eventually { (try? Self.ended(veduta)) == 48 })
        #expect(try Self.dropped(veduta) > 0)
        let last = try #require(Self.addresses(told).last)
        #expect(try veduta.client.get(last, "X-Forwarded-For: 203.0.113.9").code == 200)
    }

    /// Whoever asks for one at once has it, in a cold cache too, and it is kept once.
    @Test func imagesAskedForMeanwhile_areTheSame() throws {
        let veduta = try CachingService()
        try veduta.pictures.add("b.png", PictureFolder.picture(800, 600))
        let target = "/srcset?id=b.png&widths=100,200,300,400,500,600&formats=webp,jpeg"
        let addresses = try Self.addresses(try veduta.client.get(target))
        let early = try addresses.map { try veduta.client.get($0) }
        #expect(early.allSatisfy { $0.code == 200 })
        #expect(veduta.waitForWorkers())
        for (address, response) in zip(addresses, early) {
            let later = try veduta.client.get(address)
            #expect(later.content == response.content && later.field("ETag") == response.field("ETag"), "\(address)")
        }
    }
}
