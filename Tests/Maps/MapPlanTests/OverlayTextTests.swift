import Colors
import Parameters
import SeededRandom
import Testing

@testable import MapGrammar
@testable import MapPlan

@Suite(.timeLimit(.minutes(5))) struct OverlayTextTests {
    private func place(_ latitude: Double, _ longitude: Double) -> GeoPlace {
        GeoPlace(longitude: longitude, latitude: latitude)
    }

    @Test func marker_hasAllOfItsOptions() throws {
        let text =
            "Color:0x00f|label:A1|size:large|anchor:top-left|offset:3,-4.5|rotate:-90|title:a\\|b\\\\c:d|1.5,2|-3, 190"
        var marker = MapMarker(places: [place(1.5, 2), place(-3, -170)])
        marker.color = Color(red: 0, green: 0, blue: 255)
        marker.look = .pin(.text("A1"))
        marker.size = 48
        marker.anchor = .topLeft
        (marker.offsetX, marker.offsetY, marker.rotation) = (3, -4.5, 270)
        marker.title = "a|b\\c:d"
        #expect(try Parsing.overlays("marker", text) == [.marker(marker)])
        #expect(try Parsing.overlays("markers", "glyph:star|1,2") == [.marker(glyph("star"))])
    }

    private func glyph(_ name: String) -> MapMarker {
        var marker = MapMarker(places: [place(1, 2)])
        marker.look = .pin(.glyph(name))
        return marker
    }

    @Test func icon_liesInItsMiddle() throws {
        guard case .marker(let marker) = try Parsing.overlays("marker", "icon:https://a.example/b:1.png|1,2").first
        else {
            Issue.record("no marker")
            return
        }
        #expect(marker.look == .icon(id: "https://a.example/b:1.png") && marker.anchor == .center)
    }

    @Test func path_hasAllOfItsOptions() throws {
        let text =
            "color:ff000080|weight:2.5|opacity:0.5|dash:4,2|cap:square|join:bevel|border:white,3|fillcolor:red|geodesic:1|1,2|3,4"
        var path = MapPath(places: [place(1, 2), place(3, 4)])
        path.stroke.color = Color(red: 255, green: 0, blue: 0, alpha: 128)
        (path.stroke.width, path.stroke.opacity, path.stroke.dashes) = (2.5, 0.5, [4, 2])
        (path.stroke.cap, path.stroke.join) = (.square, .bevel)
        (path.stroke.borderColor, path.stroke.borderWidth) = (.white, 3)
        (path.fill, path.isGeodesic) = (Color(red: 255, green: 0, blue: 0), true)
        #expect(try Parsing.overlays("path", text) == [.path(path)])
    }

    @Test func polygon_hasHolesAndLosesClosingPlaces() throws {
        let text = "weight:0|fill:red|0,0|0,10|10,10|0,0|hole:1,2|2,2|2,3|hole:enc:_ibE_seK_seK_seK_ibE_seK"
        guard case .polygon(let polygon) = try Parsing.overlays("polygon", text).first else {
            Issue.record("no polygon")
            return
        }
        #expect(polygon.stroke == nil && polygon.fill == Color(red: 255, green: 0, blue: 0) && !polygon.isGeodesic)
        #expect(polygon.rings.count == 3 && polygon.rings[0] == [place(0, 0), place(0, 10), place(10, 10)])
        #expect(polygon.rings[2] == [place(1, 2), place(3, 4), place(4, 6)])
    }

    @Test func fillOfAnArea_followsItsEdge() throws {
        guard case .polygon(let polygon) = try Parsing.overlays("polygon", "color:red|0,0|0,1|1,1").first,
            case .polygon(let plain) = try Parsing.overlays("polygon", "0,0|0,1|1,1").first
        else {
            Issue.record("no polygon")
            return
        }
        #expect(polygon.fill == Color(red: 255, green: 0, blue: 0, alpha: 64))
        #expect(plain.fill == MapPolygon(rings: []).fill)
    }

    @Test func circles_haveRadiiInThreeUnits() throws {
        let circles = try Parsing.overlays("circle", "fill:red|1,2,500|1,2,500m|1,2,0.5km|1,2,20px")
        let radii = circles.compactMap { overlay -> MapCircle.Radius? in
            if case .circle(let circle) = overlay { circle.radius } else { nil }
        }
        #expect(radii == [.metres(500), .metres(500), .metres(500), .pixels(20)])
    }

    @Test func order_swapsThePlacesOfTextsAlone() throws {
        let swapped = try Parsing.request(
            "lat=1&lon=2&order=lonlat&marker=20,10&circle=20,10,5km&path=enc:_ibE_seK_seK_seK&point=20,10",
            for: .positions)
        let plain = try Parsing.request(
            "lat=1&lon=2&marker=10,20&circle=10,20,5km&path=1,2|3,4&point=10,20", for: .positions)
        #expect(swapped == plain && plain.points == [place(10, 20)])
    }

    @Test func overlays_keepTheirOrderAcrossKinds() throws {
        let request = try Parsing.request(
            "path=1,2|3,4&lat=1&marker=1,2&circle=1,2,3&marker=color:red|1,2&lon=2&polygon=1,2|3,4|5,2&marker=5,6&marker=7,8"
        )
        let kinds = request.overlays.map { OverlayWriter.item($0).name }
        #expect(kinds == ["path", "marker", "circle", "marker", "polygon", "marker"])
        #expect(request.overlays.last == .marker(MapMarker(places: [place(5, 6), place(7, 8)])))
    }

    /// Texts of equal meaning, and the one that stands for them.
    @Test(arguments: [
        ("marker", "color:D63E2A|size:mid|anchor:bottom|1.50,2.0", "1.5,2"),
        ("marker", "rotate:360|offset:0,0|01.5,-190", "1.5,170"),
        ("marker", "1,2|color:blue", "color:0000ff|1,2"),
        ("marker", "1.00000004,2.00000006", "1,2.0000001"),
        ("path", "enc:_ibE_seK_seK_seK", "1,2|3,4"), ("path", "color:1f6feb|weight:4|1,2|3,4", "1,2|3,4"),
        ("path", "enc6:_c`|@_gayB_gayB_gayB", "1,2|3,4"), ("path", "geodesic:0|0,170|0,-170", "0,170|0,190"),
        ("path", "0,530|0,550", "0,170|0,190"), ("path", "0,0|0,180|0,0", "0,0|0,180|0,0"),
        ("polygon", "fill:1f6feb40|0,0|0,10|10,10|0,0", "0,0|0,10|10,10"),
        ("polygon", "0,0|0,10|10,10|0,0|0,0|0,0", "0,0|0,10|10,10"),
        ("polygon", "-80,-180|-80,180|80,180|80,-180", "-80,-180|-80,180|80,180|80,-180"),
        ("circle", "1,2,1.5km", "1,2,1500"), ("circle", "opacity:0|1,2,3m", "weight:0|1,2,3"),
    ])
    func canonicalText_isOneForOneMeaning(_ name: String, _ text: String, _ canonical: String) throws {
        let overlay = try #require(try Parsing.overlays(name, text).first)
        #expect(OverlayWriter.item(overlay) == QueryItem(name: name, value: canonical))
        #expect(try Parsing.overlays(name, canonical) == [overlay])
    }

    @Test func longLines_areOneTextHoweverTheyWereWritten() throws {
        let list = (0..<20).map { "\(Double($0) / 10),\(Double($0 * $0) / 100)" }.joined(separator: "|")
        let overlay = try #require(try Parsing.overlays("path", list).first)
        let canonical = OverlayWriter.item(overlay).value
        #expect(canonical.hasPrefix("enc:"))
        #expect(try Parsing.overlays("path", canonical) == [overlay])
        let fine = try #require(try Parsing.overlays("path", list + "|1.0000001,2").first)
        #expect(
            OverlayWriter.item(fine).value == list.replacing(".0,", with: ",").replacing(".0|", with: "|")
                + "|1.0000001,2")
    }

    @Test func barsOfAPolyline_areNoEndOfIt() throws {
        var generator = SeededGenerator(state: 8)
        var barCount = 0
        for _ in 0..<200 {
            let places = (0..<30).map { _ in
                (
                    latitude: Int.random(in: -9_000_000...9_000_000, using: &generator),
                    longitude: Int.random(in: -18_000_000...18_000_000, using: &generator)
                )
            }
            let line = Polyline.encode(places)
            barCount += line.utf8.filter { $0 == UInt8(ascii: "|") }.count
            let overlays = try Parsing.overlays("polygon", "enc:\(line)|hole:enc:\(line)|color:red")
            guard case .polygon(let polygon) = overlays[0] else { continue }
            #expect(polygon.rings.map(\.count) == [30, 30])
        }
        #expect(barCount > 100)
    }

    /// What is wrong, and a part of what is said of it.
    @Test(arguments: [
        ("marker", "color:red", "options and places"), ("marker", "1,2|", "part 2"),
        ("marker", "colr:red|1,2", "did you mean `color`"),
        ("marker", "weight:3|1,2", "part 1 is not an option"), ("marker", "color:redd|1,2", "CSS name"),
        ("marker", "139.7,35.6", "order=lonlat"), ("marker", "1,2,3", "part 1"), ("marker", "1;2", "part 1"),
        ("marker", "label:abcde|1,2", "at most 4 characters"), ("marker", "label:|1,2", "at most 4"),
        ("marker", "label:a|glyph:b|1,2", "only one of"), ("marker", "color:red|color:red|1,2", "once"),
        ("marker", "size:3|1,2", "tiny"), ("marker", "1,361", "degrees"), ("marker", "enc:_ibE_seK", "part 1"),
        ("path", "1,2", "at least two places"), ("path", "enc:_ibE", "polyline is broken"),
        ("path", "enc:~~~~~~~~~~~~~", "broken"),
        ("path", "enc:_c`|@_gayB_gayB_gayB_gayB_gayB_gayB_gayB_gayB_gayB_gayB_gayB", "outside the Earth"),
        ("path", "dash:0,0|1,2|3,4", "not all of them 0"), ("path", "cap:flat|1,2|3,4", "butt, round or square"),
        ("path", "1,2|hole:3,4|5,6", "part 2"), ("path", "weight:101|1,2|3,4", "0 to 100"),
        ("polygon", "0,0|1,1|0,0", "at least three"), ("polygon", "0,0|1,1|2,0|hole:1,1|2,2", "at least three"),
        ("polygon", "hole:0,0|1,1|2,0", "part"), ("circle", "1,2", "LAT,LON,RADIUS"), ("circle", "1,2,0", "0.1 to"),
        ("circle", "1,2,3mi", "metres"), ("circle", "1,2,30000km", "metres"),
        ("circle", "geodesic:1|1,2,3", "not an option"),
    ])
    func faults_sayWhatIsAllowed(_ name: String, _ text: String, _ words: String) throws {
        let fault = try Parsing.fault(name, text)
        #expect(fault.contains(words), "\(fault)")
    }

    @Test func limits_areFaults() throws {
        let places = Array(repeating: "1,2", count: OverlayLimits.placeLimit / 2).joined(separator: "|")
        #expect(try Parsing.faults("lat=1&lon=2&marker=\(places)&path=\(places)").isEmpty)
        let full = try Parsing.faults("lat=1&lon=2&marker=\(places)&path=\(places)&circle=1,2,3")
        #expect(full.map(\.parameter) == ["circle"] && full[0].message.contains("20000 places"))
        let circles = Array(repeating: "1,2,3", count: OverlayLimits.overlayLimit + 1).joined(separator: "|")
        #expect(try Parsing.fault("circle", circles).contains("2000 overlays"))
        let long = String(repeating: "1", count: OverlayLimits.textByteLimit + 1)
        #expect(try Parsing.fault("marker", long).contains("bytes long"))
        #expect(try Parsing.fault("marker", "title:\(long.prefix(201))|1,2").contains("200 bytes"))
    }

    @Test func iconsAreCountedByTheirPictures() throws {
        func items(_ icons: [String]) -> [QueryItem] {
            [QueryItem(name: "lat", value: "1"), QueryItem(name: "lon", value: "2")]
                + icons.map { QueryItem(name: "marker", value: "\($0)|1,2") }
        }
        func faults(_ icons: [String]) -> [ParameterFault] {
            do throws(ParameterFaults) {
                _ = try MapRequest.parse(items(icons))
                return []
            } catch {
                return error.faults
            }
        }
        let full = (0..<OverlayLimits.iconLimit).map { "icon:p\($0).png" }
        // Once more the same is no more, whatever else is different.
        #expect(faults(full + full.map { "\($0)|rotate:5" } + ["label:a"]).isEmpty)
        for more in ["icon:q.png", "icon:p0.png|size:20"] {
            let found = faults(full + [more])
            #expect(found.map(\.parameter) == ["marker"])
            #expect(found.first?.message.contains("at most 64 different icons") == true)
        }
    }

    @Test func hostileTexts_neverTrap() throws {
        var generator = SeededGenerator(state: 88)
        let alphabet = Array("0123456789.,-|:\\ abcdehlnoprt~?@_%^\u{e9}\u{1F1E9}")
        for _ in 0..<3000 {
            let name = ["marker", "path", "polygon", "circle", "geojson"].randomElement(using: &generator) ?? ""
            let starts = ["", "enc:", "hole:", "color:", "1,2|", "enc6:", "{\"type\":"]
            var text = starts.randomElement(using: &generator) ?? ""
            for _ in 0..<Int.random(in: 0...30, using: &generator) {
                text.append(alphabet.randomElement(using: &generator) ?? "0")
            }
            _ = try Parsing.fault(name, text)
        }
    }
}
