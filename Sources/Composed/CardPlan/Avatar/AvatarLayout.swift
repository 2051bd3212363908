import Bytes
package import CardGrammar
package import ImagePlan
import Parameters

/// A part of an avatar.
package struct AvatarCell: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        /// The place in the request.
        case person(Int)
        case more(Int)
    }

    package var content: Content
    package var shape: CardShape
    /// What a picture covers, in CSS pixels.
    package var frame: CardRect
    /// Where letters and signs stand, and how large a disc around it is free.
    var center: SIMD2<Double>
    var radius: Double

    /// Device pixels of the picture in it.
    package func size(at scale: Double) -> PixelSize {
        PixelSize(
            widthPx: Int(held: (frame.width * scale).rounded(.up), in: 1...4096),
            heightPx: Int(held: (frame.height * scale).rounded(.up), in: 1...4096))
    }
}

/// Where everybody is.
package struct AvatarLayout: Sendable {
    package private(set) var request: AvatarRequest
    package private(set) var cells: [AvatarCell] = []
    let width: Double
    let height: Double
    /// What the ring is drawn around, and what lies within.
    private(set) var ringShapes: [(outer: CardShape, inner: CardShape)] = []

    private var gap: Double { request.gap.double / 100 * height }
    private var ringWidth: Double { (request.ring?.width.double ?? 0) / 100 * height }
    /// The most that gaps and rings may take of the room of one cell: everybody is to be seen.
    private static let frameShare = 0.75
    private static let stackStep = 0.72

    private let isCut: Bool

    /// Where not `isCut`, what stands in front is not cut out of what is behind: quick enough for a loop, and enough for the price.
    package init(_ request: AvatarRequest, isCut: Bool = true) {
        (self.request, self.isCut) = (request, isCut)
        height = Double(request.sizePx)
        let contents = request.cellContents
        width = request.layout == .stack ? Self.rowWidth(contents.count, height: height) : height
        switch request.layout {
        case .auto, .grid: placeInGrid(contents)
        case .pie: placeInPie(contents)
        case .stack, .pair, .orbit: placeInDiscs(contents)
        }
        if isCut { cutOut() }
    }

    /// The same cells for another request of this style.
    package func showing(_ request: AvatarRequest) -> AvatarLayout {
        var layout = self
        layout.request = request
        if case .more? = cells.last?.content, let last = request.cellContents.last {
            layout.cells[cells.count - 1].content = last
        }
        return layout
    }

    /// Of `count` overlapping discs.
    static func rowWidth(_ count: Int, height: Double) -> Double {
        (height * (1 + stackStep * Double(max(1, count) - 1))).rounded()
    }

    /// The assets that the person at `index` shows: their own picture, else the fallbacks before the first that is drawn.
    package func pictureIDs(of index: Int) -> [String] {
        let instead = request.fallbacks.prefix { if case .asset = $0 { true } else { false } }
            .compactMap { if case .asset(let id) = $0 { id } else { nil } }
        return [request.persons[index].id].compactMap(\.self) + instead
    }

    /// Of all people that are shown, and of the badge.
    package var pictureIDs: [String] {
        shownPersons.flatMap { pictureIDs(of: $0) } + [badgePicture?.id].compactMap(\.self)
    }
    package var personCount: Int { shownPersons.count }

    /// The asset at the top right, and its size.
    package var badgePicture: (id: String, size: PixelSize)? {
        guard case .asset(let id) = request.badge else { return nil }
        let side = Int(held: (2 * badge.radius * request.scale.double).rounded(.up), in: 1...4096)
        return (id, PixelSize(widthPx: side, heightPx: side))
    }

    /// Stands for the badge where people are told by their places.
    package static let badgeKey = -1

    private var shownPersons: [Int] {
        cells.compactMap { if case .person(let index) = $0.content { index } else { nil } }
    }

    // MARK: Layouts

    private mutating func placeInGrid(_ contents: [AvatarCell.Content]) {
        let whole = CardRect(x: 0, y: 0, width: width, height: height)
        let inner = whole.inset(by: ringWidth)
        let outline = outline(inner)
        if ringWidth > 0 { ringShapes.append((self.outline(whole), outline)) }
        let parts = rects(contents.count, in: inner)
        let least = parts.reduce(inner.width) { min($0, $1.rect.width, $1.rect.height) }
        let margin = min(gap, Self.frameShare * least) / 2
        for (content, part) in zip(contents, parts) {
            add(content, outline.clipped(to: part.rect, sides: part.sides, margin))
        }
    }

    private struct Part {
        var rect: CardRect
        /// Left, top, right and bottom sides that another cell is at.
        var sides: [Bool]
    }

    private func rects(_ count: Int, in rect: CardRect) -> [Part] {
        func part(_ column: Int, _ row: Int, columns: Int = 1, rows: Int = 1, across: Int, down: Int) -> Part {
            let (width, height) = (rect.width / Double(across), rect.height / Double(down))
            return Part(
                rect: CardRect(
                    x: rect.x + width * Double(column), y: rect.y + height * Double(row),
                    width: width * Double(columns), height: height * Double(rows)),
                sides: [column > 0, row > 0, column + columns < across, row + rows < down])
        }
        if request.layout == .auto {
            if count == 2 { return [part(0, 0, across: 2, down: 1), part(1, 0, across: 2, down: 1)] }
            if count == 3 {
                return [
                    part(0, 0, rows: 2, across: 2, down: 2), part(1, 0, across: 2, down: 2),
                    part(1, 1, across: 2, down: 2),
                ]
            }
        }
        let columns = count <= 1 ? 1 : count <= 4 ? 2 : 3
        let rows = max(1, (count + columns - 1) / columns)
        // Shorter rows come first: two above three, as people stand for a photograph.
        var (parts, left) = ([Part](), count)
        for row in 0..<rows {
            let inRow = left / (rows - row)
            left -= inRow
            for column in 0..<inRow { parts.append(part(column, row, across: inRow, down: rows)) }
        }
        return parts
    }

    private mutating func placeInPie(_ contents: [AvatarCell.Content]) {
        let whole = CardRect(x: 0, y: 0, width: width, height: height)
        let radius = height / 2 - ringWidth
        let disc = CardShape.disc([width / 2, height / 2], radius: radius)
        if ringWidth > 0 { ringShapes.append((.disc([width / 2, height / 2], radius: height / 2), disc)) }
        let center: SIMD2<Double> = [whole.middleX, whole.middleY]
        let count = Double(contents.count)
        // Sides that are so far apart meet at the rim.
        let most = 2 * radius * CardShape.direction(0.5 / count).x
        let margin = min(gap, Self.frameShare * most) / 2
        for (index, content) in contents.enumerated() {
            guard count > 1 else {
                add(content, disc)
                continue
            }
            // Of two, one is left and one right.
            let offset = count == 2 ? 0.5 : 0
            let start = CardShape.direction(Double(index) / count + offset)
            let end = CardShape.direction(Double(index + 1) / count + offset)
            let startNormal = SIMD2(-start.y, start.x)
            let endNormal = SIMD2(end.y, -end.x)
            add(
                content,
                disc.clipped(from: center + startNormal * margin, startNormal)
                    .clipped(from: center + endNormal * margin, endNormal))
        }
    }

    private mutating func placeInDiscs(_ contents: [AvatarCell.Content]) {
        let discs = self.discs(contents.count)
        for (index, content) in contents.enumerated() {
            let disc = discs[index]
            let ringWidth = min(ringWidth, Self.frameShare * disc.radius)
            var shape = CardShape.disc(disc.center, radius: disc.radius - ringWidth)
            var around = CardShape.disc(disc.center, radius: disc.radius)
            // The one in front cuts into the one behind.
            if isCut, request.layout != .orbit, index + 1 < discs.count {
                let front = discs[index + 1]
                shape = shape.without(front.center, front.radius + gap)
                around = around.without(front.center, front.radius + gap)
            }
            if ringWidth > 0 { ringShapes.append((around, shape)) }
            add(
                content, shape, center: disc.center + offset(isBehind: index + 1 < discs.count),
                radius: disc.radius - ringWidth - hidden, frame: CardShape.disc(disc.center, radius: disc.radius).bounds
            )
        }
    }

    /// How much less room letters have where discs overlap.
    private var hidden: Double {
        switch request.layout {
        case .stack: height * (1 - Self.stackStep) / 2
        case .pair: height * 0.09
        default: 0
        }
    }

    /// From the middle of a disc to the middle of what is seen of it.
    private func offset(isBehind: Bool) -> SIMD2<Double> {
        guard isBehind else { return [0, 0] }
        switch request.layout {
        case .stack: return [-hidden, 0]
        case .pair: return [hidden, -hidden]
        default: return [0, 0]
        }
    }

    private struct Place {
        var center: SIMD2<Double>
        var radius: Double
    }

    private func discs(_ count: Int) -> [Place] {
        let (radius, middle) = (height / 2, SIMD2(width / 2, height / 2))
        guard count > 1 else { return [Place(center: middle, radius: radius)] }
        switch request.layout {
        case .stack:
            return (0..<count).map {
                Place(center: [radius + Double($0) * height * Self.stackStep, radius], radius: radius)
            }
        case .pair:
            let part = height * 0.34
            return [
                Place(center: [width - part, part], radius: part), Place(center: [part, height - part], radius: part),
            ]
        default:
            // From six on, one is in the middle.
            let hasMiddle = count >= 6
            let around = Double(hasMiddle ? count - 1 : count)
            let sine = CardShape.direction(0.5 / around).x
            let part = max(2, radius * sine / (1 + sine) - gap / 2)
            let places = (0..<Int(around)).map { index in
                let turn = Double(index) / around - (count == 2 ? 0.25 : 0)
                return Place(center: middle + CardShape.direction(turn) * (radius - part), radius: part)
            }
            let inMiddle = Place(center: middle, radius: max(2, radius - 2 * part - gap))
            return (hasMiddle ? [Place(center: middle, radius: min(inMiddle.radius, radius * 0.55))] : []) + places
        }
    }

    private mutating func add(
        _ content: AvatarCell.Content, _ shape: CardShape, center: SIMD2<Double>? = nil, radius: Double? = nil,
        frame: CardRect? = nil
    ) {
        guard let frame = frame ?? shape.bounds else { return }
        let middle = center ?? shape.centroid
        cells.append(
            AvatarCell(
                content: content, shape: shape, frame: frame, center: middle,
                radius: radius ?? shape.distance(from: middle)))
    }

    private func outline(_ rect: CardRect) -> CardShape {
        switch request.shape {
        case .circle: .disc([rect.middleX, rect.middleY], radius: rect.width / 2)
        case .squircle: .squircle(rect)
        case .square: .box(rect)
        case .rounded(let radius): .box(rect, radius: Double(radius))
        }
    }

    // MARK: Signs

    static let signMargin = 0.03

    /// Of the dot at the bottom right, and of the number or the picture at the top right.
    var dot: (center: SIMD2<Double>, radius: Double) { ([width - height * 0.14, height * 0.86], height * 0.11) }
    var badge: (center: SIMD2<Double>, radius: Double) { ([width - height * 0.17, height * 0.17], height * 0.165) }

    private mutating func cutOut() {
        var holes: [(center: SIMD2<Double>, radius: Double)] = []
        if request.status != nil { holes.append(dot) }
        if request.badge != nil { holes.append(badge) }
        let margin = height * Self.signMargin
        for hole in holes {
            for index in cells.indices {
                cells[index].shape = cells[index].shape.without(hole.center, hole.radius + margin)
            }
            ringShapes = ringShapes.map {
                (
                    $0.outer.without(hole.center, hole.radius + margin),
                    $0.inner.without(hole.center, hole.radius + margin)
                )
            }
        }
    }
}

extension AvatarRequest {
    /// In the order of the cells, of which the last stands for all people that have none.
    var cellContents: [AvatarCell.Content] {
        let total = max(total ?? 0, persons.count)
        let count = min(layout == .pair ? min(2, cellLimit) : cellLimit, total)
        var contents = (0..<min(count, persons.count)).map { AvatarCell.Content.person($0) }
        if total > contents.count {
            if contents.count == count, count > 1 { contents.removeLast() }
            if count > 1 { contents.append(.more(total - contents.count)) }
        }
        return contents
    }
}
