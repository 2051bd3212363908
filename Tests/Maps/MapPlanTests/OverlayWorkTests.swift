import Colors
import ImagePlan
import MapRender
import Testing

@testable import MapGrammar
@testable import MapPlan

/// What overlays take is found in little time itself, and counts all copies of the world.
@Suite(.timeLimit(.minutes(5))) struct OverlayWorkTests {
    private func request(_ view: String, _ overlays: [MapOverlay]) throws -> MapRequest {
        var request = try Parsing.request("lat=10&lon=0&zoom=0&labels=off&" + view)
        request.overlays = overlays
        return request
    }

    private func camera(_ request: MapRequest) -> Camera { request.camera { _, _ in 0 } }

    private func work(_ request: MapRequest) -> OverlayWork { request.overlayWork(from: camera(request)) }

    /// Paths in steps of half a turn.
    private func paths(
        _ count: Int, _ placeCount: Int, onAndOn: Bool, _ change: (inout MapPath) -> Void = { _ in }
    ) -> [MapOverlay] {
        (0..<count).map { number in
            var path = MapPath(
                places: (0..<placeCount).map { index in
                    let turns = onAndOn ? Double(index) : Double(index % 2)
                    return GeoPlace(longitude: turns * 180, latitude: Double((index + number) % 7) * 10 - 30)
                })
            path.stroke.width = 1
            change(&path)
            return .path(path)
        }
    }

    /// Lines of many turns used to be measured on 256 copies of the world.
    @Test(arguments: [("w=64&h=64", 3), ("w=64&h=64&pitch=60", 8), ("w=1024&h=64", 7)])
    func worstPaths_areMeasuredWhereTheyAreSeen(_ view: String, _ copies: Int) throws {
        for (isGeodesic, onAndOn) in [(true, true), (true, false), (false, true), (false, false)] {
            let overlays = paths(40, 500, onAndOn: onAndOn) {
                $0.isGeodesic = isGeodesic
                $0.stroke.dashes = [1000, 1000]
            }
            let work = work(try request(view, overlays))
            let sides = OverlayLimits.placeLimit + (isGeodesic ? OverlayLimits.arcVertexLimit : 0)
            #expect(work.measuredCount <= copies * sides, "\(view) \(isGeodesic) \(onAndOn)")
            #expect(work.measuredCount > 0 && work.nanoseconds > Double(work.measuredCount))
        }
    }

    @Test func greatCirclesOfAllOverlays_shareTheirVertices() throws {
        func vertices(_ count: Int, _ places: Int) throws -> Double {
            var path = MapPath(
                places: (0..<places).map { GeoPlace(longitude: Double($0 % 2 * 120), latitude: 10) })
            path.isGeodesic = true
            // Nothing of it is seen: only vertices cost.
            var far = try Parsing.request("lat=-60&lon=-95&zoom=20&w=64&h=64&labels=off")
            far.overlays = Array(repeating: .path(path), count: count)
            return (work(far).nanoseconds - Double(count) * MapCost.overlay) / MapCost.place
        }
        let most = Double(OverlayLimits.placeLimit + OverlayLimits.arcVertexLimit)
        #expect(try vertices(1, 20_000) <= most + 1)
        #expect(try vertices(40, 500) <= most + 1)
        #expect(try vertices(2000, 10) <= most + 1)
        #expect(try vertices(2, 10) > 2 * 9 * 20)
    }

    @Test func measuring_endsOnceThereAreTooManyDashes() throws {
        func dashed(_ dashes: [Double]) throws -> OverlayWork {
            work(
                try request(
                    "w=1024&h=1024",
                    paths(20, 1000, onAndOn: false) { $0.stroke.dashes = dashes }))
        }
        let (few, many) = (try dashed([1000, 1000]), try dashed([1, 1]))
        #expect(many.hasTooManyDashes && many.dashCount >= DrawnStroke.dashCountLimit)
        #expect(!few.hasTooManyDashes && few.measuredCount > 5 * many.measuredCount)
    }

    @Test func measuring_stopsWhenItShould() throws {
        let asked = try request("w=64&h=64", paths(1, 20_000, onAndOn: false))
        let whole = work(asked)
        for limit in [1, 2, 4] {
            var count = 0
            let work = asked.overlayWork(from: camera(asked)) {
                count += 1
                return count >= limit
            }
            #expect(work.measuredCount == (limit - 1) * LineMeasure.sidesPerQuestion)
            #expect(count <= limit + 1)
        }
        #expect(whole.measuredCount > 10 * LineMeasure.sidesPerQuestion)
        // Markers too.
        var marker = MapMarker(places: (0..<20_000).map { GeoPlace(longitude: Double($0 % 360), latitude: 0) })
        marker.size = 4
        var count = 0
        let marked = try request("w=4096&h=64", [.marker(marker)])
        _ = marked.overlayWork(from: camera(marked)) {
            count += 1
            return count >= 3
        }
        #expect(count == 3)
    }

    /// As many copies as the picture is worlds wide, and one more where one is cut.
    @Test(arguments: 0...2) func lines_costTheirCopies(_ zoom: Int) throws {
        let places = (0..<100).map { GeoPlace(longitude: Double($0 % 10), latitude: Double($0 / 10)) }
        for width in [64, 256, 512, 1024, 2048, 4096] {
            var view = try Parsing.request("lat=0&lon=5&zoom=\(zoom)&w=\(width)&h=256&labels=off")
            view.overlays = [.path(MapPath(places: places))]
            let work = work(view)
            let worlds = Double(width) / Double(256 << zoom)
            let copies = Double(work.measuredCount) / 99
            #expect(copies >= worlds.rounded(.down) && copies <= worlds + 2, "\(zoom) \(width)")
            #expect(work.nanoseconds >= MapCost.overlay + max(1, worlds.rounded(.down)) * 99 * MapCost.place)
            if worlds <= 1 { #expect(work.nanoseconds < 3 * (MapCost.overlay + 100 * MapCost.place) + 100_000) }
        }
    }

    private func marker(_ title: String, _ count: Int, longitude: Double = 0) -> MapMarker {
        var marker = MapMarker(
            places: Array(repeating: GeoPlace(longitude: longitude, latitude: 10), count: count))
        marker.title = title
        return marker
    }

    private func titleCost(_ view: String, _ markers: [MapMarker]) throws -> Double {
        let asked = try request(view, markers.map { .marker($0) })
        return OverlayCanvas(camera(asked), asked.overlays).titleNanoseconds(asked.overlays)
    }

    /// Two thousand names beside the map used to take the room of those on it.
    @Test func titlesBesideTheMap_makeOthersNoCheaper() throws {
        var long = marker(String(repeating: "n", count: 120), 1999)
        long.titleLook.plate = TitleLook.Plate(color: .black)
        let view = "w=64&h=64"
        let alone = try titleCost(view, [long])
        #expect(alone >= 1999 * (120 * MapCost.titleCharacter + MapCost.titlePlate))
        for markers in [[marker("x", 2000, longitude: 90), long], [long, marker("x", 2000, longitude: 90)]] {
            #expect(try titleCost(view, markers) >= alone)
            let asked = try request(view, markers.map { .marker($0) })
            let boxes = asked.boxesCost(from: camera(asked)).microseconds
            #expect(Double(boxes) >= (alone / 1000).rounded(.down))
            #expect(work(asked).nanoseconds >= alone)
        }
        // No more than are drawn.
        let all = Array(repeating: long, count: 10)
        #expect(try titleCost(view, all) <= alone * 2000 / 1999 + 1)
    }

    @Test func marksOnLetters_costAsLettersDo() throws {
        let tower = "a" + String(repeating: "\u{301}", count: 99)
        let letters = String(repeating: "n", count: 100)
        #expect(tower.count == 1)
        let high = try titleCost("w=64&h=64", [marker(tower, 5)])
        let wide = try titleCost("w=64&h=64", [marker(letters, 5)])
        #expect(high >= wide && wide > 0)
    }

    /// A map with east at its top is as many worlds high.
    @Test func titles_costTheirWorldsHoweverTheMapIsTurned() throws {
        let title = marker("name", 10)
        let wide = try titleCost("w=1024&h=64", [title])
        #expect(wide == 40 * 4 * MapCost.titleCharacter)
        #expect(try titleCost("w=64&h=1024&bearing=90", [title]) == wide)
        #expect(try titleCost("w=64&h=64", [title]) == wide / 4)
    }

    @Test func ordinaryMaps_countEachPlaceOnce() throws {
        let places = (0..<20).map { GeoPlace(longitude: 11 + Double($0) * 0.01, latitude: 43 + Double($0) * 0.01) }
        var view = try Parsing.request("lat=43.1&lon=11.1&zoom=9&w=512&h=512")
        var marker = MapMarker(places: places)
        marker.size = 36
        view.overlays = [.marker(marker)]
        #expect(work(view).nanoseconds == MapCost.overlay + 20 * (MapCost.marker + 36 * 36 * MapCost.markerPixel))
        view.overlays = [.path(MapPath(places: places))]
        #expect(work(view).measuredCount == 19)
    }
}
