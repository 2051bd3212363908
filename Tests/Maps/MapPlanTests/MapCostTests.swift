import Colors
import ImagePlan
import MapRender
import Parameters
import SeededRandom
import Testing

@testable import MapGrammar
@testable import MapPlan

@Suite(.timeLimit(.minutes(5))) struct MapCostTests {
    private func cost(_ query: String, _ output: OutputFormat = .png) throws -> PredictedCost {
        let request = try Parsing.request("lat=43.77&lon=11.25&" + query)
        return request.predictedCost(from: request.camera { _, _ in 14 }, encodedAs: output)
    }

    @Test func measuredMaps_costWhatWasMeasured() throws {
        // Milliseconds of the bench, within a factor of two.
        for (query, measured) in [("zoom=15", 44.0), ("zoom=15&scale=2", 84), ("zoom=17", 17), ("zoom=17&scale=2", 38)]
        {
            let predicted = Double(try cost(query).microseconds) / 1000
            #expect(predicted > measured / 2 && predicted < measured * 2, "\(query) \(predicted)")
        }
        #expect(!(try cost("zoom=15")).isLong)
        #expect(try cost("zoom=15&w=4096&h=4096").isLong)
    }

    @Test func steps_areNamedInOrder() throws {
        let names = try cost("zoom=15&marker=1,2&filter=blur:2", .webp).steps.map(\.name)
        #expect(names == ["tiles", "labels", "draw", "overlays", "filter blur:2", "encode webp"])
        #expect(try cost("zoom=15&labels=off").steps.map(\.name) == ["tiles", "draw", "encode png"])
    }

    @Test func moreIsNeverCheaper() throws {
        var generator = SeededGenerator(state: 21)
        for _ in 0..<200 {
            let side = Int.random(in: 16...1000, using: &generator)
            let zoom = Int.random(in: 0...20, using: &generator)
            let pitch = Int.random(in: 0...50, using: &generator)
            let base = "zoom=\(zoom)&w=\(side)&h=\(side)"
            let plain = try cost("\(base)&pitch=\(pitch)")
            for more in [
                "\(base)&pitch=\(pitch)&marker=1,2", "\(base)&pitch=\(pitch)&filter=blur:3",
                "zoom=\(zoom)&w=\(side + 20)&h=\(side)&pitch=\(pitch)", "\(base)&pitch=\(pitch + 10)",
                "\(base)&pitch=\(pitch)&scale=2",
            ] {
                let cost = try cost(more)
                #expect(cost.microseconds >= plain.microseconds && cost.byteCount >= plain.byteCount, "\(more)")
            }
            let silent = try cost("\(base)&pitch=\(pitch)&labels=off")
            #expect(silent.microseconds < plain.microseconds)
        }
        #expect(
            try cost("zoom=9&path=enc:_ibE_seK_seK_seK").microseconds < cost("zoom=9&marker=1,2|3,4|5,6").microseconds)
    }

    @Test func areas_costWhatTheyFill() throws {
        func overlays(_ query: String) throws -> Int {
            try #require(cost("zoom=15&w=2000&h=2000&" + query).steps.first { $0.name == "overlays" }).microseconds
        }
        let small = try overlays("polygon=43.77,11.25|43.7701,11.25|43.77,11.2501")
        let large = try overlays("polygon=43,11|44,11|44,12")
        #expect(small < 100 && large > 7000 && large < 10_000)
        #expect(try overlays("circle=43.77,11.25,10m") < 400)
        #expect(try overlays("circle=43.77,11.25,10km") > 7000)
        #expect(try overlays("circle=43.77,11.25,10px") < overlays("circle=43.77,11.25,100px"))
        #expect(try overlays("path=fill:red|43,11|44,11|44,12") > overlays("path=43,11|44,11|44,12"))
    }

    @Test func longSidesAlongGreatCircles_costTheirVertices() throws {
        func cost(_ count: Int, _ step: Int) throws -> PredictedCost {
            var path = MapPath(places: (0..<count).map { GeoPlace(longitude: Double($0 % 2 * step), latitude: 10) })
            path.isGeodesic = step > 0
            var request = try Parsing.request("lat=10&lon=10&zoom=24&w=100&h=100&labels=off")
            request.overlays = [.path(path)]
            return request.predictedCost(from: request.camera { _, _ in 14 }, encodedAs: .png)
        }
        // Nobody waits behind the longest that there may be.
        #expect(try cost(20_000, 150).isLong)
        #expect(try !cost(20_000, 0).isLong)
        #expect(try !cost(20_000, 1).isLong)
        #expect(try cost(100, 150).microseconds < cost(100, 1).microseconds + 20_000)
        // No more than there are.
        #expect(try cost(20_000, 150).microseconds < 800_000)
    }

    @Test func names_costWhatIsSet() throws {
        func cost(_ count: Int, _ length: Int, _ view: String = "zoom=15") throws -> Int {
            var marker = MapMarker(places: Array(repeating: GeoPlace(longitude: 11.25, latitude: 43.77), count: count))
            marker.title = length > 0 ? String(repeating: "n", count: length) : nil
            var request = try Parsing.request("lat=43.77&lon=11.25&\(view)")
            request.overlays = [.marker(marker)]
            return request.predictedCost(from: request.camera { _, _ in 14 }, encodedAs: .png).microseconds
        }
        let (plain, long) = (try cost(20_000, 0), try cost(20_000, 120))
        #expect(long - plain > 400_000 && long - plain < 1_000_000)
        #expect(try cost(2000, 120) - cost(2000, 0) == long - plain)
        #expect(try cost(1, 4) - cost(1, 0) < 50)
        // A place is there once for each world.
        let wide = "zoom=0&w=4096"
        #expect(try cost(10, 100, wide) - cost(10, 0, wide) > 5 * (cost(10, 100) - cost(10, 0)))
    }

    @Test func icons_costTheirBytes() throws {
        func bytes(_ query: String) throws -> Int {
            try #require(cost("zoom=15&w=100&h=100&scale=4&" + query).steps.first { $0.name == "overlays" }).byteCount
        }
        let none = try bytes("marker=1,2")
        let side = 256 * 4
        #expect(try bytes("marker=icon:a|size:256|1,2") == none + 2 * side * side * 4)
        #expect(
            try bytes("marker=icon:a|size:256|1,2&marker=icon:a|size:256|rotate:9|3,4") == none + 2 * side * side * 4)
        #expect(try bytes("marker=icon:a|size:256|1,2&marker=icon:b|size:256|3,4") == none + 4 * side * side * 4)
    }

    @Test func tiles_areAboutThoseThatTheViewTouches() throws {
        var camera = Camera(longitude: 11, latitude: 43, zoom: 14, width: 512, height: 512)
        #expect(MapRequest.tileCount(camera) == 4)
        camera.zoom = 16
        #expect(abs(MapRequest.tileCount(camera) - 1.5625) < 1e-6)
        camera.zoom = 0
        #expect(MapRequest.tileCount(camera) <= 3)
        (camera.zoom, camera.pitch) = (14, 60)
        #expect((6...40).contains(MapRequest.tileCount(camera)))
        (camera.width, camera.height) = (0, 0)
        #expect(MapRequest.tileCount(camera) >= 1)
    }

    // MARK: Dashes and wide lines (#15.1)

    /// A path to and fro over the middle of a picture.
    private func zigzag(_ count: Int, _ view: String, _ change: (inout MapPath) -> Void) throws -> MapRequest {
        var request = try Parsing.request("lat=43.77&lon=11.25&zoom=12&labels=off&" + view)
        var path = MapPath(
            places: (0..<count).map {
                GeoPlace(longitude: 11.25 + ($0 % 2 == 0 ? -0.05 : 0.05), latitude: 43.77 + Double($0) * 1e-6)
            })
        change(&path)
        request.overlays = [.path(path)]
        return request
    }

    private func dashCount(_ request: MapRequest) -> Int {
        request.overlayWork(from: request.camera { _, _ in 14 }).dashCount
    }

    @Test func dashes_areCountedByLengthAndPeriod() throws {
        func count(_ dashes: [Double], _ view: String = "w=512&h=512", _ change: (inout MapPath) -> Void = { _ in })
            throws -> Int
        {
            dashCount(
                try zigzag(11, view) {
                    $0.stroke.dashes = dashes
                    $0.stroke.width = 2
                    change(&$0)
                })
        }
        // 0.1 degrees at zoom 12 of 256-pixel tiles are 291 pixels: ten of them with a dash each four.
        let plain = try count([1, 3])
        #expect(abs(plain - 2913 / 4) < 10)
        #expect(abs(try count([1, 3, 2, 2]) - plain) < 3)
        #expect(abs(try count([2]) - plain) < 3)
        #expect(abs(try count([1, 3], "w=512&h=512&scale=2") - plain) < 3)
        #expect(
            try count([1, 3]) {
                $0.stroke.borderColor = .black; $0.stroke.borderWidth = 1
            } == 2 * plain)
        // What is drawn solid has none, and neither has what is beside the picture.
        #expect(try count([0.1, 0.3]) == 0)
        #expect(try count([0.1, 0.3], "w=512&h=512&scale=4") > plain)
        #expect(try count([]) == 0)
        #expect(try count([1, 3], "w=100&h=512") < plain / 2)
        #expect(try count([1, 3], "w=512&h=512&pitch=60") > plain / 3)
        #expect(try count([1, 3]) { $0.isGeodesic = true } > plain * 9 / 10)
    }

    @Test func dashesOfAllKindsOfLines_areCounted() throws {
        func count(_ overlay: String) throws -> Int {
            dashCount(try Parsing.request("lat=43.77&lon=11.25&zoom=12&w=512&h=512&" + overlay))
        }
        #expect(try count("polygon=weight:2|dash:2,2|43.75,11.2|43.75,11.3|43.8,11.3") > 100)
        #expect(abs(try count("circle=weight:2|dash:2,2|43.77,11.25,100px") - 157) < 2)
        #expect(try count("circle=weight:2|dash:2,2|43.77,11.25,2km") > 100)
        let line =
            "{\"type\":\"Feature\",\"properties\":{\"line-dasharray\":[1,1],\"line-width\":2},\"geometry\":"
            + "{\"type\":\"LineString\",\"coordinates\":[[11.2,43.77],[11.3,43.77]]}}"
        #expect(try count("geojson=" + line) > 60)
        #expect(try count("marker=43.77,11.25") == 0)
    }

    @Test func longWideAndDashedLines_costMore() throws {
        func cost(_ count: Int, _ view: String = "w=512&h=512", _ change: (inout MapPath) -> Void) throws -> Int {
            let request = try zigzag(count, view, change)
            return request.predictedCost(from: request.camera { _, _ in 14 }, encodedAs: .png).microseconds
        }
        let plain = try cost(5000) { $0.stroke.width = 2 }
        #expect(try cost(5000) { $0.stroke.width = 100 } > plain + 10_000)
        #expect(try cost(5000) { ($0.stroke.width, $0.stroke.dashes) = (2, [1, 3]) } > plain + 100_000)
        #expect(try cost(5000, "w=512&h=512&scale=4") { $0.stroke.width = 2 } > plain + 100_000)
        // Of a real way, which is about as long as the picture is wide, nothing of that is felt.
        #expect(
            try cost(11) { ($0.stroke.width, $0.stroke.dashes) = (4, [4, 4]) } < cost(11) { $0.stroke.width = 4 } + 2000
        )
    }

    // MARK: Looks (#15.5)

    @Test func looks_costTheirStyle() throws {
        let plain = try cost("zoom=15")
        let (one, eight) = (try cost("zoom=15&language=it"), try cost("zoom=15&language=it,en,fr,de,es,pt,nl,pl"))
        #expect(one.microseconds > plain.microseconds && eight.microseconds > one.microseconds)
        #expect(eight.byteCount >= one.byteCount)
        let classes = (0..<32).map { "class\($0)" }.joined(separator: ",")
        #expect(try cost("zoom=15&poi=\(classes)").microseconds > eight.microseconds)
        #expect(try cost("zoom=15&poi=\(classes)").steps.first { $0.name == "style" }?.byteCount ?? 0 > 1_000_000)
        #expect(try cost("zoom=15&poi=all").steps == plain.steps)
    }
}
