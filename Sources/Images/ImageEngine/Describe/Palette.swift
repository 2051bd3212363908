import Colors

/// Finds the main colors of an image by Lloyd's iteration in OKLab over cells of 1/16 of each sample. The first centre
/// is the fullest cell, each further one that which stands out most, so the result is deterministic.
enum Palette {
    private static let limit = 6
    /// Centres nearer than this are one color.
    private static let sameColorDistance = 0.08
    private static let leastShare = 0.01

    /// Similar pixels: their number, weighted by alpha, and the sums of their samples.
    private struct Group {
        var weight = 0.0
        var red = 0.0
        var green = 0.0
        var blue = 0.0

        var color: OKLab { OKLab(red: red / weight, green: green / weight, blue: blue / weight) }

        mutating func add(_ other: Group) {
            weight += other.weight
            red += other.red
            green += other.green
            blue += other.blue
        }
    }

    /// At most six colors, that of the largest part first; none if all is transparent.
    static func of(_ picture: ThumbnailPixels) -> [PaletteColor] {
        let cells = cells(picture)
        guard !cells.isEmpty else { return [] }
        let groups = merged(gathered(cells, cells.map(\.color)))
        let total = groups.reduce(0) { $0 + $1.weight }
        let sorted = groups.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
        return sorted.prefix(limit).map(\.element).filter { $0.weight >= total * leastShare }.map { group in
            func sample(_ sum: Double) -> UInt8 { UInt8(clamping: Int((sum / group.weight).rounded())) }
            return PaletteColor(
                color: Color(red: sample(group.red), green: sample(group.green), blue: sample(group.blue)),
                share: group.weight / total)
        }
    }

    private static func cells(_ picture: ThumbnailPixels) -> [Group] {
        var cells = [Group](repeating: Group(), count: 1 << 12)
        for start in stride(from: 0, to: picture.samples.count, by: 4) {
            let (red, green, blue) = (picture.samples[start], picture.samples[start + 1], picture.samples[start + 2])
            let weight = Double(picture.samples[start + 3]) / 255
            let cell = Int(red >> 4) << 8 | Int(green >> 4) << 4 | Int(blue >> 4)
            let (r, g, b) = (weight * Double(red), weight * Double(green), weight * Double(blue))
            cells[cell].add(Group(weight: weight, red: r, green: g, blue: b))
        }
        return cells.filter { $0.weight > 0 }
    }

    private static func gathered(_ cells: [Group], _ colors: [OKLab]) -> [Group] {
        var centres = seeds(cells, colors)
        var groups: [Group] = []
        for _ in 0..<8 {
            groups = [Group](repeating: Group(), count: centres.count)
            for (cell, color) in zip(cells, colors) { groups[nearest(color, centres)].add(cell) }
            groups.removeAll { $0.weight == 0 }
            centres = groups.map(\.color)
        }
        return groups
    }

    private static func seeds(_ cells: [Group], _ colors: [OKLab]) -> [OKLab] {
        var distances = [Double](repeating: .infinity, count: cells.count)
        var centres: [OKLab] = []
        while centres.count < limit * 2 {
            let apart = cells.indices.filter { distances[$0] > sameColorDistance * sameColorDistance / 4 }
            let next = apart.max { left, right in
                cells[left].weight * min(distances[left], 1) < cells[right].weight * min(distances[right], 1)
            }
            guard let next else { break }
            centres.append(colors[next])
            for index in cells.indices {
                distances[index] = min(distances[index], colors[index].squaredDistance(to: colors[next]))
            }
        }
        return centres
    }

    private static func nearest(_ color: OKLab, _ centres: [OKLab]) -> Int {
        var best = 0
        var least = Double.infinity
        for (index, centre) in centres.enumerated() {
            let distance = color.squaredDistance(to: centre)
            if distance < least { (best, least) = (index, distance) }
        }
        return best
    }

    /// Merges similar groups, nearest first.
    private static func merged(_ groups: [Group]) -> [Group] {
        var groups = groups
        while groups.count > 1 {
            let colors = groups.map(\.color)
            var closest = (first: 0, second: 0, distance: sameColorDistance * sameColorDistance)
            for first in groups.indices {
                for second in groups.indices.dropFirst(first + 1) {
                    let distance = colors[first].squaredDistance(to: colors[second])
                    if distance < closest.distance { closest = (first, second, distance) }
                }
            }
            guard closest.second > 0 else { break }
            groups[closest.first].add(groups[closest.second])
            groups.remove(at: closest.second)
        }
        return groups
    }
}
