import ServiceConfiguration
import Testing
import TestSupport

@testable import VedutaService

/// What `/metrics` counts by route, over a socket.
@Suite(.timeLimit(.minutes(5))) struct EndpointMetricsTests {
    /// A request of each resource; a new one does not compile until it has one.
    private static func target(_ route: Endpoint) -> String {
        switch route {
        case .asset: "/asset?id=a.png&width=20&format=png"
        case .srcset: "/srcset?id=a.png&widths=10,20&prepare=off"
        case .map: "/map?latitude=48&longitude=11&zoom=5&size=64x64&format=png"
        case .avatar: "/avatar?names=Anna"
        case .hashedAvatar: "/avatar/00000000000000000000000000000000?d=mp&f=y"
        case .namedAvatar: "/api/?name=Anna"
        case .poll: "/poll?option=a&option=b"
        case .card: "/card?template=quote&quote=a"
        case .iiif: "/iiif/3/a.png/full/max/0/default.png"
        case .pollDescription: "/poll.json?option=a&option=b"
        case .cache: "/cache"
        case .tiles: "/tiles/light.json"
        case .data: "/data/map.json"
        case .wmts: "/wmts"
        case .styles: "/styles/light.json"
        case .sprites: "/sprites/light/default.json"
        case .glyphs: "/fonts/Noto%20Sans%20Regular/0-255.pbf"
        case .maps: "/maps"
        case .mapDescription: "/map.json?latitude=48&longitude=11&zoom=5"
        case .uploads: "/uploads"
        case .upload: "/uploads/none"
        case .assets: "/assets"
        case .assetDescription: "/assets/a.png"
        case .assetPages: "/assets/a.png/pages"
        case .assetFocus: "/assets/a.png/focus"
        case .original: "/assets/a.png/original"
        case .healthLive: "/health/live"
        case .healthReady: "/health/ready"
        case .openAPI: "/openapi.yaml"
        case .script: "/veduta.js"
        case .pageFile: "/pages/common.css"
        case .view: "/view?id=a.png"
        case .metrics: "/metrics"
        case .index: "/"
        case .unknown: "/nothing/here"
        }
    }

    /// #15.8: rows of all answers were filed under the route that a table written by hand had in their place.
    @Test func everyAnswer_isCountedUnderItsOwnRoute() throws {
        let (_, _, client) = try RunningService.withPictures { $0.compat = [.uiAvatars] }
        var expected: [String] = []
        for route in Endpoint.allCases {
            let code = try client.get(Self.target(route)).code
            expected.append("veduta_requests_total{route=\"\(route.label)\",status=\"\(code)\"} 1")
        }
        let lines = try client.get("/metrics").text.split(separator: "\n").map(String.init)
        #expect(lines.filter { $0.hasPrefix("veduta_requests_total{") }.sorted() == expected.sorted())
        let renders = lines.filter { $0.hasPrefix("veduta_renders_total{") }.sorted()
        let made: [Endpoint] = [
            .asset, .srcset, .assetDescription, .assetPages, .map, .mapDescription, .avatar, .hashedAvatar,
            .namedAvatar, .poll, .pollDescription, .card, .iiif, .view, .glyphs,
        ]
        #expect(renders == made.map { "veduta_renders_total{route=\"\($0.label)\"} 1" }.sorted())
    }

    @Test func labels_areDistinct() {
        #expect(Set(Endpoint.allCases.map(\.label)).count == Endpoint.allCases.count)
        #expect(EndpointTable.rows.map(\.endpoint) == Endpoint.allCases)
        #expect(Endpoint.allCases.map(\.rawValue) == Array(Endpoint.allCases.indices))
    }
}
