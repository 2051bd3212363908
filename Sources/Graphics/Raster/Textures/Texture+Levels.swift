import Bytes

extension Texture {
    @inline(__always) func nearest(x: Float, y: Float) -> SIMD4<Float> {
        let column = Int(max(0, min(Float(widthPx - 1), x)))
        let row = Int(max(0, min(Float(heightPx - 1), y)))
        return texel(x: column, y: row)
    }

    @inline(__always) func sample(x: Float, y: Float, isSmooth: Bool) -> SIMD4<Float> {
        isSmooth ? smooth(x: x, y: y, wraps: false) : nearest(x: x, y: y)
    }

    /// An RGBA picture at half its size, several times over; sides end at one texel.
    func halved(times: Int) -> Texture {
        var result = self
        for _ in 0..<times {
            guard let half = result.halved() else { break }
            result = half
        }
        return result
    }

    private func halved() -> Texture? {
        guard widthPx > 1 || heightPx > 1 else { return nil }
        let width = max(1, widthPx / 2)
        let height = max(1, heightPx / 2)
        let bytes = texels.withUnsafeBytes { source in
            [UInt8](unsafeUninitializedCapacity: width * height * 4) { target, count in
                for row in 0..<height {
                    let upper = min(row * 2, heightPx - 1) * widthPx
                    let lower = min(row * 2 + 1, heightPx - 1) * widthPx
                    for column in 0..<width {
                        let left = min(column * 2, widthPx - 1)
                        let right = min(column * 2 + 1, widthPx - 1)
                        for channel in 0..<4 {
                            func value(_ place: Int) -> Int { Int(source[place * 4 + channel]) }
                            let sum = value(upper + left) + value(upper + right) + value(lower + left)
                            let mean = (sum + value(lower + right) + 2) / 4
                            target[(row * width + column) * 4 + channel] = UInt8(mean)
                        }
                    }
                }
                count = width * height * 4
            }
        }
        return Texture(widthPx: width, heightPx: height, format: .rgba, texels: SharedBytes(bytes))
    }
}
