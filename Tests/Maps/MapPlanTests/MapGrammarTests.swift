import ImagePlan
import MapRender
import Parameters
import Testing

@testable import MapGrammar
@testable import MapPlan

@Suite(.timeLimit(.minutes(5))) struct MapGrammarTests {
    /// What is asked, and its canonical form.
    @Test(arguments: [
        ("latitude=59.935634&longitude=30.325935", "latitude=59.935634&longitude=30.325935"),
        ("lon=30.50&lat=59.0", "latitude=59&longitude=30.5"),
        ("lng=-0&lat=0", "latitude=0&longitude=0"),
        ("lat=1&lon=2&w=512&height=512&dpr=1&format=auto", "latitude=1&longitude=2"),
        (
            "q=70&format=webp&h=300&zoom=3.50&lon=2&lat=1",
            "latitude=1&longitude=2&zoom=3.5&height=300&format=webp&quality=70"
        ),
        ("lat=-90&lon=180&zoom=0&w=16&h=4096&scale=1.0", "latitude=-90&longitude=180&zoom=0&width=16&height=4096"),
        ("lat=1&lon=2&w=1024&scale=4", "latitude=1&longitude=2&width=1024&scale=4"),
        ("lat=1&lon=2&zoom=&quality=", "latitude=1&longitude=2"),
        ("center=59.9,30.30&zoom=3", "latitude=59.9&longitude=30.3&zoom=3"),
        ("lat=1&lon=2&glzoom=3.5", "latitude=1&longitude=2&zoom=4.5"),
        ("lat=1&lon=2&glzoom=-1", "latitude=1&longitude=2&zoom=0"),
        ("lat=1&lon=2&span=1.50,2", "latitude=1&longitude=2&span=1.5,2"),
        ("lat=1&lon=2&metres=500", "latitude=1&longitude=2&meters=500"),
        ("lat=1&lon=2&meters=500,300.0", "latitude=1&longitude=2&meters=500,300"),
        ("bbox=170,-10.0,-170,10&clip=outside", "bbox=170,-10,-170,10"),
        ("bbox=1,2,3,4&clip=inside", "bbox=1,2,3,4&clip=inside"),
        ("fit=overlays&markers=1,2&maxzoom=17.0", "fit=overlays&marker=1,2"),
        ("fit=overlays&marker=1,2&maxzoom=9", "fit=overlays&maxzoom=9&marker=1,2"),
        ("lat=1&lon=2&size=600x512", "latitude=1&longitude=2&width=600"),
        ("lat=1&lon=2&heading=-90&tilt=30", "latitude=1&longitude=2&bearing=270&pitch=30"),
        ("lat=1&lon=2&bearing=360&pitch=0&padding=0,0", "latitude=1&longitude=2"),
        ("lat=1&lon=2&padding=10,10,10", "latitude=1&longitude=2&padding=10"),
        ("lat=1&lon=2&padding=1,2,1,2", "latitude=1&longitude=2&padding=1,2"),
        ("lat=1&lon=2&padding=1,2,3,2", "latitude=1&longitude=2&padding=1,2,3"),
        ("lat=1&lon=2&padding=1,2,3,4", "latitude=1&longitude=2&padding=1,2,3,4"),
        ("lat=1&lon=2&labels=on&order=latlon", "latitude=1&longitude=2"),
        ("lat=1&lon=2&poi=on", "latitude=1&longitude=2&poi=all"),
        ("lat=1&lon=2&labels=off&pois=none", "latitude=1&longitude=2&labels=off&poi=none"),
        ("lat=1&lon=2&poi=museum,Cafe,museum&lang=IT,en,it", "latitude=1&longitude=2&poi=cafe,museum&language=it,en"),
        ("lat=1&lon=2&language=zh-hans,pt-br", "latitude=1&longitude=2&language=zh-Hans,pt-BR"),
        ("lat=1&lon=2&below=labels&attribution=top-left", "latitude=1&longitude=2&below=labels&attribution=top-left"),
        ("lat=1&lon=2&scalebar=none&north=none", "latitude=1&longitude=2"),
        ("lat=1&lon=2&scalebar=bottom-left", "latitude=1&longitude=2&scalebar=metric"),
        (
            "lat=1&lon=2&north=top-right&scalebar=top-left,both",
            "latitude=1&longitude=2&scalebar=both,top-left&north=top-right"
        ),
        (
            "lat=1&lon=2&marker=title:A|text-color:white|background:0x1f6febff,5.0|radius:4|1,2",
            "latitude=1&longitude=2&marker=title:A%7Ctextcolor:ffffff%7Cbackground:1f6feb%7C1,2"
        ),
        (
            "lat=1&lon=2&marker=title:A|background:fff,8|radius:100|1,2",
            "latitude=1&longitude=2&marker=title:A%7Cbackground:ffffff,8%7Cradius:100%7C1,2"
        ),
        ("lat=1&lon=2&marker=title:A|background:transparent|1,2", "latitude=1&longitude=2&marker=title:A%7C1,2"),
        ("lat=1&lon=2&filter=sepia(0),blur(2)&download=a.png", "latitude=1&longitude=2&filter=blur:2&download=a.png"),
        ("lat=1&lon=2&style=dark&theme=light", "latitude=1&longitude=2"),
        ("lat=1&lon=2&theme=dark", "latitude=1&longitude=2&style=dark"),
        ("lat=1&lon=2&style=dark&theme=auto", "latitude=1&longitude=2&theme=auto"),
        // Defaults that are sent are as good as absent (#15.9).
        ("lat=1&lon=2&clip=outside&maxzoom=17", "latitude=1&longitude=2"),
        ("bbox=1,2,3,4&clip=outside&maxzoom=17", "bbox=1,2,3,4"),
        ("fit=overlays&marker=1,2&clip=outside&maxzoom=17", "fit=overlays&marker=1,2"),
        ("lat=1&lon=2&size=600x400&width=512&height=512", "latitude=1&longitude=2&width=600&height=400"),
    ])
    func canonicalForm_isOneForOnePicture(_ query: String, _ canonical: String) throws {
        let request = try Parsing.request(query)
        #expect(request.canonical == canonical)
        #expect(try Parsing.request(canonical) == request)
    }

    @Test func randomRequests_areCanonicalAndStayThemselves() throws {
        var random = RandomMapRequests(seed: 80)
        for _ in 0..<800 {
            let items = random.items()
            let request = try MapRequest.parse(items)
            let canonical = request.canonical
            let again = try Parsing.request(canonical)
            #expect(again.canonical == canonical)
            #expect(again.overlays == request.overlays && again.placement == request.placement, "\(canonical)")
            // Where the parameters stand does not matter.
            let isOverlay = { (item: QueryItem) in
                ["marker", "path", "polygon", "circle", "geojson"].contains(item.name)
            }
            let moved = items.filter(isOverlay) + items.filter { !isOverlay($0) }.shuffled(using: &random.generator)
            #expect(try MapRequest.parse(moved) == request)
            // And every one can be looked at.
            let camera = request.camera { _, _ in 10 }
            #expect(
                (-1...23).contains(camera.zoom) && camera.latitude.magnitude <= 85.06
                    && camera.longitude.magnitude <= 180)
            #expect(request.predictedCost(from: camera, encodedAs: .png).microseconds > 0)
        }
    }

    /// What is asked, and the names of what is wrong with it.
    @Test(arguments: [
        ("", ["latitude", "longitude"]), ("lat=1", ["longitude"]), ("lat=90.1&lon=-540.000001", ["lat", "lon"]),
        ("lat=1e1&lon=NaN", ["lat", "lon"]), ("lat=1&lon=2&zoom=24.5", ["zoom"]), ("lat=1&lon=2&zoom=-1", ["zoom"]),
        ("lat=1&lon=2&width=15&height=4097", ["width", "height"]), ("lat=1&lon=2&scale=0.5", ["scale"]),
        ("lat=1&lon=2&scale=5", ["scale"]), ("lat=1&lon=2&width=2049&scale=2", ["width"]),
        ("lat=1&lon=2&quality=0", ["quality"]), ("lat=1&lon=2&format=gif", ["format"]),
        ("lat=1&latitude=1&lon=2", ["latitude"]), ("lat=1&lon=2&sig=3", ["sig"]),
        ("lat=1&lon=2&bearing=361&pitch=61", ["bearing", "pitch"]), ("lat=1&lon=2&color=red", ["color"]),
        ("lat=1&lon=2&bbox=1,2,3,4", ["bbox"]), ("zoom=3&bbox=1,2,3,4&span=1,2", ["zoom", "span"]),
        ("lat=1&lon=2&zoom=1&glzoom=2", ["glzoom"]), ("lat=1&lon=2&center=1,2", ["center"]),
        ("fit=overlays", ["fit"]), ("fit=all&marker=1,2", ["fit"]),
        ("lat=1&lon=2&clip=inside&maxzoom=3", ["clip", "maxzoom"]),
        ("bbox=3,2,3,4", ["bbox"]), ("bbox=1,4,3,2", ["bbox"]), ("bbox=1,2,3", ["bbox"]), ("bbox=1,2,3,4,5", ["bbox"]),
        ("bbox=1,2,3,4&fit=overlays&marker=1,2", ["fit"]), ("lat=1&lon=2&span=0,1", ["span"]),
        ("lat=1&lon=2&meters=0", ["meters"]),
        ("lat=1&lon=2&size=600x400&w=3", ["size", "w"]), ("lat=1&lon=2&size=600", ["size"]),
        ("lat=1&lon=2&size=3000x3000&scale=2", ["size", "size"]), ("lat=1&lon=2&w=100&padding=50", ["padding"]),
        ("lat=1&lon=2&padding=1,2,3,4,5", ["padding"]), ("lat=1&lon=2&style=streets&theme=night", ["style", "theme"]),
        ("lat=1&lon=2&labels=maybe&poi=a!&language=x", ["labels", "poi", "language"]),
        ("lat=1&lon=2&attribution=none", ["attribution"]), ("lat=1&lon=2&filter=blurr:1", ["filter"]),
        ("lat=1&lon=2&scalebar=miles&north=up", ["scalebar", "north"]), ("lat=1&lon=2&scalebar=,", ["scalebar"]),
        ("lat=1&lon=2&scalebar=metric,imperial", ["scalebar"]), ("lat=1&lon=2&scalebar=both,none", ["scalebar"]),
        ("lat=1&lon=2&marker=background:red|1,2", ["marker"]), ("lat=1&lon=2&marker=title:A|radius:3|1,2", ["marker"]),
        ("lat=1&lon=2&marker=title:A|background:red,51|1,2", ["marker"]),
        ("lat=1&lon=2&download=a/b", ["download"]), ("lat=1&lon=2&expires=1&sig=a", ["expires", "sig"]),
        ("lat=1&lon=2&point=1,2", ["point"]), ("marker=a&order=yx&lat=x", ["marker", "order", "lat", "longitude"]),
    ])
    func faults_areNamedAllAtOnce(_ query: String, _ names: [String]) throws {
        #expect(try Parsing.faults(query).map(\.parameter) == names)
    }

    @Test func wordsOfCorners_haveSuggestions() throws {
        let faults = try Parsing.faults("lat=1&lon=2&scalebar=metrics,bottomleft&north=topright")
        #expect(faults.map { $0.message.contains("did you mean `metric`?") } == [true, false])
        #expect(faults[1].message.contains("did you mean `top-right`?"))
        #expect(try Parsing.faults("lat=1&lon=2&marker=titel:A|1,2")[0].message.contains("did you mean `title`?"))
    }

    @Test func whatStandsInCorners_hasAPrice() throws {
        func cost(_ query: String) throws -> Double {
            let request = try Parsing.request("lat=1&lon=2&zoom=3&" + query)
            return Double(request.predictedCost(from: request.camera { _, _ in 3 }, encodedAs: .png).microseconds)
        }
        let plain = try cost("")
        #expect(try cost("north=top-left") > plain)
        #expect(try cost("scalebar=metric") > plain)
        #expect(try cost("scalebar=both") > cost("scalebar=metric"))
        #expect(try cost("marker=title:A|background:red|1,2") > cost("marker=title:A|1,2"))
    }

    @Test func faultsOfAFit_areNotAddedToThoseOfItsOverlays() throws {
        #expect(try Parsing.faults("fit=overlays&marker=a").map(\.parameter) == ["marker"])
        #expect(try Parsing.faults("fit=overlays&marker=a")[0].message.contains("color:red"))
    }

    @Test func themes_areThePairsOfTheConfiguration() throws {
        var rules = MapRules(styles: ["streets", "streets-night", "toner"])
        #expect(rules.themes.isEmpty)
        let pair = MapRules.Themes(light: "streets", dark: "streets-night")
        rules.themes = ["streets": pair, "streets-night": pair]
        let dark = try Parsing.request("lat=1&lon=2&theme=dark", rules: rules)
        #expect(dark.style == "streets-night" && dark.theme == nil)
        let auto = try Parsing.request("lat=1&lon=2&style=streets-night&theme=auto", rules: rules)
        #expect(auto.theme == .auto && auto.canonical == "latitude=1&longitude=2&theme=auto")
        #expect(auto.themed(prefersDark: true, rules) == dark)
        #expect(auto.themed(prefersDark: false, rules).canonical == "latitude=1&longitude=2")
        let single = try Parsing.request("lat=1&lon=2&style=toner&theme=auto", rules: rules)
        #expect(single.theme == nil && single.style == "toner")
        #expect(try Parsing.faults("lat=1&lon=2&style=toner&theme=dark", rules: rules).map(\.parameter) == ["theme"])
    }

    @Test func rules_setTheLimits() throws {
        var rules = MapRules()
        rules.sideLimitPx = 1000
        rules.mayHideAttribution = true
        let hidden = try Parsing.request("lat=1&lon=2&attribution=none&w=500&h=500&scale=2", rules: rules)
        #expect(hidden.look.attribution == .none)
        #expect(try Parsing.faults("lat=1&lon=2&w=1001", rules: rules).map(\.parameter) == ["w"])
        #expect(try Parsing.faults("lat=1&lon=2&scale=3", rules: rules).map(\.parameter) == ["scale", "scale"])
    }

    @Test func points_belongToPositions() throws {
        let request = try Parsing.request("lat=1&lon=2&point=3,4|5,190&points=6,7", for: .positions)
        #expect(request.points == [(3, 4), (5, 190), (6, 7)].map { GeoPlace(longitude: $0.1, latitude: $0.0) })
        #expect(request.canonical == "latitude=1&longitude=2&point=3,4&point=5,190&point=6,7")
        #expect(try Parsing.faults("lat=1&lon=2&point=a:b", for: .positions).map(\.parameter) == ["point"])
        let many = Array(repeating: "1,2", count: OverlayLimits.placeLimit).joined(separator: "|")
        #expect(
            try Parsing.faults("lat=1&lon=2&marker=1,2&point=\(many)", for: .positions).map(\.parameter) == ["point"])
    }

    @Test func everyParameter_hasNamesOfItsOwn() {
        let names = MapRequest.positionsTable.parameters.flatMap { [$0.name] + $0.aliases }
        #expect(Set(names).count == names.count)
    }
}
