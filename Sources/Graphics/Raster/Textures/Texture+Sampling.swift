import Bytes

/// Colors as vectors of red, green, blue and alpha, `0...255`.
enum ColorVector {
    @inline(__always) static func unpacked(_ pixel: UInt32) -> SIMD4<Float> {
        SIMD4(Float(pixel & 0xff), Float((pixel >> 8) & 0xff), Float((pixel >> 16) & 0xff), Float(pixel >> 24))
    }

    @inline(__always) static func packed(_ channels: SIMD4<Float>) -> UInt32 {
        var held = channels.replacing(with: 0, where: .!(channels .> 0))
        held = held.replacing(with: 255, where: held .> 255)
        let bits = unsafeBitCast(held + 8_388_608, to: SIMD4<UInt32>.self) & 0xff
        return bits.x | bits.y << 8 | bits.z << 16 | bits.w << 24
    }

    @inline(__always) static func over(_ color: SIMD4<Float>, _ below: UInt32) -> UInt32 {
        packed(color + unpacked(UInt32(littleEndian: below)) * (1 - color.w * (1 / 255))).littleEndian
    }
}

extension Texture {
    /// The texel must exist, and the texture be RGBA.
    @inline(__always) func texel(x: Int, y: Int) -> SIMD4<Float> {
        texels.withUnsafeBytes { bytes in
            let place = (y &* widthPx &+ x) &* 4
            return SIMD4(
                Float(bytes[place]), Float(bytes[place &+ 1]), Float(bytes[place &+ 2]), Float(bytes[place &+ 3]))
        }
    }

    @inline(__always) private static func index(_ value: Int, _ count: Int, wraps: Bool) -> Int {
        if wraps {
            return value < 0 ? max(0, value &+ count) : (value >= count ? min(count &- 1, value &- count) : value)
        }
        return max(0, min(count &- 1, value))
    }

    /// Between four texels. Beyond the sides the texture goes on with its last texels, or with those of the other side.
    @inline(__always) func smooth(x: Float, y: Float, wraps: Bool) -> SIMD4<Float> {
        let limit = Float(Rasteriser.sideLimit)
        let placeX = max(-2, min(limit, x)) - 0.5
        let placeY = max(-2, min(limit, y)) - 0.5
        let floorX = placeX.rounded(.down)
        let floorY = placeY.rounded(.down)
        let left = Self.index(Int(floorX), widthPx, wraps: wraps)
        let right = Self.index(Int(floorX) &+ 1, widthPx, wraps: wraps)
        let top = Self.index(Int(floorY), heightPx, wraps: wraps)
        let bottom = Self.index(Int(floorY) &+ 1, heightPx, wraps: wraps)
        let upper = texel(x: left, y: top) * (1 - (placeX - floorX)) + texel(x: right, y: top) * (placeX - floorX)
        let lower = texel(x: left, y: bottom) * (1 - (placeX - floorX)) + texel(x: right, y: bottom) * (placeX - floorX)
        return upper * (1 - (placeY - floorY)) + lower * (placeY - floorY)
    }

    /// The value `0...1` of a texture of single bytes, between texels; columns go around, rows do not.
    @inline(__always) func smoothAlpha(x: Float, y: Float) -> Float {
        let placeX = max(-1, min(Float(widthPx), x)) - 0.5
        let placeY = max(-1, min(Float(heightPx), y)) - 0.5
        let floorX = placeX.rounded(.down)
        let floorY = placeY.rounded(.down)
        let left = Self.index(Int(floorX), widthPx, wraps: true)
        let right = Self.index(Int(floorX) &+ 1, widthPx, wraps: true)
        let top = Self.index(Int(floorY), heightPx, wraps: false) &* widthPx
        let bottom = Self.index(Int(floorY) &+ 1, heightPx, wraps: false) &* widthPx
        return texels.withUnsafeBytes { bytes in
            let upper =
                Float(bytes[top &+ left]) * (1 - (placeX - floorX)) + Float(bytes[top &+ right]) * (placeX - floorX)
            let lower =
                Float(bytes[bottom &+ left]) * (1 - (placeX - floorX))
                + Float(bytes[bottom &+ right]) * (placeX - floorX)
            return (upper * (1 - (placeY - floorY)) + lower * (placeY - floorY)) * (1 / 255)
        }
    }
}
