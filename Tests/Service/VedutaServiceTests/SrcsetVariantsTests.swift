import AssetLibrary
import HTTPMessage
import ImageEngine
import ImagePlan
import Originals
import Parameters
import SeededRandom
import TestSupport
import Testing
import URLSigning

@testable import VedutaService

/// The images of `/srcset` are made by setting box and format in a request that was read once. Each must be what `/asset` reads at its
/// address, faults included.
@Suite(.timeLimit(.minutes(5))) struct SrcsetVariantsTests {
    private static let rules = [
        SizeRules(), SizeRules(sideLimitPx: 600), SizeRules(widthsPx: [100, 200, 640]),
        SizeRules(sideLimitPx: 150, widthsPx: [100, 200, 640], roundsUp: false),
    ]
    private static let widthsPx = [1, 99, 100, 641, 8192]

    private static let queries = [
        "id=a.png", "id=a.png&width=4&height=3&fit=cover&gravity=top", "id=a.png&width=3&height=1&fit=outside",
        "id=a.png&width=4&height=3&fit=contain&background=blur&pad=5", "id=a.png&width=1&height=8000&enlarge=1",
        "id=a.png&width=3&height=2&crop=16:9,top&scale=2&radius=9", "id=a.png&crop=10,10,50,50&rotate=30,straighten",
        "id=a.png&filter=blur:20,pixelate:90,noise:9:4&scale=2&trim=10", "id=a.png&mask=circle&flip=h&rotate=90",
        "id=a.png&overlay=b.png:top%7Ctile:8%7Crotate:30&text=one&overlay=album/c.png&default=b.png",
        "id=a.png&overlay=../c.png",
        "id=a.png&overlay=http://127.0.0.1/c.png", "id=a.png&default=http://127.0.0.1/c.png", "id=../a.png",
        "id=http://127.0.0.1/a/../b.png", "id=../a.png&lossless=1", "id=../a.png&width=1&height=8000",
        "id=a.png&quality=70&progressive=1&effort=10", "id=a.png&quality=auto:60", "id=a.png&lossless=1&effort=9",
        "id=a.png&colors=16", "id=a.png&bytes=20000&quality=70", "id=a.png&hdr=keep", "id=a.png&metadata=keep&page=2",
        "id=a.png&lossless=1&width=1&height=8000",
        // What a preset may say.
        "id=a.png&dpi=90", "id=a.png&format=json", "id=a.png&format=webp&quality=80", "id=a.png&width=50p&height=50p",
        "id=a.png&width=50&explain=1", "id=a.png&height=50&download=x.png&pages=all",
    ]

    private let folder: PictureFolder
    private let originals: Originals

    init() throws {
        folder = try PictureFolder()
        originals = Originals(library: try FolderLibrary(rootPath: folder.path))
    }

    private func endpoint(_ rules: SizeRules) -> AssetEndpoint {
        var endpoint = AssetEndpoint(originals: originals, options: RenderOptions(effortLimit: 6))
        endpoint.rules.sizes = rules
        return endpoint
    }

    /// As it would be read from its text.
    private func parsed(
        _ base: ImageRequest, _ widthPx: Int, _ format: OutputFormat, by endpoint: AssetEndpoint
    ) throws(EndpointError) -> ImageRequest {
        var request = base
        (request.width, request.height, request.format) = (.pixels(widthPx), nil, format)
        if case .pixels(let width)? = base.width, case .pixels(let height)? = base.height {
            request.height = .pixels(max(1, (widthPx * height + width / 2) / width))
        }
        let items: [QueryItem]
        do throws(ParameterFaults) {
            items = try QueryItems.parse(request.canonical)
        } catch {
            throw .parameters(error)
        }
        return try endpoint.imageRequest(items)
    }

    private func outcome(_ image: () throws(EndpointError) -> ImageRequest) -> String {
        do throws(EndpointError) { return try image().canonical } catch { return "\(error)" }
    }

    private func check(_ base: ImageRequest, _ query: String) {
        for rules in Self.rules {
            let endpoint = endpoint(rules)
            var variants = SrcsetVariants(base, of: endpoint)
            for format in OutputFormat.allCases {
                for widthPx in Self.widthsPx {
                    let made = outcome { () throws(EndpointError) in
                        try variants.image(widthPx: widthPx, format)
                    }
                    let wanted = outcome { () throws(EndpointError) in
                        try parsed(base, widthPx, format, by: endpoint)
                    }
                    #expect(made == wanted, "\(query), \(widthPx) as \(format) by \(rules)")
                }
            }
        }
    }

    @Test(arguments: queries) func images_areWhatTheirAddressesAreReadAs(_ query: String) throws {
        check(try ImageRequest.parse(QueryItems.parse(query)), query)
    }

    @Test func imagesOfRandomRequests_areWhatTheirAddressesAreReadAs() throws {
        var (numbers, count) = (SeededGenerator(state: 5), 0)
        for _ in 0..<60 {
            let query = RandomPicture.asset(&numbers).query(&numbers)
            guard let base = try? ImageRequest.parse(QueryItems.parse(query)) else { continue }
            count += 1
            check(base, query)
        }
        #expect(count > 30)
    }

    /// The text that is signed is the one that is checked when the address comes back.
    @Test(arguments: queries) func signaturesOfAddresses_areThoseOfTheirCanonicalForm(_ query: String) throws {
        let key = try #require(SigningKey(text: "k:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="))
        let signer = AnswerSigner(key: key, expires: 1_900_000_000)
        let base = try ImageRequest.parse(QueryItems.parse(query))
        for rules in Self.rules {
            var variants = SrcsetVariants(base, of: endpoint(rules))
            for format in OutputFormat.allCases {
                guard let request = try? variants.image(widthPx: 100, format) else { continue }
                let form = try ImageRequest.signedQuery(
                    of: QueryItems.parse(request.canonical), idSpelling: OriginURL.oneSpelling)
                let message = URLSignature.message(
                    for: SignedResource(path: "/asset", query: form), expires: signer.expires)
                let credentials = Credentials(
                    signature: URLSignature.sign(message, with: key), expires: signer.expires)
                #expect(signer.query(for: request) == credentials.query, "\(request.canonical)")
            }
        }
    }
}
