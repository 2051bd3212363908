import Parameters
import SeededRandom

@testable import MapGrammar
@testable import MapPlan

/// Random queries of `/map` that are right.
struct RandomMapRequests {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(state: seed) }

    mutating func number(_ range: ClosedRange<Double>, places: Int = 4) -> String {
        OverlayNumber.text(
            OverlayNumber.rounded(Double.random(in: range, using: &generator), places: places), places: places)
    }

    mutating func pick(_ choices: [String]) -> String { choices.randomElement(using: &generator) ?? "" }

    mutating func chance() -> Bool { Bool.random(using: &generator) }

    mutating func place() -> String { number(-90...90, places: 7) + "," + number(-180...180, places: 7) }

    mutating func items() -> [QueryItem] {
        var items: [(String, String)] = []
        var overlays: [(String, String)] = []
        for _ in 0..<Int.random(in: 0...6, using: &generator) { overlays.append(overlay()) }
        switch Int.random(in: 0...3, using: &generator) {
        case 0:
            items.append(("bbox", "\(number(-180...0)),\(number(-90...0)),\(number(0.1...180)),\(number(0.1...90))"))
        case 1 where !overlays.isEmpty: items += [("fit", "overlays"), ("maxzoom", number(0...24))]
        case 2: items.append((pick(["center", "centre"]), place()))
        default: items += [("lat", number(-90...90)), ("lng", number(-180...180))]
        }
        if !items.contains(where: { $0.0 == "bbox" || $0.0 == "fit" }) {
            switch Int.random(in: 0...4, using: &generator) {
            case 0: items.append(("zoom", number(0...24)))
            case 1: items.append(("glzoom", number(-1...23)))
            case 2: items.append(("span", "\(number(0.001...180)),\(number(0.001...360))"))
            case 3: items.append(("meters", number(1...1_000_000)))
            default: break
            }
        }
        if chance() { items.append(("size", "\(Int.random(in: 64...1000, using: &generator))x300")) }
        if chance() { items.append(("scale", number(1...4))) }
        if chance() { items.append(("bearing", number(-360...360))) }
        if chance() { items.append(("pitch", number(0...60))) }
        if chance() { items.append(("padding", pick(["0", "10", "1,2", "3,4,5", "6,7,8,9"]))) }
        if chance() { items.append(("theme", pick(["light", "dark", "auto"]))) }
        if chance() { items.append(("style", pick(["light", "dark"]))) }
        if chance() { items.append(("labels", pick(["on", "off"]))) }
        if chance() { items.append(("poi", pick(["all", "none", "museum,cafe", "B,a,a"]))) }
        if chance() { items.append(("language", pick(["it", "IT,en", "zh-hans,pt-br"]))) }
        if chance() { items.append(("below", pick(["labels", "a b"]))) }
        if chance() { items.append(("attribution", pick(["bottom-left", "top-right", "bottom-right"]))) }
        if chance() { items.append(("scalebar", pick(["metric", "both,top-left", "bottom-right", "none"]))) }
        if chance() { items.append(("north", pick(["top-right", "bottom-left", "none"]))) }
        if chance() { items.append(("filter", pick(["grayscale", "blur:2,sepia:0", "sepia:100"]))) }
        if chance() { items.append(("format", pick(["auto", "png", "webp", "jpeg"]))) }
        if chance() { items.append(("q", "80")) }
        if chance() { items.append(("download", "a é.png")) }
        items += overlays
        // Overlays keep their order; everything else may stand anywhere.
        return items.map { QueryItem(name: $0.0, value: $0.1) }
    }

    mutating func overlay() -> (String, String) {
        switch Int.random(in: 0...4, using: &generator) {
        case 0:
            return (
                "marker",
                options([
                    ("color", color()), ("label", BarText.escaped(pick(["A", "|", "\\", "é1"]))),
                    ("size", pick(["tiny", "mid", "33.5"])),
                    ("anchor", pick(["top", "bottom", "bottom-left"])), ("offset", "1,-2"),
                    ("rotate", number(-360...360)),
                    ("title", "Aé \\| \\\\"),
                ]) + places(1...12)
            )
        case 1: return ("path", options(stroke() + [("geodesic", pick(["0", "1"]))]) + line(2...12))
        case 2: return ("polygon", options(stroke()) + line(3...12) + (chance() ? "|hole:" + line(3...9) : ""))
        case 3: return ("circle", options(stroke()) + place() + "," + number(1...5000) + pick(["", "m", "km", "m"]))
        default:
            return (
                "geojson",
                "{\"type\":\"Feature\",\"properties\":{\"stroke\":\"\(color())\",\"stroke-width\":\(number(0...9)),\"title\":\"a|b\"},"
                    + "\"geometry\":{\"type\":\"\(pick(["LineString", "MultiPoint"]))\",\"coordinates\":[[\(number(-180...180)),1],[\(number(-180...180, places: 7)),2]]}}"
            )
        }
    }

    private mutating func stroke() -> [(String, String)] {
        [
            ("color", color()), ("weight", number(0...20)), ("opacity", number(0...1)),
            ("dash", pick(["4", "1,2.5"])),
            ("cap", pick(["butt", "round"])), ("join", pick(["miter", "round"])),
            ("border", pick(["white", "red,3", "000,0"])), ("fill", color()),
        ]
    }

    private mutating func color() -> String { pick(["f00", "00ff00", "12345678", "red", "transparent", "1f6feb"]) }

    private mutating func options(_ options: [(String, String)]) -> String {
        options.shuffled(using: &generator).filter { _ in Int.random(in: 0...2, using: &generator) == 0 }
            .map { "\($0.0):\($0.1)|" }.joined()
    }

    private mutating func places(_ count: ClosedRange<Int>) -> String {
        (0..<Int.random(in: count, using: &generator)).map { _ in place() }.joined(separator: "|")
    }

    /// Places, or an encoded line of as many.
    private mutating func line(_ count: ClosedRange<Int>) -> String {
        guard chance() else { return places(count) }
        let precision = Polyline.Precision.allCases.randomElement(using: &generator) ?? .five
        let places = (0..<Int.random(in: count, using: &generator)).map { _ in
            (
                latitude: Int.random(in: -80...80, using: &generator) * precision.unitsPerDegree / 7,
                longitude: Int.random(in: -170...170, using: &generator) * precision.unitsPerDegree / 7
            )
        }
        return (precision == .five ? "enc:" : "enc6:") + Polyline.encode(places)
    }
}
