import Bytes
import MapStyle
import Raster

extension HeightGrid {
    /// Decodes a square picture, repeating the outermost heights around it; nil when it is not square.
    init?(_ picture: Texture, _ encoding: DEMEncoding) {
        let side = picture.widthPx
        guard picture.heightPx == side, picture.format == .rgba else { return nil }
        let (red, green, blue, base) = encoding.factors
        let rowLength = side + 2
        var metres = [Float](repeating: 0, count: rowLength * rowLength)
        picture.texels.withUnsafeBytes { texels in
            for row in 0..<rowLength {
                let sourceRow = min(max(row - 1, 0), side - 1)
                for column in 0..<rowLength {
                    let texel = (sourceRow * side + min(max(column - 1, 0), side - 1)) * 4
                    metres[row * rowLength + column] = Float(
                        Double(texels[texel]) * red + Double(texels[texel + 1]) * green
                            + Double(texels[texel + 2]) * blue - base)
                }
            }
        }
        self.init(side: side, metres: metres)
    }

    /// Bordered by neighbours of the same size.
    func bordered(at tile: PlacedTile, by grids: [PlacedTile: HeightGrid]) -> HeightGrid {
        var metres = metres
        var isChanged = false
        for dy in -1...1 {
            for dx in -1...1 where dx != 0 || dy != 0 {
                guard let neighbour = grids[tile.neighbour(dx, dy)], neighbour.side == side else { continue }
                isChanged = true
                for row in Self.border(dy, side) {
                    for column in Self.border(dx, side) {
                        metres[row * (side + 2) + column] =
                            neighbour.metres[(row - dy * side) * (side + 2) + column - dx * side]
                    }
                }
            }
        }
        return isChanged ? HeightGrid(side: side, metres: metres) : self
    }

    /// The rows or columns of the grid that come from the neighbour in a direction.
    private static func border(_ direction: Int, _ side: Int) -> ClosedRange<Int> {
        switch direction {
        case -1: 0...0
        case 1: (side + 1)...(side + 1)
        default: 1...side
        }
    }
}

extension PlacedTile {
    fileprivate func neighbour(_ dx: Int, _ dy: Int) -> PlacedTile {
        let count = 1 << id.z
        let x = id.x + dx
        let around = x < 0 ? -1 : x >= count ? 1 : 0
        return PlacedTile(
            id: TileCoordinate(z: id.z, x: x - around * count, y: id.y + dy), wrap: wrap + around,
            overscaledZ: overscaledZ)
    }
}

extension DEMEncoding {
    fileprivate var factors: (red: Double, green: Double, blue: Double, base: Double) {
        switch self {
        case .mapbox: (6553.6, 25.6, 0.1, 10000)
        case .terrarium: (256, 1, 1 / 256, 32768)
        case .custom(let red, let green, let blue, let base): (red, green, blue, base)
        }
    }
}
