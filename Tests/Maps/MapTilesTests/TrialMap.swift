import Bytes
import Foundation
import MapRender
import MapStyle
import MapTiles
import Raster
import Resources
import Tiles
import TestPlaces

/// One archive, and a sprite of two images.
struct TestResources: MapResources {
    var archive: PMTilesTiles?

    func bytes(at address: String) throws(ResourceError) -> SharedBytes? {
        if address.hasSuffix(".json") {
            let index = """
                {"checks": {"x": 0, "y": 0, "width": 12, "height": 12, "pixelRatio": 1},
                 "spot": {"x": 12, "y": 0, "width": 12, "height": 12, "pixelRatio": 1}}
                """
            return SharedBytes(Array(index.utf8))
        }
        return address.hasSuffix(".png") ? SharedBytes([0]) : nil
    }

    func archive(at address: String) throws(ResourceError) -> (any TileArchive)? { archive }

    /// Checks beside a spot, whatever the bytes are.
    func picture(_ bytes: SharedBytes) -> Texture? {
        var texels: [UInt8] = []
        for row in 0..<24 {
            for column in 0..<24 {
                let isDark = column < 12 ? (row / 5 + column / 4) % 2 == 0 : true
                texels += column < 12 ? (isDark ? [200, 40, 40, 255] : [255, 255, 255, 255]) : [30, 60, 200, 255]
            }
        }
        return Texture(widthPx: 24, heightPx: 24, format: .rgba, texels: SharedBytes(texels))
    }
}

/// A style over an archive, in pictures and in tiles.
struct TrialMap {
    let engine: MapEngine
    let renderer: MetatileRenderer
    let style: Style

    init(_ archive: PMTilesArchive?, style: Style) {
        engine = MapEngine(resources: TestResources(archive: archive.map { PMTilesTiles($0) }))
        renderer = MetatileRenderer(engine: engine, byteCapacity: 256 << 20)
        self.style = style
    }

    /// The built-in world in the style `light`.
    static func world() throws -> TrialMap {
        TrialMap(try PMTilesArchive(bytes: Resources.worldArchive), style: try light())
    }

    /// Streets of Florence in the style `light`; nil without the data beside the repository.
    static func florence() throws -> TrialMap? {
        guard let folder = shared else { return nil }
        return TrialMap(
            try PMTilesArchive(path: folder.appending(path: "maps/firenze.pmtiles").path), style: try light())
    }

    /// A map of inline GeoJSON and these layers, as JSON.
    static func generated(features: [String], layers: String) throws -> TrialMap {
        let text = """
            {"version": 8, "sprite": "trial://sprite", "sources": {
             "r": {"type": "raster", "tiles": ["trial://{z}/{x}/{y}.png"], "tileSize": 256, "maxzoom": 4},
             "d": {"type": "raster-dem", "tiles": ["trial://{z}/{x}/{y}.png"], "tileSize": 256, "maxzoom": 6},
             "s": {"type": "geojson", "data":
             {"type": "FeatureCollection", "features": [\(features.joined(separator: ","))]}}},
             "layers": [{"id": "ground", "type": "background", "paint": {"background-color": "#f4f1ea"}}, \(layers)]}
            """
        return TrialMap(nil, style: try Style.read(Array(text.utf8)))
    }

    static func light() throws -> Style { try Style.read(Resources.lightStyle.withUnsafeBytes { [UInt8]($0) }) }

    /// The data beside the repository, or where `VEDUTA_SHARED` says; nil when it is absent.
    static let shared = TestPlaces.shared(with: "maps/firenze.pmtiles")

    /// Tiles from the column and row of `first` on, put together.
    func stitched(_ first: MapTile, columns: Int, rows: Int) throws -> Pixels {
        try joined(first, columns, rows) { Pixels(try renderer.tile($0, in: style, variant: "")) }
    }

    /// The same with each tile drawn alone, as a square of one.
    func cells(_ first: MapTile, columns: Int, rows: Int) throws -> Pixels {
        let grid = PlacementGrid(cellSize: Double(first.side.rawValue))
        return try joined(first, columns, rows) { try snapshot($0, columns: 1, rows: 1, grid: grid) }
    }

    private func joined(
        _ first: MapTile, _ columns: Int, _ rows: Int, _ draw: (MapTile) throws -> Pixels
    ) throws -> Pixels {
        var result = Pixels(width: first.sidePx * columns, height: first.sidePx * rows)
        for row in 0..<rows {
            for column in 0..<columns {
                let tile = MapTile(
                    z: first.z, x: first.x + column, y: first.y + row, side: first.side, ratio: first.ratio)
                guard let tile else { continue }
                result.put(try draw(tile), left: column * first.sidePx, top: row * first.sidePx)
            }
        }
        return result
    }

    /// The same as one picture; `grid` as tiles have it, or none.
    func snapshot(_ first: MapTile, columns: Int, rows: Int, grid: PlacementGrid? = nil) throws -> Pixels {
        let share = 1 / Double(1 << first.z)
        let side = Double(first.side.rawValue)
        var camera = Camera(
            worldX: (Double(first.x) + Double(columns) / 2) * share,
            worldY: (Double(first.y) + Double(rows) / 2) * share,
            zoom: Double(first.z) - (first.side == .px256 ? 1 : 0), width: side * Double(columns),
            height: side * Double(rows))
        camera.pixelRatio = Double(first.ratio)
        var additions = MapAdditions()
        additions.grid = grid
        let map = try engine.render(style, camera, additions: additions)
        return Pixels(width: map.widthPx, height: map.heightPx, rgba: map.pixels.withUnsafeBytes { [UInt8]($0) })
    }
}

/// A picture to compare.
struct Pixels: Equatable {
    let width: Int
    let height: Int
    var rgba: [UInt8]

    init(width: Int, height: Int, rgba: [UInt8]? = nil) {
        self.width = width
        self.height = height
        self.rgba = rgba ?? Array(repeating: 0, count: width * height * 4)
    }

    init(_ tile: TilePicture) {
        self.init(width: tile.sidePx, height: tile.sidePx, rgba: tile.pixels.withUnsafeBytes { [UInt8]($0) })
    }

    mutating func put(_ part: Pixels, left: Int, top: Int) {
        for row in 0..<part.height {
            let start = ((top + row) * width + left) * 4
            rgba.replaceSubrange(
                start..<(start + part.width * 4), with: part.rgba[(row * part.width * 4)..<((row + 1) * part.width * 4)]
            )
        }
    }

    /// The share of pixels that differ from those of `other` by more than `tolerance` in a channel.
    func difference(from other: Pixels, tolerance: Int) -> Double {
        guard width == other.width, height == other.height else { return 1 }
        var count = 0
        for pixel in stride(from: 0, to: rgba.count, by: 4)
        where (pixel..<(pixel + 4)).contains(where: { abs(Int(rgba[$0]) - Int(other.rgba[$0])) > tolerance }) {
            count += 1
        }
        return Double(count) / Double(width * height)
    }

    /// How many colors there are, up to a limit.
    var colors: Int {
        var seen: Set<UInt32> = []
        for pixel in stride(from: 0, to: rgba.count, by: 4) where seen.count < 1000 {
            seen.insert(rgba[pixel..<(pixel + 4)].reduce(0) { $0 << 8 | UInt32($1) })
        }
        return seen.count
    }
}
