import Bytes
import Raster

/// The pictures of distances that dashed lines are drawn from: 256 texels a period, as in MapLibre.
struct LineDashAtlas {
    private struct Key: Hashable {
        var lengths: [Double]
        var isRound: Bool
    }

    private struct Part {
        var left, right: Double
        var isDash, isEmpty: Bool
    }

    private static let width = 256
    private static let reach = 7
    private static let limit = 512

    private var pictures: [Key: Texture] = [:]

    mutating func distances(_ lengths: [Double], isRound: Bool) -> Texture? {
        let key = Key(lengths: lengths, isRound: isRound)
        if let picture = pictures[key] { return picture }
        let total = lengths.reduce(0, +)
        guard total > 0, total.isFinite, lengths.allSatisfy({ $0 >= 0 }), pictures.count < Self.limit,
            lengths.count <= Self.width
        else { return nil }
        let stretch = Double(Self.width) / total
        let parts = Self.parts(lengths, stretch)
        let bytes = isRound ? Self.round(parts, stretch) : Self.straight(parts)
        let picture = Texture(
            widthPx: Self.width, heightPx: bytes.count / Self.width, format: .alpha, texels: SharedBytes(bytes))
        pictures[key] = picture
        return picture
    }

    private static func parts(_ lengths: [Double], _ stretch: Double) -> [Part] {
        // An odd count begins and ends with dashes, which are one.
        var left = lengths.count.isMultiple(of: 2) ? 0 : -(lengths.last ?? 0) * stretch
        var end = 0.0
        return lengths.enumerated().map { index, length in
            if index > 0 { left = end * stretch }
            end += length
            return Part(left: left, right: end * stretch, isDash: index.isMultiple(of: 2), isEmpty: length == 0)
        }
    }

    private static func round(_ parts: [Part], _ stretch: Double) -> [UInt8] {
        let half = stretch / 2
        var bytes: [UInt8] = []
        for row in -reach...reach {
            let middle = Double(row) / Double(reach) * (half + 1)
            scan(parts) { part, near in
                if part.isDash {
                    let edge = half - abs(middle)
                    bytes.append(byte((near * near + edge * edge).squareRoot()))
                } else {
                    bytes.append(byte(half - (near * near + middle * middle).squareRoot()))
                }
            }
        }
        return bytes
    }

    private static func straight(_ parts: [Part]) -> [UInt8] {
        var joined: [Part] = []
        for part in parts where !part.isEmpty {
            if let last = joined.last, last.isDash == part.isDash {
                joined[joined.count - 1].right = part.right
            } else {
                joined.append(part)
            }
        }
        if let first = joined.first, let last = joined.last, first.isDash == last.isDash {
            joined[joined.count - 1].right = first.right + Double(width)
            joined[0].left = last.left - Double(width)
        }
        var bytes: [UInt8] = []
        scan(joined) { part, near in bytes.append(byte(part.isDash ? near : -near)) }
        return bytes
    }

    private static func scan(_ parts: [Part], _ body: (Part, Double) -> Void) {
        var index = 0
        for column in 0..<width {
            let x = Double(column)
            while index + 1 < parts.count, x > parts[index].right { index += 1 }
            let part = parts[index]
            body(part, min(abs(x - part.left), abs(x - part.right)))
        }
    }

    private static func byte(_ distance: Double) -> UInt8 { UInt8(max(0, min(255, distance + 128))) }
}
