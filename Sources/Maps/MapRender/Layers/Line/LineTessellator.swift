import Raster

struct LineTessellator {
    enum Cap: String { case butt, round, square }
    enum Join: String { case miter, round, bevel }

    struct Shape: Equatable {
        var cap = Cap.butt
        var join = Join.miter
        var miterLimit = 2.0
        var roundLimit = 1.05
        /// CSS pixels from the middle of the line to the outer edge of its feather.
        var outset = 1.0
        /// CSS pixels to the right of the line.
        var offset = 0.0
        var clip: ClosedRange<Double>?
        var isMeasured = false
    }

    enum Corner { case butt, square, round, miter, bevel, flippedBevel, nearlyRound }

    /// In units of tiles; distances along lines start again beyond.
    static let distanceLimit = 32768.0
    /// Corners sharper than 75 degrees get vertices near to them, so that dashes are slanted only there.
    private static let sharpCornerCosine = 0.7933533402912352
    private static let joinStep = 20.0

    var mesh = LineMesh()
    var shape = Shape()
    private let projection: LineProjection
    private let sharpCornerOffset: Double
    private var distance = 0.0, totalDistance = 0.0

    init(_ projection: LineProjection, tile: PlacedTile) {
        self.projection = projection
        let overscaling = tile.overscaleFactor
        sharpCornerOffset = overscaling <= 16 ? 15 * Double(FeatureLayer.extent) / (512 * overscaling) : 0
    }

    mutating func add(_ vertices: UnsafeBufferPointer<TileVertex>, isClosed: Bool) {
        var path = Path(vertices: vertices, isClosed: isClosed)
        guard path.trim() else { return }
        distance = 0
        totalDistance = 0
        if shape.clip != nil {
            for index in 1..<path.end { totalDistance += (path[index] - path[index - 1]).length }
        }
        walk(path)
        mesh.endStrip()
    }

    private mutating func walk(_ path: Path) {
        var current: Vector?
        var previous: Vector?
        var normal: Vector?
        if path.isClosed {
            let last = path[path.end - 2]
            current = last
            normal = (path[path.first] - last).normal
        }
        var index = path.first
        while index < path.end {
            defer { index += 1 }
            let isLast = index == path.end - 1
            let next = isLast ? (path.isClosed ? path[path.first + 1] : nil) : path[index + 1]
            let place = path[index]
            if let next, next == place { continue }
            if isHidden(path, index) {
                current = place
                if let next { normal = (next - place).normal }
                mesh.endStrip()
                continue
            }
            previous = current
            let before = normal
            current = place
            let after = next.map { ($0 - place).normal } ?? before ?? Vector(x: 0, y: 0)
            normal = after
            var turn = Turn(before: before ?? after, after: after)
            let isSharp = turn.cosine < Self.sharpCornerCosine && previous != nil && next != nil
            if isSharp, index > path.first, let from = previous {
                let length = (place - from).length
                if length > 2 * sharpCornerOffset {
                    let near = place - ((place - from) * (sharpCornerOffset / length)).rounded
                    advance(from, near)
                    addPair(near, turn.before)
                    previous = near
                }
            }
            let isMiddle = previous != nil && next != nil
            let corner = isMiddle ? joinCorner(turn) : path.isClosed ? .butt : capCorner
            if let previous { advance(previous, place) }
            addCorner(corner, place, &turn, hasPrevious: previous != nil, hasNext: next != nil)
            if isSharp, !isLast, let next {
                let length = (next - place).length
                if length > 2 * sharpCornerOffset {
                    let near = place + ((next - place) * (sharpCornerOffset / length)).rounded
                    advance(place, near)
                    addPair(near, after)
                    current = near
                }
            }
        }
    }

    private var capCorner: Corner {
        switch shape.cap {
        case .butt: .butt
        case .round: .round
        case .square: .square
        }
    }

    private func joinCorner(_ turn: Turn) -> Corner {
        var corner: Corner
        let limit = shape.join == .bevel ? 1.05 : shape.miterLimit
        switch shape.join {
        case .miter: corner = .miter
        case .bevel: corner = .bevel
        case .round:
            corner = turn.miterLength < shape.roundLimit ? .miter : turn.miterLength <= 2 ? .nearlyRound : .round
        }
        if corner == .miter, turn.miterLength > limit { corner = .bevel }
        if corner == .bevel {
            // Vectors to corners are at most twice as long as half of the line's width.
            if turn.miterLength > 2 { corner = .flippedBevel }
            if turn.miterLength < limit { corner = .miter }
        }
        return corner
    }

    private mutating func addCorner(
        _ corner: Corner, _ place: Vector, _ turn: inout Turn, hasPrevious: Bool, hasNext: Bool
    ) {
        switch corner {
        case .miter: addPair(place, turn.join * turn.miterLength)
        case .flippedBevel:
            let flipped = turn.flipped
            addPair(place, flipped)
            addPair(place, flipped * -1)
        case .bevel, .nearlyRound:
            let offset = -max(0, turn.miterLength * turn.miterLength - 1).squareRoot()
            let left = turn.isLeft ? offset : 0
            let right = turn.isLeft ? 0 : offset
            if hasPrevious { addPair(place, turn.before, left: left, right: right) }
            if corner == .nearlyRound { addFan(place, turn) }
            if hasNext { addPair(place, turn.after, left: -left, right: -right) }
        case .butt: addPair(place, turn.join)
        case .square:
            let end = hasPrevious ? 1.0 : -1
            addPair(place, turn.join, left: end, right: end)
        case .round:
            if hasPrevious {
                addPair(place, turn.before)
                addPair(place, turn.before, left: 1, right: 1, isRound: true)
            }
            if hasNext {
                addPair(place, turn.after, left: -1, right: -1, isRound: true)
                addPair(place, turn.after)
            }
        }
    }

    private mutating func addFan(_ place: Vector, _ turn: Turn) {
        let angle = 2 * max(0, 2 - 2 * turn.cosine).squareRoot()
        let count = Int((angle * 180 / .pi / Self.joinStep).rounded())
        guard count > 1 else { return }
        for step in 1..<count {
            var t = Double(step) / Double(count)
            if t != 0.5 {
                // Nearly even angles, without trigonometry.
                let u = t - 0.5
                let cosine = turn.angleCosine
                let a = 1.0904 + cosine * (-3.2452 + cosine * (3.55645 - cosine * 1.43519))
                let b = 0.848013 + cosine * (-1.06021 + cosine * 0.215638)
                t += t * u * (t - 1) * (a * u * u + b)
            }
            let extrude = ((turn.after - turn.before) * t + turn.before).unit * (turn.isLeft ? -1 : 1)
            addHalf(place, extrude, isRound: false, isRight: turn.isLeft, direction: 0)
        }
    }

    private mutating func addPair(
        _ place: Vector, _ normal: Vector, left: Double = 0, right: Double = 0, isRound: Bool = false
    ) {
        let toLeft = Vector(x: normal.x + normal.y * left, y: normal.y - normal.x * left)
        let toRight = Vector(x: -normal.x + normal.y * right, y: -normal.y - normal.x * right)
        addHalf(place, toLeft, isRound: isRound, isRight: false, direction: left)
        addHalf(place, toRight, isRound: isRound, isRight: true, direction: -right)
        // MapLibre's distances have few bits, so dashes of long lines start again.
        if distance > Self.distanceLimit / 2, shape.clip == nil {
            distance = 0
            addPair(place, normal, left: left, right: right, isRound: isRound)
        }
    }

    @inline(__always)
    private mutating func addHalf(_ place: Vector, _ extrude: Vector, isRound: Bool, isRight: Bool, direction: Double) {
        // Vectors to corners have eight bits each way.
        let x = Self.rounded(extrude.x * 63) * (1 / 63)
        let y = Self.rounded(extrude.y * 63) * (1 / 63)
        var offset = Vector(x: 0, y: 0)
        if shape.offset != 0 {
            // At ends and bevels the vector is slanted; this takes the one across the line.
            let u = direction == 0 ? 0 : direction < 0 ? -0.5 : 0.5
            let t = 1 - abs(u)
            let size = -shape.offset * (isRight ? 1 : -1)
            offset = Vector(x: size * (x * t - y * u), y: size * (x * u + y * t))
        }
        var along = distance
        var progress = 0.0
        if let clip = shape.clip {
            let share = totalDistance > 0 ? distance / totalDistance : 0
            progress = share
            along = (clip.lowerBound + (clip.upperBound - clip.lowerBound) * share) * (Self.distanceLimit - 1)
        }
        // Distances are whole numbers of two units.
        if shape.isMeasured { along = (along * 0.5).rounded(.down) * 2 }
        mesh.add(
            projection.vertex(
                place, offset: offset, extrude: Vector(x: x * shape.outset, y: y * shape.outset), along: along,
                progress: progress, side: isRight ? 1 : -1, roundness: isRound ? 1 : 0))
    }

    /// Rounds a small number: adding 1.5 · 2⁵² leaves it in the low bits, where rounding is a call.
    @inline(__always)
    private static func rounded(_ value: Double) -> Double { (value + 6_755_399_441_055_744) - 6_755_399_441_055_744 }

    @inline(__always) private mutating func advance(_ from: Vector, _ to: Vector) {
        if shape.isMeasured { distance += (to - from).length }
    }

    /// Whether something of a line within `box` may be seen.
    func reaches(_ box: TileBox) -> Bool {
        let window = projection.window
        return Double(box.high.x) >= window.left && Double(box.low.x) <= window.right
            && Double(box.high.y) >= window.top && Double(box.low.y) <= window.bottom
    }

    /// Whether both segments at a vertex lie beyond one side of the window. Lines that are measured are followed as a whole.
    @inline(__always) private func isHidden(_ path: Path, _ index: Int) -> Bool {
        if shape.isMeasured { return false }
        let window = projection.window
        let code = window.code(path[index])
        if code == 0 { return false }
        if index > path.first, code & window.code(path[index - 1]) == 0 { return false }
        if index < path.end - 1, code & window.code(path[index + 1]) == 0 { return false }
        if path.isClosed, index == path.first || index == path.end - 1 { return false }
        return true
    }
}
