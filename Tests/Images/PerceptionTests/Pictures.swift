import Bytes
import Perception

/// A picture of 8-bit samples, made by whole numbers alone, so that a few lines of any language make the same.
struct Picture {
    var widthPx: Int
    var heightPx: Int
    var bands = 3
    var bytes: [UInt8]

    /// Hills, stripes, an even field and fine texture in three colors.
    init(_ widthPx: Int, _ heightPx: Int) {
        self.widthPx = widthPx
        self.heightPx = heightPx
        bytes = []
        for y in 0..<heightPx {
            for x in 0..<widthPx {
                let hill = (x * x + 3 * y * y) / 512 % 256
                let stripe = (x / 7 + y / 11) % 2 * 90
                let fine = (x * 73 + y * 151 + x * y % 61) % 32
                if x > widthPx / 2, y < heightPx / 3 {
                    bytes += [60, 120, 200]
                } else {
                    bytes += [
                        UInt8(min(255, hill / 2 + stripe)), UInt8(min(255, hill / 2 + fine * 2)),
                        UInt8(y * 255 / heightPx),
                    ]
                }
            }
        }
    }

    /// Every sample after `change`, which gets its place: column, row, channel.
    func map(_ change: (UInt8, Int, Int, Int) -> Int) -> Picture {
        var result = self
        for (index, byte) in bytes.enumerated() {
            let pixel = index / bands
            let value = change(byte, pixel % widthPx, pixel / widthPx, index % bands)
            result.bytes[index] = UInt8(min(255, max(0, value)))
        }
        return result
    }

    /// The sample of the channel, the nearest one for places outside.
    func sample(_ x: Int, _ y: Int, _ channel: Int) -> Int {
        let (x, y) = (min(max(x, 0), widthPx - 1), min(max(y, 0), heightPx - 1))
        return Int(bytes[(y * widthPx + x) * bands + channel])
    }

    var scales: ImageScales {
        var builder = ScalesBuilder(widthPx: widthPx, heightPx: heightPx, bands: bands)
        for row in 0..<heightPx {
            let start = row * widthPx * bands
            bytes[start..<(start + widthPx * bands)].withUnsafeBytes { builder.add($0.bytes) }
        }
        return builder.finish()
    }

    func score(of distorted: Picture) -> Double? { scales.score(of: distorted.scales) }
}

/// What is done to a picture: each of them hurts in another way.
enum Damage: String, CaseIterable {
    case noise, posterised, smoothed, shifted, brighter, blocks, colorless

    func done(to picture: Picture) -> Picture {
        switch self {
        case .noise:
            picture.map { value, x, y, channel in Int(value) + (x * 31 + y * 57 + channel * 17 + x * y) % 13 - 6 }
        case .posterised: picture.map { value, _, _, _ in Int(value) / 24 * 24 + 12 }
        case .smoothed:
            picture.map { _, x, y, channel in
                var sum = 0
                for dy in -1...1 { for dx in -1...1 { sum += picture.sample(x + dx, y + dy, channel) } }
                return (sum + 4) / 9
            }
        case .shifted: picture.map { _, x, y, channel in picture.sample(x + 1, y, channel) }
        case .brighter: picture.map { value, _, _, _ in Int(value) + 4 }
        case .blocks:
            picture.map { value, x, y, channel in
                (Int(value) * 3 + picture.sample(x / 8 * 8 + 4, y / 8 * 8 + 4, channel) + 2) / 4
            }
        case .colorless:
            picture.map { value, x, y, channel in
                channel == 1 ? Int(value) : (Int(value) * 3 + picture.sample(x, y, 1) + 2) / 4
            }
        }
    }
}
