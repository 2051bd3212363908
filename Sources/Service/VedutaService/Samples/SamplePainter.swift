import Colors
import Raster

/// Paints a view of an imaginary town on a river: the built-in sample images, which need no files and no licence. The
/// same seed gives the same image on every machine, as only integers and our own rasteriser are used.
struct SamplePainter {
    let widthPx: Int
    let heightPx: Int
    private(set) var list = DisplayList()
    private var path = Path()
    private var random: UInt64

    /// Colors of one time of day, `0xRRGGBB`.
    struct Light {
        let skyTop, skyBottom, sun, hillFar, hillNear, wall, roof, water: UInt32

        static let evening = Light(
            skyTop: 0x2f4b7c, skyBottom: 0xf6b78a, sun: 0xffe3a8, hillFar: 0x8a7fa3, hillNear: 0x4a5a5e,
            wall: 0xd9a872, roof: 0xa5523a, water: 0x5b6f94)
        static let morning = Light(
            skyTop: 0x5aa0d8, skyBottom: 0xe8f1f2, sun: 0xfffbe8, hillFar: 0x9db8b8, hillNear: 0x5f8a66,
            wall: 0xf0dcb8, roof: 0xc4704e, water: 0x7fb3c8)
        static let night = Light(
            skyTop: 0x0d1430, skyBottom: 0x39406b, sun: 0xe8ecf5, hillFar: 0x232a4d, hillNear: 0x161b33,
            wall: 0x3d3a52, roof: 0x2c2540, water: 0x1a2347)
    }

    init(widthPx: Int, heightPx: Int, seed: UInt64) {
        self.widthPx = widthPx
        self.heightPx = heightPx
        self.random = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    }

    mutating func paintView(_ light: Light) {
        let horizon = heightPx * 62 / 100
        paintSky(light, to: horizon)
        disc(x: widthPx * 70 / 100, y: heightPx * 30 / 100, radius: heightPx / 16, color: Color(rgb: light.sun))
        for layer in 0..<4 {
            let share = 256 * layer / 3
            let color = Self.mixed(light.hillFar, light.hillNear, share)
            paintHills(top: horizon - heightPx * (26 - 6 * layer) / 100, amplitude: heightPx / 12, color: color)
        }
        paintTown(light, base: horizon + heightPx / 50)
        paintWater(light, from: horizon + heightPx / 50)
        paintBridge(light, y: horizon + heightPx * 12 / 100)
    }

    /// A round badge with alpha.
    mutating func paintBadge() {
        let (x, y, radius) = (widthPx / 2, heightPx / 2, widthPx * 46 / 100)
        disc(x: x, y: y, radius: radius, color: Color(rgb: 0x2f4b7c))
        disc(x: x, y: y, radius: radius * 92 / 100, color: Color(rgb: 0xf6b78a))
        disc(x: x, y: y - radius / 4, radius: radius / 3, color: Color(rgb: 0xa5523a, alpha: 220))
        rectangle(
            x: x - radius / 3, y: y - radius / 4, width: radius * 2 / 3, height: radius * 3 / 4,
            color: Color(rgb: 0xd9a872))
        rectangle(
            x: x - radius * 3 / 4, y: y + radius / 2, width: radius * 3 / 2, height: radius / 12,
            color: Color(rgb: 0x5b6f94, alpha: 160))
    }

    private mutating func paintSky(_ light: Light, to horizon: Int) {
        let bands = 160
        for band in 0..<bands {
            let top = horizon * band / bands
            rectangle(
                x: 0, y: top, width: widthPx, height: horizon * (band + 1) / bands - top,
                color: Self.mixed(light.skyTop, light.skyBottom, 256 * band / bands))
        }
        for ring in 0..<12 {
            disc(
                x: widthPx * 70 / 100, y: heightPx * 30 / 100, radius: heightPx / 16 + heightPx * ring / 40,
                color: Color(rgb: light.sun, alpha: 14))
        }
    }

    private mutating func paintHills(top: Int, amplitude: Int, color: Color) {
        var y = top
        let step = max(4, widthPx / 160)
        add(0, heightPx)
        for x in stride(from: 0, through: widthPx + step, by: step) {
            y += below(amplitude / 5 + 1) - amplitude / 10
            y = max(top - amplitude, min(top + amplitude, y))
            add(x, y)
        }
        add(widthPx + step, heightPx)
        fill(.nonZero, color)
    }

    private mutating func paintTown(_ light: Light, base: Int) {
        let unit = max(8, widthPx / 60)
        var x = -unit
        while x < widthPx {
            let width = unit + below(unit)
            let height = heightPx / 12 + below(heightPx / 9)
            house(light, x: x, width: width, top: base - height, base: base)
            x += width
        }
        tower(light, x: widthPx * 22 / 100, width: unit * 2, top: base - heightPx * 42 / 100, base: base)
        dome(light, x: widthPx * 44 / 100, radius: unit * 3, base: base)
    }

    private mutating func house(_ light: Light, x: Int, width: Int, top: Int, base: Int) {
        let shade = 200 + below(56)
        rectangle(x: x, y: top, width: width, height: base - top, color: Self.mixed(0, light.wall, shade))
        gable(from: x - width / 10, to: x + width + width / 10, base: top, height: width / 2, light.roof, shade: shade)
        let pane = max(2, width / 8)
        for row in stride(from: top + pane * 2, to: base - pane * 3, by: pane * 4) {
            for column in 0..<3 {
                let glow = below(3) == 0 ? Color(rgb: light.sun) : Self.mixed(0, light.wall, 110)
                rectangle(x: x + pane + column * pane * 5 / 2, y: row, width: pane, height: pane * 2, color: glow)
            }
        }
    }

    private mutating func tower(_ light: Light, x: Int, width: Int, top: Int, base: Int) {
        rectangle(x: x, y: top, width: width, height: base - top, color: Self.mixed(0, light.wall, 225))
        rectangle(
            x: x - width / 6, y: top, width: width * 4 / 3, height: width / 2, color: Self.mixed(0, light.wall, 190))
        gable(from: x, to: x + width, base: top, height: width, light.roof, shade: 256)
    }

    private mutating func dome(_ light: Light, x: Int, radius: Int, base: Int) {
        let drum = base - radius * 3
        disc(x: x, y: drum, radius: radius, color: Self.mixed(0, light.roof, 235))
        rectangle(x: x - radius, y: drum, width: radius * 2, height: base - drum, color: Self.mixed(0, light.wall, 240))
        rectangle(
            x: x - radius / 6, y: drum - radius * 3 / 2, width: radius / 3, height: radius * 2 / 3,
            color: Self.mixed(0, light.wall, 250))
    }

    private mutating func paintWater(_ light: Light, from top: Int) {
        rectangle(x: 0, y: top, width: widthPx, height: heightPx - top, color: Color(rgb: light.water))
        for _ in 0..<420 {
            let y = top + below(heightPx - top)
            let length = widthPx / 40 + below(widthPx / 14)
            let nearness = 1 + 3 * (y - top) / max(1, heightPx - top)
            let x = below(widthPx)
            add(x, y)
            add(x + length, y)
            list.stroke(
                path, StrokeStyle(width: Int32(nearness * 256), cap: .round),
                color: Self.mixed(light.water, light.skyBottom, 60 + below(120), alpha: 60))
            path.removeAll()
        }
    }

    private mutating func paintBridge(_ light: Light, y: Int) {
        let span = widthPx / 5
        let stone = Self.mixed(0, light.wall, 215)
        add(0, y)
        add(widthPx, y)
        add(widthPx, y + heightPx / 9)
        add(0, y + heightPx / 9)
        path.endPart(closed: true)
        for arch in 0..<5 {
            let centre = span * arch + span / 2
            for step in 0...24 {
                let (dx, dy) = Self.onCircle(step: step, of: 48)
                add(centre + dx * span * 2 / 5 / 1024, y + heightPx / 9 - dy * heightPx / 13 / 1024)
            }
            path.endPart(closed: true)
        }
        fill(.evenOdd, stone)
        rectangle(
            x: 0, y: y - heightPx / 120, width: widthPx, height: heightPx / 60, color: Self.mixed(0, light.wall, 245))
    }

    // MARK: Shapes

    mutating func rectangle(x: Int, y: Int, width: Int, height: Int, color: Color) {
        add(x, y)
        add(x + width, y)
        add(x + width, y + height)
        add(x, y + height)
        fill(.nonZero, color)
    }

    mutating func disc(x: Int, y: Int, radius: Int, color: Color) {
        for step in 0..<96 {
            let (dx, dy) = Self.onCircle(step: step, of: 96)
            path.add(
                FixedPoint(
                    x: Int32(clamping: (x * 1024 + dx * radius) / 4), y: Int32(clamping: (y * 1024 + dy * radius) / 4)))
        }
        fill(.nonZero, color)
    }

    /// Its tip is above the middle.
    private mutating func gable(from left: Int, to right: Int, base: Int, height: Int, _ rgb: UInt32, shade: Int) {
        add(left, base)
        add(right, base)
        add(left + (right - left) / 2, base - height)
        fill(.nonZero, Self.mixed(0, rgb, shade))
    }

    /// Fills what was added since the last time.
    private mutating func fill(_ rule: FillRule, _ color: Color) {
        list.fill(path, rule, .color(color))
        path.removeAll()
    }

    private mutating func add(_ x: Int, _ y: Int) {
        path.add(FixedPoint(x: Int32(clamping: x * 256), y: Int32(clamping: y * 256)))
    }

    /// A point of the unit circle scaled by 1024, by Bhaskara's rational sine.
    private static func onCircle(step: Int, of count: Int) -> (dx: Int, dy: Int) {
        func sine(_ degrees: Int) -> Int {
            let turn = (degrees % 360 + 360) % 360
            let half = turn % 180
            let product = half * (180 - half)
            let value = 4 * product * 1024 / (40500 - product)
            return turn < 180 ? value : -value
        }
        let degrees = 360 * step / count
        return (sine(degrees + 90), sine(degrees))
    }

    /// `share`/256 of the way.
    private static func mixed(_ from: UInt32, _ to: UInt32, _ share: Int, alpha: UInt8 = 255) -> Color {
        func channel(_ shift: UInt32) -> UInt8 {
            let (a, b) = (Int((from >> shift) & 255), Int((to >> shift) & 255))
            return UInt8(clamping: a + (b - a) * share / 256)
        }
        return Color(red: channel(16), green: channel(8), blue: channel(0), alpha: alpha)
    }

    /// From 0 up to `bound` (xorshift64*).
    private mutating func below(_ bound: Int) -> Int {
        random ^= random >> 12
        random ^= random << 25
        random ^= random >> 27
        return Int((random &* 0x2545_f491_4f6c_dd1d) >> 33) % max(1, bound)
    }
}
