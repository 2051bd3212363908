import Bytes
public import Foundation

/// A placeholder of some 25 bytes (ThumbHash): the colors of an image as a few waves.
public struct ThumbHash: Sendable, Hashable, Codable {
    /// The hash.
    public let data: Data

    /// Takes base64; nil where it is none, or too short for a hash.
    public init?(base64: String) {
        guard let data = Data(base64Encoded: base64), data.count >= 5 else { return nil }
        self.data = data
    }

    private var header: Int { Int(data[data.startIndex]) | Int(byte(1)) << 8 | Int(byte(2)) << 16 }
    private func byte(_ index: Int) -> UInt8 { index < data.count ? data[data.startIndex + index] : 0 }

    /// Whether something shows through.
    public var hasAlpha: Bool { header >> 23 & 1 == 1 }

    private var waveCounts: (x: Int, y: Int) {
        let second = Int(byte(3)) | Int(byte(4)) << 8
        let isLandscape = second >> 15 & 1 == 1
        let (long, short) = (hasAlpha ? 5 : 7, second & 7)
        return isLandscape ? (long, short) : (short, long)
    }

    /// Width ÷ height of the image, roughly.
    public var aspectRatio: Double {
        let counts = waveCounts
        return Double(max(1, counts.x)) / Double(max(1, counts.y))
    }

    /// RGBA, straight alpha, 32 pixels on the longer side, row by row.
    public func pixels() -> (width: Int, height: Int, rgba: [UInt8]) {
        let ratio = aspectRatio
        let width = ratio > 1 ? 32 : Int(held: (32 * ratio).rounded(), in: 1...32)
        let height = ratio > 1 ? Int(held: (32 / ratio).rounded(), in: 1...32) : 32
        let second = Int(byte(3)) | Int(byte(4)) << 8
        let counts = waveCounts
        var reader = NibbleReader(hash: self, position: hasAlpha ? 12 : 10)
        let light = Channel(
            mean: Double(header & 63) / 63, counts: (max(3, counts.x), max(3, counts.y)),
            scale: Double(header >> 18 & 31) / 31, &reader)
        let yellow = Channel(
            mean: Double(header >> 6 & 63) / 31.5 - 1, counts: (3, 3), scale: Double(second >> 3 & 63) / 63 * 1.25,
            &reader)
        let red = Channel(
            mean: Double(header >> 12 & 63) / 31.5 - 1, counts: (3, 3), scale: Double(second >> 9 & 63) / 63 * 1.25,
            &reader)
        let alpha =
            hasAlpha
            ? Channel(mean: Double(byte(5) & 15) / 15, counts: (5, 5), scale: Double(byte(5) >> 4) / 15, &reader) : nil
        var rgba: [UInt8] = []
        rgba.reserveCapacity(width * height * 4)
        for row in 0..<height {
            for column in 0..<width {
                let place = ((Double(column) + 0.5) / Double(width), (Double(row) + 0.5) / Double(height))
                let (l, p, q) = (light.value(place), yellow.value(place), red.value(place))
                let blue = l - 2.0 / 3 * p
                let first = (3 * l - blue + q) / 2
                for part in [first, first - q, blue, alpha?.value(place) ?? 1] {
                    rgba.append(UInt8(held: (255 * part).rounded(), in: 0...255))
                }
            }
        }
        return (width, height, rgba)
    }

    /// Reads the four-bit factors of waves.
    private struct NibbleReader {
        let hash: ThumbHash
        var position: Int

        mutating func next() -> Double {
            defer { position += 1 }
            let byte = hash.byte(position / 2)
            return Double(position % 2 == 0 ? byte & 15 : byte >> 4) / 7.5 - 1
        }
    }

    /// One channel as a mean and waves.
    private struct Channel {
        private var waves: [(x: Int, y: Int, factor: Double)] = []
        private let mean: Double

        init(mean: Double, counts: (x: Int, y: Int), scale: Double, _ reader: inout NibbleReader) {
            self.mean = mean
            for y in 0..<counts.y {
                var x = y == 0 ? 1 : 0
                while x * counts.y < counts.x * (counts.y - y) {
                    waves.append((x, y, reader.next() * scale))
                    x += 1
                }
            }
        }

        func value(_ place: (x: Double, y: Double)) -> Double {
            waves.reduce(mean) { sum, wave in
                let across = cos(Double.pi * place.x * Double(wave.x)), down = cos(Double.pi * place.y * Double(wave.y))
                return sum + 2 * wave.factor * across * down
            }
        }
    }
}
