import Bytes
import Foundation
import JSON
import MapOverlays
import MapGrammar
import MapRender
import MapStyle
import PNGCoding
import Raster
import Tiles
import TestPlaces

/// Maps of the built-in styles, or of a plain background, with overlays.
struct TrialMap {
    /// One archive for everything.
    struct Resources: MapResources {
        var archive: AttributedTiles?

        func bytes(at address: String) throws(ResourceError) -> SharedBytes? { nil }

        func archive(at address: String) throws(ResourceError) -> (any TileArchive)? { archive }

        func picture(_ bytes: SharedBytes) -> Texture? { nil }
    }

    /// Tiles with an attribution.
    struct AttributedTiles: TileArchive {
        var base: PMTilesTiles

        var validator: String { base.validator }
        var zooms: ClosedRange<Int> { base.zooms }
        var bounds: [Double]? { base.bounds }
        var attribution: String? {
            #"<a href="https://protomaps.com">Protomaps</a> <a href="https://www.openstreetmap.org/copyright">&copy; OpenStreetMap contributors</a>"#
        }

        func tile(_ id: TileCoordinate) throws(ResourceError) -> SharedBytes? { try base.tile(id) }
    }

    static let root = TestPlaces.root
    /// Archives that are not part of the repository.
    static let shared = TestPlaces.sharedPlace

    let engine: MapEngine
    let document: JSONValue

    /// A grey background and nothing else.
    static func plain(_ color: String = "#808080", archive: PMTilesTiles? = nil) throws -> TrialMap {
        let text = """
            {"version": 8, "sources": {}, "layers": [
              {"id": "ground", "type": "background", "paint": {"background-color": "\(color)"}}]}
            """
        return TrialMap(engine: MapEngine(resources: Resources()), document: try JSONReader.read(Array(text.utf8)))
    }

    /// A built-in style over the built-in world, or over an archive of `shared/maps`; nil where there is none.
    static func builtIn(_ style: String, archive name: String? = nil) throws -> TrialMap? {
        let folder = root.appendingPathComponent("Sources/Platform/CResources")
        let path =
            name.map { shared.appendingPathComponent("maps/\($0)") } ?? folder.appendingPathComponent("world.pmtiles")
        guard FileManager.default.fileExists(atPath: path.path) else { return nil }
        let archive = AttributedTiles(base: PMTilesTiles(try PMTilesArchive(path: path.path)))
        let bytes = try Data(contentsOf: folder.appendingPathComponent("\(style).json"))
        return TrialMap(
            engine: MapEngine(resources: Resources(archive: archive)), document: try JSONReader.read([UInt8](bytes)))
    }

    /// The picture of overlays.
    func render(
        _ overlays: [MapOverlay], _ camera: Camera, _ look: MapLook? = nil, icons: [ExactText: Texture] = [:],
        attribution: Bool = false
    ) throws -> TrialPicture {
        let look = look ?? MapLook()
        let style = try MapAppearance.variant(of: document, look)
        var additions = MapAppearance.additions(overlays, icons: icons, to: style, look, seenFrom: camera)
        if !attribution { additions.attributionCorner = nil }
        let map = try engine.render(style, camera, additions: additions)
        return TrialPicture(map: map)
    }
}

/// A picture whose pixels can be asked.
struct TrialPicture {
    let map: RenderedMap

    /// Red, green and blue of a pixel.
    func color(_ x: Int, _ y: Int) -> [Int] {
        map.pixels.withUnsafeBytes { data in
            let place = (y * map.widthPx + x) * 4
            return (0..<3).map { Int(data[place + $0]) }
        }
    }

    /// How many pixels of a rectangle differ from `color` by more than a little.
    func count(unlike color: [Int], x: Range<Int>, y: Range<Int>) -> Int {
        y.reduce(0) { sum, row in
            sum + x.count { column in zip(self.color(column, row), color).contains { abs($0 - $1) > 12 } }
        }
    }

    /// The picture as a PNG file.
    var png: Data? {
        guard var encoder = PNGEncoder(widthPx: map.widthPx, heightPx: map.heightPx, bands: 4, is16Bit: false) else {
            return nil
        }
        map.pixels.withUnsafeBytes { data in
            for row in 0..<map.heightPx {
                let line = [UInt8](data[(row * map.widthPx * 4)..<((row + 1) * map.widthPx * 4)])
                line.withUnsafeBufferPointer { buffer in
                    if let base = buffer.baseAddress { encoder.append(base) }
                }
            }
        }
        return encoder.finish(level: 1).map { file in file.withUnsafeBytes { Data($0) } }
    }
}
