import Bytes
import Foundation
import JSON
import MapStyle
import TextEngine
import Resources
import Testing

@testable import MapRender

/// `light` and `dark` for the three schemas that they suit: Protomaps 4, Protomaps 2 and 3, OpenMapTiles.
@Suite(.timeLimit(.minutes(5))) struct BuiltInStyleTests {
    /// How each schema says the same thing, in the order of `schemas`.
    private struct Thing: CustomTestStringConvertible {
        var testDescription: String
        var shape: PlainTile.Shape
        /// Where it shows, of MapLibre's zoom levels.
        var zoom: Double
        var layers: [String]
        var properties: [[(key: String, value: String)]]
    }

    private static let schemas = ["Protomaps 4", "Protomaps 3", "OpenMapTiles"]
    /// The middle of the tile, and as much around it as a few pixels at the zoom level 14.
    private static let middle = 2048
    private static let square = PlainTile.Shape.polygon([(2000, 2000), (2100, 2000), (2100, 2100), (2000, 2100)])
    private static let street = PlainTile.Shape.line([(2000, 2048), (2100, 2048)])
    private static let spot = PlainTile.Shape.point(middle, middle)

    private static let things: [Thing] = [
        Thing(
            testDescription: "country", shape: spot, zoom: 4, layers: ["places", "places", "place"],
            properties: [
                [("kind", "country"), ("name", "Ruritania")],
                [("pmap:kind", "country"), ("place", "country"), ("name", "Ruritania")],
                [("class", "country"), ("name:latin", "Ruritania")],
            ]),
        Thing(
            testDescription: "city", shape: spot, zoom: 6, layers: ["places", "places", "place"],
            properties: [
                [("kind", "locality"), ("kind_detail", "city"), ("population_rank", "12"), ("name", "Strelsau")],
                [("pmap:kind", "city"), ("place", "city"), ("population", "2000000"), ("name", "Strelsau")],
                [("class", "city"), ("rank", "4"), ("name:latin", "Strelsau")],
            ]),
        Thing(
            testDescription: "capital", shape: spot, zoom: 5, layers: ["places", "places", "place"],
            properties: [
                [("kind", "locality"), ("kind_detail", "city"), ("capital", "yes"), ("name", "Strelsau")],
                [("pmap:kind", "city"), ("place", "city"), ("capital", "yes"), ("name", "Strelsau")],
                [("class", "city"), ("capital", "2"), ("name", "Strelsau")],
            ]),
        Thing(
            testDescription: "motorway", shape: street, zoom: 12, layers: ["roads", "roads", "transportation"],
            properties: [
                [("kind", "highway"), ("kind_detail", "motorway")],
                [("pmap:kind", "highway"), ("highway", "motorway")],
                [("class", "motorway")],
            ]),
        Thing(
            testDescription: "house", shape: square, zoom: 16, layers: ["buildings", "buildings", "building"],
            properties: [[("kind", "building")], [("pmap:kind", "building")], [("render_height", "5")]]),
        Thing(
            testDescription: "lake", shape: square, zoom: 10, layers: ["water", "water", "water"],
            properties: [[("kind", "lake")], [("pmap:kind", "lake")], [("class", "lake")]]),
        Thing(
            testDescription: "wood", shape: square, zoom: 10, layers: ["landuse", "natural", "landcover"],
            properties: [[("kind", "wood")], [("pmap:kind", "wood")], [("class", "wood")]]),
        Thing(
            testDescription: "border", shape: street, zoom: 6, layers: ["boundaries", "boundaries", "boundary"],
            properties: [
                [("kind", "country"), ("kind_detail", "2")], [("pmap:min_admin_level", "2")], [("admin_level", "2")],
            ]),
        Thing(
            testDescription: "museum", shape: spot, zoom: 16, layers: ["pois", "pois", "poi"],
            properties: [
                [("kind", "museum"), ("name", "Castle")], [("tourism", "museum"), ("name", "Castle")],
                [("class", "museum"), ("subclass", "museum"), ("name:latin", "Castle")],
            ]),
    ]

    private func style(_ name: String) throws -> Style {
        let bytes = name == "dark" ? Resources.darkStyle : Resources.lightStyle
        return try Style.read(bytes.withUnsafeBytes { Array($0) })
    }

    private func pixels(_ features: [PlainTile.Feature], _ style: Style, zoom: Double) throws -> [UInt8] {
        let engine = MapEngine(resources: OneTileResources(content: PlainTile.bytes(features)))
        let map = try engine.render(style, Camera(longitude: 0, latitude: 0, zoom: zoom, width: 128, height: 128))
        #expect(map.faults.isEmpty)
        return map.pixels.withUnsafeBytes { Array($0) }
    }

    @Test(arguments: ["light", "dark"], things)
    private func allSchemas_lookTheSame(_ theme: String, _ thing: Thing) throws {
        let style = try style(theme)
        let empty = try pixels([], style, zoom: thing.zoom)
        let pictures = try thing.layers.indices.map { index in
            let feature = PlainTile.Feature(
                layer: thing.layers[index], shape: thing.shape, properties: thing.properties[index])
            return try pixels([feature], style, zoom: thing.zoom)
        }
        for (schema, picture) in zip(Self.schemas, pictures) {
            #expect(picture != empty, "\(schema) shows nothing")
            #expect(picture == pictures[0], "\(schema) looks different")
        }
    }

    /// A road as an archive has it whose roads are merged, and as one has it that tells them apart.
    private struct Merged: CustomTestStringConvertible {
        var testDescription: String
        var zooms: [Double]
        var merged: [(key: String, value: String)]
        var whole: [(key: String, value: String)]
    }

    private static let mergedRoads: [Merged] = {
        let kinds: [(kind: String, road: String, zooms: [Double])] = [
            ("minor_road", "residential", [12, 13, 15]), ("medium_road", "secondary", [11, 12, 13]),
            ("major_road", "primary", [10, 12, 14]), ("highway", "motorway", [6, 12, 14]),
            ("path", "footway", [15, 16]), ("other", "footway", [15, 16]),
        ]
        var roads = [
            Merged(
                testDescription: "ramp of Protomaps 3", zooms: [12, 14],
                merged: [("pmap:kind", "highway"), ("pmap:link", "1")],
                whole: [("pmap:kind", "highway"), ("highway", "motorway_link"), ("pmap:link", "1")])
        ]
        for (kind, road, zooms) in kinds {
            roads.append(
                Merged(
                    testDescription: "\(kind) of Protomaps 3", zooms: zooms,
                    merged: [("pmap:kind", kind), ("pmap:level", "0")],
                    whole: [("pmap:kind", kind), ("pmap:level", "0"), ("highway", road)]))
            roads.append(
                Merged(
                    testDescription: "\(kind) of Protomaps 4", zooms: zooms, merged: [("kind", kind)],
                    whole: [("kind", kind), ("kind_detail", road)]))
        }
        return roads
    }()

    /// #15.26: merged roads have no `kind_detail` and no `highway`; streets were missing from maps of the zooms 12 to 14.
    @Test(arguments: ["light", "dark"], mergedRoads)
    private func mergedRoads_areDrawnByTheirKind(_ theme: String, _ road: Merged) throws {
        let style = try style(theme)
        for zoom in road.zooms {
            let empty = try pixels([], style, zoom: zoom)
            let pictures = try [road.merged, road.whole].map { properties in
                try pixels(
                    [PlainTile.Feature(layer: "roads", shape: Self.street, properties: properties)], style, zoom: zoom)
            }
            #expect(pictures[0] != empty, "zoom \(zoom) shows nothing")
            #expect(pictures[0] == pictures[1], "zoom \(zoom)")
        }
    }

    /// A city in the layer of OpenMapTiles, which is placed before that of Protomaps.
    private func city(x: Int, y: Int = 2048, name: String = "Strelsau", layer: String = "place") -> PlainTile.Feature {
        PlainTile.Feature(
            layer: layer, shape: .point(x, y),
            properties: layer == "place"
                ? [("class", "city"), ("rank", "2"), ("name:latin", name)]
                : [("kind", "locality"), ("kind_detail", "city"), ("population_rank", "9"), ("name", name)])
    }

    /// #15.27: dots were circles that kept clear of nothing, so they stood without names and on those of others.
    @Test(arguments: ["light", "dark"]) func dots_standOnlyWhereTheirNamesDo(_ theme: String) throws {
        let style = try style(theme)
        // 4 pixels for each unit: the other one lies below the name that stands beside the first.
        let alone = try pixels([city(x: 2040)], style, zoom: 5)
        let other = city(x: 2044, name: "Zenda", layer: "places")
        #expect(try pixels([other], style, zoom: 5) != pixels([], style, zoom: 5))
        #expect(try pixels([city(x: 2040), other], style, zoom: 5) == alone)
        // Farther away both are there.
        let far = city(x: 2040, y: 2056, name: "Zenda", layer: "places")
        #expect(try pixels([city(x: 2040), far], style, zoom: 5) != alone)
    }

    /// #15.27: names were cut at the sides of pictures, which no other picture goes on beside.
    @Test(arguments: ["light", "dark"]) func names_stayInsideThePicture(_ theme: String) throws {
        let inside = try style(theme)
        let bytes = theme == "dark" ? Resources.darkStyle : Resources.lightStyle
        let text = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        let free = try Style.read(Array(text.replacing(#""veduta:names":"inside""#, with: #""x":1"#).utf8))
        #expect(inside.keepsNamesInside && !free.keepsNamesInside)
        for zoom in [5.0, 8] {
            let units = 4096 / (512 * pow(2, zoom))
            // The name goes over the side whichever way it is set.
            let place = 2048 + Int((62 * units).rounded(.down))
            let feature = city(x: place, y: zoom == 5 ? place : 2048, name: "Strelsaustrelsaustrelsau")
            let empty = try pixels([], inside, zoom: zoom)
            #expect(try pixels([feature], inside, zoom: zoom) == empty, "zoom \(zoom)")
            #expect(try pixels([feature], free, zoom: zoom) != empty, "zoom \(zoom)")
            // Tiles go on in their neighbours, so nothing changes there.
            #expect(try tile([feature], inside, zoom: zoom) == tile([feature], free, zoom: zoom), "zoom \(zoom)")
        }
    }

    /// The picture as one of many.
    private func tile(_ features: [PlainTile.Feature], _ style: Style, zoom: Double) throws -> [UInt8] {
        let engine = MapEngine(resources: OneTileResources(content: PlainTile.bytes(features)))
        var additions = MapAdditions()
        additions.grid = PlacementGrid(cellSize: 128)
        let camera = Camera(longitude: 0, latitude: 0, zoom: zoom, width: 128, height: 128)
        let map = try engine.render(style, camera, additions: additions)
        return map.pixels.withUnsafeBytes { Array($0) }
    }

    /// #15.27: names lay below the attribution.
    @Test(.enabled(if: !FontSet().faces.isEmpty, "no fonts on this machine"), arguments: ["light", "dark"])
    func names_keepClearOfTheAttribution(_ theme: String) throws {
        let style = try style(theme)
        // So low that the plate reaches to the middle.
        let camera = Camera(longitude: 0, latitude: 0, zoom: 9, width: 128, height: 30)
        func pixels(_ features: [PlainTile.Feature], _ corner: DrawnCorner?) throws -> [UInt8] {
            var resources = OneTileResources(content: PlainTile.bytes(features))
            resources.attribution = "© Ruritania"
            var additions = MapAdditions()
            additions.attributionCorner = corner
            let map = try MapEngine(resources: resources).render(style, camera, additions: additions)
            return map.pixels.withUnsafeBytes { Array($0) }
        }
        let city = city(x: 2048)
        #expect(try pixels([city], nil) != pixels([], nil))
        #expect(try pixels([], .bottomRight) != pixels([], nil))
        #expect(try pixels([city], .bottomRight) == pixels([], .bottomRight))
    }

    @Test(arguments: ["light", "dark"]) func labels_standOutFromTheirHalo_andFromLand(_ theme: String) throws {
        let bytes = theme == "dark" ? Resources.darkStyle : Resources.lightStyle
        let document = try JSONReader.read(bytes.withUnsafeBytes { Array($0) })
        let layers = try #require(document["layers"]?.elements)
        let land = try #require(layers.first?["paint"]?["background-color"]?.text)
        var count = 0
        for layer in layers where layer["type"]?.text == "symbol" {
            let name = layer["id"]?.text ?? ""
            let text = try #require(layer["paint"]?["text-color"]?.text)
            let halo = try #require(layer["paint"]?["text-halo-color"]?.text)
            #expect(contrast(text, halo) >= 3, "\(name): \(contrast(text, halo))")
            #expect(contrast(text, land) >= 3, "\(name): \(contrast(text, land))")
            count += 1
        }
        #expect(count > 20)
    }

    /// The contrast of two colors such as `#a0b1c2`, from 1 to 21 (WCAG 2.2).
    private func contrast(_ first: String, _ second: String) -> Double {
        let (one, other) = (luminance(first), luminance(second))
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    private func luminance(_ color: String) -> Double {
        let number = UInt32(color.dropFirst(), radix: 16) ?? 0
        return zip([16, 8, 0], [0.2126, 0.7152, 0.0722]).reduce(0) { sum, part in
            let value = Double(number >> UInt32(part.0) & 255) / 255
            return sum + part.1 * (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
        }
    }
}
