import Bytes
import CVips
import ImagePlan

/// A prepared reduction of an original: what its header said, and JPEG pictures of it in falling sizes, stored as the
/// original is (not turned), in its colors. Pictures of at most half its size are made from it.
///
/// Bytes: `VMASTER1`; then, each as 32 bits with the lowest byte first: columns, rows and EXIF orientation of the
/// original, the index of its format, the number of levels; per level columns, rows, bytes; then the bytes of the levels.
struct Master {
    /// One picture of the pyramid.
    struct Level {
        let size: PixelSize
        let bytes: SharedBytes
    }

    /// What the header of the original said.
    let traits: SourceTraits
    /// From the largest to the smallest.
    let levels: [Level]

    /// The longer sides of the levels.
    static let sidesPx = [2048, 1024, 512]
    /// Samples of the first level that there are at least for one of the result; sides are whole numbers, so a little less
    /// than 2.
    private static let firstHeadroom = 1.99
    /// The same of the levels below, which have been resampled with care.
    private static let lowerHeadroom = 1.5
    private static let magic = Array("VMASTER1".utf8)
    private static let formats: [SourceFormat] = [.jpeg, .png, .webp, .avif, .heic, .tiff]

    init(traits: SourceTraits, levels: [Level]) {
        self.traits = traits
        self.levels = levels
    }

    /// Whether a picture like this is worth a master: large, of one frame, 8 bits, without alpha.
    static func isWorthwhile(_ traits: SourceTraits) -> Bool {
        max(traits.widthPx, traits.heightPx) * 4 >= (sidesPx.first ?? 0) * 5 && traits.pageCount == 1
            && traits.bitDepth == 8 && !traits.hasAlpha && !traits.isFlat && formats.contains(traits.format)
    }

    /// The same of what a header said, with its colors: grey or RGB.
    static func isWorthwhile(_ traits: SourceTraits, model: cvips_model) -> Bool {
        isWorthwhile(traits) && (model == CVIPS_RGB || model == CVIPS_GREY)
    }

    /// The smallest level that `plan`, made for the original, can be carried out on; nil where it takes the original.
    func level(for plan: ImagePlan) -> Level? {
        let encoding = plan.encoding
        guard encoding.metadata == .none, encoding.profile != .keep, let first = levels.first,
            headroom(first, plan) >= Self.firstHeadroom
        else { return nil }
        return levels.last { headroom($0, plan) >= Self.lowerHeadroom }
    }

    private func headroom(_ level: Level, _ plan: ImagePlan) -> Double {
        let scale = scale(level)
        return plan.loadShrinkLimit * min(scale.across, scale.down)
    }

    /// The traits of the original with the colors of the largest level, nothing decoded.
    func opened() throws(ImageError) -> Source {
        guard let first = levels.first else { throw .corrupt(log: "no master") }
        return Source(traits: traits, image: try Source.load(first.bytes, .jpeg))
    }

    /// Samples of `level` per pixel of the original.
    func scale(_ level: Level) -> GridScale {
        GridScale(
            across: Double(level.size.widthPx) / Double(traits.widthPx),
            down: Double(level.size.heightPx) / Double(traits.heightPx))
    }

    /// The master as bytes.
    func encoded() -> SharedBytes {
        var data = Self.magic
        func append(_ number: Int) {
            unsafe withUnsafeBytes(of: UInt32(clamping: number).littleEndian) { unsafe data.append(contentsOf: $0) }
        }
        for number in [traits.widthPx, traits.heightPx, traits.orientation] { append(number) }
        append(Self.formats.firstIndex(of: traits.format) ?? 0)
        append(levels.count)
        for level in levels {
            for number in [level.size.widthPx, level.size.heightPx, level.bytes.count] { append(number) }
        }
        for level in levels { unsafe level.bytes.withUnsafeBytes { unsafe data.append(contentsOf: $0) } }
        return SharedBytes(data)
    }

    /// Reads what `encoded` wrote. Throws `corrupt`.
    init(_ bytes: SharedBytes) throws(ImageError) {
        let span = bytes.span
        var offset = Self.magic.count
        func next() throws(ImageError) -> Int {
            guard offset + 4 <= bytes.count else { throw .corrupt(log: "the master ends early") }
            defer { offset += 4 }
            return (0..<4).reduce(0) { $0 | Int(byte(span, offset + $1) ?? 0) << (8 * $1) }
        }
        guard Self.magic.indices.allSatisfy({ byte(span, $0) == Self.magic[$0] }) else {
            throw .corrupt(log: "no master")
        }
        let (width, height, orientation) = (try next(), try next(), try next())
        let (format, count) = (try next(), try next())
        guard width > 0, height > 0, Self.formats.indices.contains(format), 1...Self.sidesPx.count ~= count else {
            throw .corrupt(log: "no master")
        }
        var sizes: [(size: PixelSize, byteCount: Int)] = []
        for _ in 0..<count {
            let (across, down) = (try next(), try next())
            guard 1...width ~= across, 1...height ~= down else { throw .corrupt(log: "no master") }
            sizes.append((PixelSize(widthPx: across, heightPx: down), try next()))
        }
        var levels: [Level] = []
        for (size, byteCount) in sizes {
            guard byteCount <= bytes.count - offset else { throw .corrupt(log: "the master ends early") }
            levels.append(Level(size: size, bytes: bytes.part(offset..<(offset + byteCount))))
            offset += byteCount
        }
        traits = SourceTraits(
            format: Self.formats[format], widthPx: width, heightPx: height, orientation: orientation)
        self.levels = levels
    }
}

extension SharedBytes {
    /// Some of the bytes, not copied; they keep all of them alive. `range` must lie inside.
    fileprivate func part(_ range: Range<Int>) -> SharedBytes {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return unsafe withUnsafeBytes { buffer in
            unsafe SharedBytes(adopting: buffer.baseAddress.map { unsafe $0 + range.lowerBound }, count: range.count) {
                [self] _ in withExtendedLifetime(self) {}
            }
        }
    }
}
