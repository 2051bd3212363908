import SeededRandom
import Testing

@testable import MapGrammar
@testable import MapOverlays
@testable import MapPlan
@testable import MapRender

/// Prices of overlays grow with what is drawn of them.
@Suite(.timeLimit(.minutes(5))) struct OverlayPriceTests {
    /// Views of one world and of several. Levels are those of the world of 512 pixels.
    static let views: [(zoom: Double, width: Double, height: Double)] = [
        (-1, 64, 64), (-1, 512, 512), (-1, 1500, 300), (-1, 4096, 4096), (0, 512, 512), (0, 4096, 256),
        (0, 4096, 4096), (1, 700, 700), (1, 4096, 1024),
    ]

    private func camera(_ view: (zoom: Double, width: Double, height: Double), longitude: Double) -> Camera {
        Camera(longitude: longitude, latitude: 20, zoom: view.zoom, width: view.width, height: view.height)
    }

    /// The anchors of a marker as it is drawn, by trying all worlds.
    private func anchors(_ drawn: DrawnMarker, _ camera: Camera) -> [ScreenPoint] {
        let view = View(camera)
        return drawn.places.flatMap { place in
            (-100...100).compactMap { copy -> ScreenPoint? in
                let x = (place.x + Double(copy)) * view.worldSize - view.center.x + camera.width / 2 + drawn.offset.x
                let y = place.y * view.worldSize - view.center.y + camera.height / 2 + drawn.offset.y
                let isSeen =
                    x > -drawn.reach && y > -drawn.reach && x < camera.width + drawn.reach
                    && y < camera.height + drawn.reach
                return isSeen ? ScreenPoint(x: x, y: y) : nil
            }
        }
    }

    private func drawn(_ overlay: MapOverlay, _ camera: Camera) throws -> DrawnMarker {
        var drawer = OverlayDrawer(icons: [:], view: View(camera))
        drawer.add(overlay)
        guard case .marker(let marker) = try #require(drawer.drawings.first) else { throw NoMarker() }
        return marker
    }

    private struct NoMarker: Error {}

    private func work(_ overlay: MapOverlay, _ camera: Camera) -> OverlayWork {
        OverlayCanvas(camera, [overlay]).work([overlay])
    }

    private func isNear(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 1e-6 * max(abs(a), abs(b)) }

    @Test(arguments: 0..<OverlayPriceTests.views.count) func markers_costTheirAnchors(_ index: Int) throws {
        var random = SeededGenerator(state: UInt64(index) + 5)
        for size in [4.0, 36, 256] {
            for placeCount in [1, 3, 60] {
                let camera = camera(Self.views[index], longitude: Double.random(in: -180...180, using: &random))
                var marker = MapMarker(
                    places: (0..<placeCount).map { _ in
                        GeoPlace(
                            longitude: Double.random(in: -180...180, using: &random),
                            latitude: Double.random(in: -80...80, using: &random))
                    })
                marker.size = size
                (marker.offsetX, marker.offsetY) = (Double.random(in: -300...300, using: &random), 10)
                let drawn = try drawn(.marker(marker), camera)
                let count = anchors(drawn, camera).count
                let price = work(.marker(marker), camera).nanoseconds - MapCost.overlay
                let each = MapCost.marker + size * size * MapCost.markerPixel
                if count < MarkerSpriteCache.least {
                    #expect(isNear(price, Double(max(count, placeCount)) * each), "\(camera) \(size) \(placeCount)")
                } else {
                    // No less than copying all, and no more than drawing some and copying whole squares.
                    let sprites = try #require(MarkerSpriteCache(reach: marker.drawnReach))
                    let square = Double(sprites.side * sprites.side) * MapCost.spritePixel
                    #expect(price >= Double(count) * MapCost.sprite)
                    let most =
                        Double(sprites.countLimit) * each + Double(count) * (MapCost.sprite + square)
                        + Double(placeCount) * MapCost.place
                    #expect(price <= most, "\(camera) \(size) \(placeCount)")
                }
            }
        }
    }

    @Test(arguments: 0..<OverlayPriceTests.views.count) func circles_costWhatIsFilledOnAllWorlds(_ index: Int) throws {
        var random = SeededGenerator(state: UInt64(index) + 50)
        for radius in [10.0, 300, 4000] {
            let camera = camera(Self.views[index], longitude: Double.random(in: -180...180, using: &random))
            var circle = MapCircle(
                center: GeoPlace(longitude: Double.random(in: -180...180, using: &random), latitude: 20),
                radius: .pixels(radius))
            circle.stroke = nil
            let drawn = try drawn(.circle(circle), camera)
            let anchors = anchors(drawn, camera)
            let area = anchors.reduce(0) { sum, anchor in
                let width = min(camera.width, anchor.x + radius) - max(0, anchor.x - radius)
                let height = min(camera.height, anchor.y + radius) - max(0, anchor.y - radius)
                return sum + max(0, width) * max(0, height)
            }
            let further = Double(max(0, anchors.count - 1)) * MapCost.marker
            let price = work(.circle(circle), camera).nanoseconds
            #expect(isNear(price, MapCost.overlay + further + area * MapCost.fillPixel), "\(camera) \(radius)")
        }
    }

    /// 200 of them were priced like 200 fills of the canvas, and drawn as nearly 50 times as many.
    @Test func largestCircles_costManyFills() {
        let camera = Camera(longitude: 0, latitude: 0, zoom: -1, width: 4096, height: 4096)
        var circle = MapCircle(center: GeoPlace(longitude: 0, latitude: 0), radius: .pixels(4096))
        circle.stroke = nil
        #expect(work(.circle(circle), camera).nanoseconds > 30 * 4096 * 4096 * MapCost.fillPixel)
    }

    @Test func pins_reachAsFarAsThePriceSays() throws {
        let camera = Camera(longitude: 0, latitude: 0, zoom: 3, width: 300, height: 300)
        for anchor in MapMarker.Anchor.allCases {
            for size in [4.0, 36, 256] {
                var marker = MapMarker(places: [GeoPlace(longitude: 0, latitude: 0)])
                (marker.anchor, marker.size) = (anchor, size)
                let pin = try drawn(.marker(marker), camera)
                #expect(isNear(pin.reach, marker.drawnReach), "\(anchor) \(size)")
                marker.look = .icon(id: "none")
                #expect(try drawn(.marker(marker), camera).reach <= marker.drawnReach)
            }
        }
    }
}
