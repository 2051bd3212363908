import Bytes
import CVips
import ImagePlan

/// A prepared reduction of an original: what its header said, and JPEGs of it in falling sizes, stored as the original is
/// (not turned), in its colors. Images of at most half its size are made from it.
///
/// Bytes: `VMASTER1`; then, each as 32 bits with the lowest byte first: columns, rows and EXIF orientation of the
/// original, the index of its format, the number of levels; per level columns, rows, bytes; then the bytes of the levels.
struct Master {
    struct Level {
        let size: PixelSize
        let bytes: SharedBytes
    }

    let header: ImageHeader
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

    init(header: ImageHeader, levels: [Level]) {
        self.header = header
        self.levels = levels
    }

    /// Whether an image like this is worth a master: large, of one frame, 8 bits, grey or RGB, without alpha.
    static func isWorthwhile(_ header: ImageHeader, model: cvips_model) -> Bool {
        (model == CVIPS_RGB || model == CVIPS_GREY)
            && max(header.widthPx, header.heightPx) * 4 >= (sidesPx.first ?? 0) * 5 && header.pageCount == 1
            && header.bitDepth == 8 && !header.hasAlpha && !header.isFlat && formats.contains(header.format)
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

    /// The header of the original with the colors of the largest level, nothing decoded.
    func opened() throws(ImageError) -> Source {
        guard let first = levels.first else { throw .corrupt(log: "no master") }
        return Source(header: header, image: try Source.load(first.bytes, .jpeg))
    }

    /// Samples of `level` per pixel of the original.
    func scale(_ level: Level) -> GridScale { GridScale(of: level.size, per: header.size) }

    func encoded() -> SharedBytes {
        var numbers = [header.widthPx, header.heightPx, header.orientation]
        numbers += [Self.formats.firstIndex(of: header.format) ?? 0, levels.count]
        numbers += levels.flatMap { [$0.size.widthPx, $0.size.heightPx, $0.bytes.count] }
        var data = Self.magic + numbers.flatMap { littleEndian(Int(UInt32(clamping: $0)), 4) }
        for level in levels { unsafe level.bytes.withUnsafeBytes { unsafe data.append(contentsOf: $0) } }
        return SharedBytes(data)
    }

    /// Reads what `encoded` wrote. Throws `corrupt`.
    init(_ bytes: SharedBytes) throws(ImageError) {
        let span = bytes.span
        var offset = Self.magic.count
        func next() throws(ImageError) -> Int {
            guard let number = span.little(offset, 4) else { throw .corrupt(log: "the master ends early") }
            offset += 4
            return number
        }
        guard span.has(Self.magic) else { throw .corrupt(log: "no master") }
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
            levels.append(Level(size: size, bytes: bytes.slice(offset..<(offset + byteCount))))
            offset += byteCount
        }
        header = ImageHeader(
            format: Self.formats[format], widthPx: width, heightPx: height, orientation: orientation)
        self.levels = levels
    }
}

/// What an image is made from.
struct UsedSources {
    /// With one of the levels in the place of the original, where a master is used.
    let sources: RenderSources
    /// Samples of it per pixel of the original.
    let scale: GridScale
    /// The header of the level; nil where it is the original.
    let header: ImageHeader?
}

extension RenderSources {
    /// What `plan` is carried out on. Throws `needsOriginal` where there is a master and it does not do.
    func used(for plan: ImagePlan, by master: Master?) throws(ImageError) -> UsedSources {
        guard let master else { return UsedSources(sources: self, scale: .one, header: nil) }
        guard let level = master.level(for: plan) else { throw .needsOriginal }
        var sources = self
        sources.picture = level.bytes
        let header = ImageHeader(format: .jpeg, widthPx: level.size.widthPx, heightPx: level.size.heightPx)
        return UsedSources(sources: sources, scale: master.scale(level), header: header)
    }
}
