import Foundation
import FoundationXML
import JSON
import MapTiles
import Testing

@Suite(.timeLimit(.minutes(5))) struct TilePathTests {
    private func address(_ path: String) throws -> TileAddress? {
        guard case .tile(let address) = try TilePath(path, mayScale: true) else { return nil }
        return address
    }

    @Test func pathsNameTiles() throws {
        let plain = try #require(try address("light/3/4/2.png"))
        #expect(plain.name == "light" && plain.z == 3 && plain.x == 4 && plain.y == 2)
        #expect(plain.ratio == 1 && plain.fileExtension == "png")
        let sharp = try #require(try address("my-style.v2/0/0/0@2x.webp"))
        #expect(sharp.name == "my-style.v2" && sharp.ratio == 2 && sharp.fileExtension == "webp")
        #expect(try TilePath("light.json", mayScale: true) == .description(name: "light"))
    }

    @Test(arguments: [
        "", "/", "light", "light/", "light/3/4", "light/3/4/2", "light/3/4/2.", "/3/4/2.png", "light/a/4/2.png",
        "light/-1/0/0.png",
        "light/3/4/2@x.png", "light/3/4/2@5x.png", "light/3/4/2@0x.png", "light/3/4/2@2.png", "light/3/4/2@22x.png",
        "light/3//2.png", "light/3/4/2/1.png", "light/3.0/4/2.png", "light/+3/4/2.png", ".json",
    ])
    func whatIsNotBuiltLikeOneIsMalformed(path: String) {
        do throws(TilePathFault) {
            _ = try TilePath(path, mayScale: true)
            Issue.record("\(path) was taken")
        } catch {
            if case .noSuchTile = error { Issue.record("\(path) is no path of a tile") }
        }
    }

    @Test(arguments: [
        "light/3/8/2.png", "light/3/4/8.png", "light/25/0/0.png", "light/0/1/0.png",
        "light/99999999999999999999/0/0.png",
    ])
    func tilesThatNoLevelHasAreNotThere(path: String) {
        #expect(throws: TilePathFault.noSuchTile) { try TilePath(path, mayScale: true) }
    }

    @Test func dataHasOneSize() {
        #expect(throws: TilePathFault.self) { try TilePath("map/3/4/2@2x.mvt", mayScale: false) }
        #expect(throws: TilePathFault.self) { try TilePath(String(repeating: "a", count: 600), mayScale: false) }
    }
}

@Suite(.timeLimit(.minutes(5))) struct TileDocumentTests {
    private var description: TileSetDescription {
        var set = TileSetDescription(name: "map", template: "https://a.example/data/map/{z}/{x}/{y}.mvt", zooms: 0...14)
        set.attribution = #"<a href="https://osm.org">© OSM</a>"#
        set.bounds = .init([11, 43, 12, 44]) ?? .init()
        set.center = [11.25, 43.75, 20]
        var layer = OrderedObject<JSONValue>()
        layer["id"] = .string("roads")
        set.vectorLayers = [.object(layer)]
        return set
    }

    @Test func tileJSONSaysWhatIsNeeded() throws {
        let json = try JSONReader.read(description.tileJSON.jsonText)
        #expect(json == description.tileJSON)
        #expect(json["tilejson"]?.text == "3.0.0" && json["scheme"]?.text == "xyz")
        #expect(json["tiles"]?.elements == [.string("https://a.example/data/map/{z}/{x}/{y}.mvt")])
        #expect(json["bounds"]?.elements == [11, 43, 12, 44].map(JSONValue.number))
        // The level is held to those there are.
        #expect(json["center"]?.elements == [11.25, 43.75, 14].map(JSONValue.number))
        #expect(json["minzoom"]?.number == 0 && json["maxzoom"]?.number == 14)
        #expect(json["attribution"]?.text == #"<a href="https://osm.org">© OSM</a>"#)
        #expect(json["vector_layers"]?.elements?.first?["fields"]?.object?.isEmpty == true)
    }

    @Test func boundsAreHeldToTheWorld() {
        #expect(TileSetDescription.Bounds([-200, -90, 200, 90]) == TileSetDescription.Bounds())
        for degrees in [[], [1, 2, 3], [0, 10, 1, 5], [.nan, 0, 1, 1]] {
            #expect(TileSetDescription.Bounds(degrees) == nil)
        }
    }

    @Test func capabilitiesAreXML() throws {
        let layers = [false, true].map { isSharp in
            WMTSCapabilities.Layer(
                name: "light\(isSharp ? "@2x" : "")", title: "Light <&> \"sharp\"", isSharp: isSharp,
                templates: [("png", "http://h/tiles/light/{TileMatrix}/{TileCol}/{TileRow}.png?a=1&b=2")],
                bounds: .init())
        }
        let xml = WMTSCapabilities(address: "http://h:8080/wmts", layers: layers).xml
        let reader = Elements()
        let parser = XMLParser(data: Data(xml.utf8))
        parser.delegate = reader
        #expect(parser.parse())
        #expect(reader.count["TileMatrix"] == 50 && reader.count["Layer"] == 2 && reader.count["ResourceURL"] == 2)
        #expect(reader.texts.contains("Light <&> \"sharp\""))
        #expect(
            reader.templates
                == Array(repeating: "http://h/tiles/light/{TileMatrix}/{TileCol}/{TileRow}.png?a=1&b=2", count: 2))
        #expect(reader.texts.contains("559082264.0287178") && reader.texts.contains("279541132.0143589"))
    }

    @Test func requestsByParametersNameTiles() throws {
        let items = [
            ("SERVICE", "WMTS"), ("Request", "GetTile"), ("LAYER", "light@2x"), ("TileMatrix", "5"), ("TILEROW", "3"),
            ("TILECOL", "9"),
            ("FORMAT", "image/jpeg"), ("STYLE", "default"), ("TILEMATRIXSET", WMTSCapabilities.sharpSet),
        ]
        let request = try WMTSRequest(items.map { (name: $0.0, value: $0.1) })
        guard case .tile(let tile) = request.operation else {
            Issue.record("no tile")
            return
        }
        #expect(tile.name == "light" && tile.z == 5 && tile.x == 9 && tile.y == 3)
        #expect(tile.ratio == 2 && tile.fileExtension == "jpeg")
        #expect(try WMTSRequest([]).operation == .capabilities)
        #expect(throws: TilePathFault.self) { try WMTSRequest([(name: "request", value: "GetFeatureInfo")]) }
        #expect(throws: TilePathFault.self) { try WMTSRequest([(name: "request", value: "GetTile")]) }
        let wrong = items.map { (name: $0.0, value: $0.0 == "TILEMATRIXSET" ? WMTSCapabilities.plainSet : $0.1) }
        #expect(throws: TilePathFault.self) { try WMTSRequest(wrong) }
    }
}

/// What a document consists of.
private final class Elements: NSObject, XMLParserDelegate {
    var count: [String: Int] = [:]
    var texts: [String] = []
    var templates: [String] = []
    private var text = ""

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        count[name, default: 0] += 1
        if let template = attributes["template"] { templates.append(template) }
        text = ""
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        texts.append(text)
        text = ""
    }
}
