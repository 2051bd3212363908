import Bytes
import MapStyle
import Raster
import Testing

@testable import MapRender

/// An archive of the western half of the world, with another one around it.
@Suite(.timeLimit(.minutes(5))) struct SurroundedArchiveTests {
    /// An archive with the same tile everywhere.
    private struct Archive: TileArchive {
        var content: SharedBytes
        var bounds: [Double]?
        var validator: String
        var zooms = 0...0
        var attribution: String?
        /// The columns whose tiles cannot be had now.
        var lost: Range<Int> = 0..<0

        func tile(_ id: TileCoordinate) throws(ResourceError) -> SharedBytes? {
            if lost.contains(id.x) { throw .unavailable("the server does not answer") }
            return content
        }
    }

    private struct Resources: MapResources {
        var archive: Archive
        var world: Archive?

        func archive(at address: String) throws(ResourceError) -> (any TileArchive)? {
            address == "world" ? world : archive
        }
        func surroundings(of address: String) -> (any TileArchive)? { world }
        func picture(_ bytes: SharedBytes) -> Texture? {
            Texture(
                widthPx: 256, heightPx: 256, format: .rgba,
                texels: SharedBytes([[UInt8]](repeating: [0, 255, 0, 255], count: 256 * 256).flatMap(\.self)))
        }
    }

    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let blue: [UInt8] = [0, 0, 255, 255]
    private static let nothing: [UInt8] = [0, 0, 0, 0]
    /// Beyond the bounds of the archive, and within, on a picture of 512 pixels.
    private static let (east, west) = ((x: 384, y: 256), (x: 128, y: 256))

    /// A tile with an area that fills it, and a point at each of both places.
    private static func tile(_ icon: String) -> SharedBytes {
        let square = [(-64, -64), (4160, -64), (4160, 4160), (-64, 4160)]
        return PlainTile.bytes([
            PlainTile.Feature(layer: "areas", shape: .polygon(square), properties: [("color", icon)]),
            PlainTile.Feature(layer: "points", shape: .point(3072, 2048), properties: [("icon", icon)]),
            PlainTile.Feature(layer: "points2", shape: .point(1024, 2048), properties: [("icon", icon)]),
        ])
    }

    private static let archive = Archive(
        content: tile("red"), bounds: [-180, -85, 0, 85], validator: "archive", attribution: "Archive")
    private static let world = Archive(content: tile("blue"), validator: "world", attribution: "World")

    private func map(
        _ layers: String, _ resources: Resources, zoom: Double = 0, grid: PlacementGrid? = nil, metadata: String = "{}"
    ) throws -> RenderedMap {
        let style = try Style.read(
            Array(
                """
                {"version": 8, "metadata": \(metadata), "sources": {
                   "s": {"type": "vector", "url": "archive"}, "p": {"type": "raster", "url": "archive", "tileSize": 512},
                   "w": {"type": "vector", "url": "world"}},
                 "layers": [\(layers)]}
                """.utf8))
        var additions = MapAdditions()
        additions.grid = grid
        for (name, color) in [("red", Self.red), ("blue", Self.blue)] {
            let texels = [[UInt8]](repeating: color, count: 144).flatMap(\.self)
            let texture = Texture(widthPx: 12, heightPx: 12, format: .rgba, texels: SharedBytes(texels))
            additions.images[name] = StyleImage(texture: try #require(texture))
        }
        let camera = Camera(longitude: 0, latitude: 0, zoom: zoom, width: 512, height: 512)
        return try MapEngine(resources: resources).render(style, camera, additions: additions)
    }

    private func color(_ map: RenderedMap, _ place: (x: Int, y: Int)) -> [UInt8] {
        let start = (place.y * map.widthPx + place.x) * 4
        return map.pixels.withUnsafeBytes { Array($0[start..<start + 4]) }
    }

    private func half(_ map: RenderedMap, columns: Range<Int>) -> [[UInt8]] {
        (0..<map.heightPx).map { row in
            map.pixels.withUnsafeBytes { data in
                Array(
                    data[
                        ((row * map.widthPx + columns.lowerBound) * 4)..<((row * map.widthPx + columns.upperBound) * 4)]
                )
            }
        }
    }

    private static let points = ["points", "points2"].map { layer in
        #"{"id": "\#(layer)", "type": "symbol", "source": "s", "source-layer": "\#(layer)", "#
            + #""layout": {"icon-image": ["get", "icon"]}}"#
    }.joined(separator: ", ")

    /// Symbols of the archive beyond its bounds are not shown, and hid those of the world there.
    @Test func symbolsBeyondTheBounds_hideNothing() throws {
        let resources = Resources(archive: Self.archive, world: Self.world)
        for grid in [nil, PlacementGrid(cellSize: 512)] {
            let map = try map(Self.points, resources, grid: grid)
            #expect(color(map, Self.east) == Self.blue)
            #expect(color(map, Self.west) == Self.red)
        }
        let alone = try map(Self.points, Resources(archive: Self.archive))
        #expect(color(alone, Self.east) == Self.red)
    }

    /// At the border: what the archive shows there is whole, and nothing of the world reaches over it, be it by a halo.
    @Test(arguments: [nil, PlacementGrid(cellSize: 512)])
    func symbolsAtTheBounds_reachOutAndNotIn(_ grid: PlacementGrid?) throws {
        func point(_ x: Int, _ y: Int, _ icon: String) -> PlainTile.Feature {
            PlainTile.Feature(layer: icon, shape: .point(x, y), properties: [("icon", icon)])
        }
        // Eight units are a pixel: icons of 12 pixels, 4 pixels beyond the border, and one 19 pixels beyond.
        let (archive, world) = (point(2080, 2048, "red"), [point(2080, 1024, "blue"), point(2200, 3072, "blue")])
        var resources = Resources(archive: Self.archive, world: Self.world)
        resources.archive.content = PlainTile.bytes([archive])
        func colors(_ far: PlainTile.Feature) throws -> [[UInt8]] {
            resources.world?.content = PlainTile.bytes([far])
            let layers = ["red", "blue"].map { layer in
                #"{"id": "\#(layer)", "type": "symbol", "source": "s", "source-layer": "\#(layer)", "#
                    + #""layout": {"icon-image": ["get", "icon"]}}"#
            }
            let map = try map(layers.joined(separator: ", "), resources, grid: grid)
            return [(260, 256), (255, 256), (260, 128), (275, 384)].map { color(map, $0) }
        }
        #expect(try colors(world[0]) == [Self.red, Self.red, Self.nothing, Self.nothing])
        #expect(try colors(world[1]) == [Self.red, Self.red, Self.nothing, Self.blue])
    }

    @Test(arguments: [
        #""type": "fill-extrusion", "source-layer": "areas", "paint": {"fill-extrusion-color": "red", "fill-extrusion-height": 9}"#,
        #""type": "fill-extrusion", "source-layer": "areas", "paint": {"fill-extrusion-color": "red", "fill-extrusion-opacity": 0.5}"#,
        #""type": "heatmap", "source-layer": "points", "#
            + #""paint": {"heatmap-radius": 400, "heatmap-color": ["rgb", 9, 200, 90]}"#,
    ]) func solidsAndDensities_endAtTheBounds(_ layer: String) throws {
        let layers = #"{"id": "l", "source": "s", \#(layer)}"#
        let map = try map(layers, Resources(archive: Self.archive, world: Self.world))
        let alone = try self.map(layers, Resources(archive: Self.archive))
        #expect(half(map, columns: 0..<256) == half(alone, columns: 0..<256))
        #expect(color(map, Self.west) != Self.nothing && color(alone, Self.east) != Self.nothing)
        #expect(half(map, columns: 256..<512).joined().allSatisfy { $0 == 0 })
    }

    private static let areas =
        #"{"id": "l", "type": "fill", "source": "s", "source-layer": "areas", "#
        + #""paint": {"fill-color": ["get", "color"], "fill-antialias": false}}"#

    /// What the archive says to have and its server does not give is drawn by the world.
    @Test func tilesOutOfReach_areLeftToTheWorld() throws {
        var lost = Self.archive
        (lost.bounds, lost.zooms, lost.lost) = (nil, 0...1, 1..<2)
        let part = try map(Self.areas + ", " + Self.points, Resources(archive: lost, world: Self.world), zoom: 1)
        #expect(part.coverage == .partial && part.hasPassingFaults)
        #expect(color(part, (100, 256)) == Self.red && color(part, (400, 100)) == Self.blue)
        #expect(part.attribution == ["World", "Archive"])
        lost.lost = 0..<2
        let none = try map(Self.areas, Resources(archive: lost, world: Self.world), zoom: 1)
        #expect(none.coverage == .none && none.hasPassingFaults)
        #expect(half(none, columns: 0..<512).joined().elementsEqual((0..<512 * 512).lazy.flatMap { _ in Self.blue }))
        // Without the world the ground is blank, and the coverage says so.
        #expect(try map(Self.areas, Resources(archive: lost), zoom: 1).coverage == .none)
        lost.lost = 0..<0
        let whole = try map(Self.areas, Resources(archive: lost, world: Self.world), zoom: 1)
        #expect(whole.coverage == .full && whole.attribution == ["Archive"] && whole.faults.isEmpty)
    }

    /// A tile of a web map that is cut from a larger picture has a coverage of its own.
    @Test func partsOfAPicture_countByWhatTheyShow() throws {
        var lost = Self.archive
        (lost.bounds, lost.zooms, lost.lost) = (nil, 0...1, 1..<2)
        let map = try map(Self.areas, Resources(archive: lost, world: Self.world), zoom: 1)
        func coverage(_ stated: MapCoverage, _ longitude: Double) -> MapCoverage {
            map.coverage(
                of: stated,
                seenFrom: Camera(longitude: longitude, latitude: 66.51326, zoom: 1, width: 256, height: 256))
        }
        #expect(coverage(.full, -45) == .full)
        #expect(coverage(.full, 0) == .partial)
        #expect(coverage(.full, 45) == .none)
        #expect(coverage(.partial, -45) == .partial && coverage(.none, 0) == .none)
    }

    @Test func picturesOutOfReach_areLeftToTheWorld() throws {
        let layers =
            Self.areas.replacing(#""source": "s""#, with: #""source": "w""#)
            + #", {"id": "p", "type": "raster", "source": "p"}"#
        var lost = Self.archive
        (lost.bounds, lost.zooms, lost.lost) = (nil, 0...1, 1..<2)
        let metadata = #"{"veduta:surroundings": {"w": "p"}}"#
        // The tile above stands in.
        let over = try map(layers, Resources(archive: lost, world: Self.world), zoom: 1, metadata: metadata)
        #expect(over.coverage == .full && color(over, (400, 100)) == [0, 255, 0, 255])
        lost.zooms = 1...1
        let part = try map(layers, Resources(archive: lost, world: Self.world), zoom: 1, metadata: metadata)
        #expect(part.coverage == .partial && part.hasPassingFaults)
        #expect(color(part, (100, 256)) == [0, 255, 0, 255] && color(part, (400, 100)) == Self.blue)
    }
}
