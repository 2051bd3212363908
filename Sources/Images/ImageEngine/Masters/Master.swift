import Bytes
import CVips
import ImagePlan

/// A prepared reduction of an original: its header and JPEGs in falling sizes, not turned, in its colors, and its gain map.
///
/// Format: `VMASTER2`; then as 32-bit little-endian numbers columns, rows and EXIF orientation of the original, the
/// index of its format, the number of levels; per level columns, rows, bytes (0: left out, as nothing needs it); of the
/// gain map columns and rows in the original, 1 if it is one of colors, bytes; then the bytes of the levels and of the map.
struct Master {
    struct Level {
        let size: PixelSize
        var bytes: SharedBytes
    }

    let header: ImageHeader
    /// From the largest to the smallest.
    var levels: [Level]
    /// At the scale of the first level; nil where there is none, or it cannot be read.
    var gainMap: SharedBytes?

    static let sidesPx = [2048, 1024, 512]
    /// The least size of the first level relative to the result: 2, and a little less because sides are whole numbers.
    private static let firstHeadroom = 1.99
    /// The same for the lower levels, which are carefully resampled.
    private static let lowerHeadroom = 1.5
    private static let magic = Array("VMASTER2".utf8)
    private static let formats: [SourceFormat] = [.jpeg, .png, .webp, .avif, .heic, .tiff]

    /// Whether an image deserves a master: large, a single frame, 8 bits, grey or RGB, without alpha.
    static func isWorthwhile(_ header: ImageHeader, model: cvips_model) -> Bool {
        (model == CVIPS_RGB || model == CVIPS_GREY)
            && max(header.widthPx, header.heightPx) * 4 >= (sidesPx.first ?? 0) * 5 && header.pageCount == 1
            && header.bitDepth == 8 && !header.hasAlpha && !header.isFlat && formats.contains(header.format)
    }

    /// The size of the level that would be used for `plan`, decided by the header alone; nil if it needs the original.
    static func levelSize(for plan: ImagePlan, of header: ImageHeader) -> PixelSize? {
        guard isWorthwhile(header, model: CVIPS_RGB) else { return nil }
        let levels = sidesPx.map { Level(size: ImageEngine.masterSize(of: header, side: $0), bytes: SharedBytes([])) }
        return Master(header: header, levels: levels).level(for: plan)?.size
    }

    /// The smallest level that suffices for `plan`, made for the original; nil if it needs the original.
    func level(for plan: ImagePlan) -> Level? { place(for: plan).map { levels[$0] } }

    /// The place of that level.
    func place(for plan: ImagePlan) -> Int? {
        let encoding = plan.encoding
        guard encoding.metadata == .none, encoding.profile != .keep, let first = levels.first,
            headroom(first, plan) >= Self.firstHeadroom
        else { return nil }
        return levels.lastIndex { headroom($0, plan) >= Self.lowerHeadroom }
    }

    private func headroom(_ level: Level, _ plan: ImagePlan) -> Double {
        let scale = scale(level)
        return plan.loadShrinkLimit * min(scale.across, scale.down)
    }

    /// With the colors of the original, which all levels have.
    func opened() throws(ImageError) -> Source {
        guard let first = levels.first(where: { $0.bytes.count > 0 }) else { throw .corrupt(log: "no master") }
        return Source(header: header, image: try Source.load(first.bytes, .jpeg))
    }

    func scale(_ level: Level) -> GridScale { GridScale(of: level.size, per: header.size) }

    func encoded() -> SharedBytes {
        var numbers = [header.widthPx, header.heightPx, header.orientation]
        numbers += [Self.formats.firstIndex(of: header.format) ?? 0, levels.count]
        numbers += levels.flatMap { [$0.size.widthPx, $0.size.heightPx, $0.bytes.count] }
        let map = header.gainMap
        numbers += [map?.size.widthPx ?? 0, map?.size.heightPx ?? 0, map?.isColor == true ? 1 : 0, gainMap?.count ?? 0]
        var data = Self.magic + numbers.flatMap { littleEndian(Int(UInt32(clamping: $0)), 4) }
        for bytes in levels.map(\.bytes) + [gainMap].compactMap(\.self) {
            unsafe bytes.withUnsafeBytes { unsafe data.append(contentsOf: $0) }
        }
        return SharedBytes(data)
    }
}

extension Master {
    /// Bytes before those of the first level, at most.
    static let headByteCount = magic.count + 4 * (5 + 3 * sidesPx.count + 4)

    /// Reads the result of `encoded`. Throws `corrupt`.
    init(_ bytes: SharedBytes) throws(ImageError) {
        try self.init(head: bytes, byteCount: bytes.count) { bytes.slice($0) }
    }

    /// The same of `byteCount` bytes that begin with `head`: `part` has those of each level, and then those of the gain map.
    init(head: SharedBytes, byteCount: Int, part: (Range<Int>) -> SharedBytes) throws(ImageError) {
        let span = head.span
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
        let mapSize = PixelSize(widthPx: try next(), heightPx: try next())
        let (isColor, mapByteCount) = (try next() == 1, try next())
        func taken(_ count: Int) throws(ImageError) -> SharedBytes {
            guard count <= byteCount - offset else { throw .corrupt(log: "the master ends early") }
            defer { offset += count }
            return part(offset..<(offset + count))
        }
        var levels: [Level] = []
        for (size, count) in sizes { levels.append(Level(size: size, bytes: try taken(count))) }
        var header = ImageHeader(
            format: Self.formats[format], widthPx: width, heightPx: height, orientation: orientation)
        if mapSize.widthPx > 0, mapSize.heightPx > 0 { header.gainMap = GainMapHeader(size: mapSize, isColor: isColor) }
        self.header = header
        self.levels = levels
        gainMap = mapByteCount > 0 ? try taken(mapByteCount) : nil
    }
}

struct UsedSources {
    /// With a master's level in place of the original, if there is a master.
    let sources: RenderSources
    let scale: GridScale
    /// The header of the level; nil for the original.
    let header: ImageHeader?
    /// The part of the original that `sources` have of it; nil for the whole.
    var window: RegionWindow?

    /// Of what is decoded; nil for the original.
    var decodedHeader: ImageHeader? {
        header
            ?? window.map { ImageHeader(format: .jpeg, widthPx: $0.rect.widthPx, heightPx: $0.rect.heightPx) }
    }
}

extension RenderSources {
    func used(for plan: ImagePlan, by master: Master?) throws(ImageError) -> UsedSources {
        guard let master else { return UsedSources(sources: self, scale: .one, header: nil) }
        guard let level = master.level(for: plan), level.bytes.count > 0 else { throw .needsOriginal }
        var sources = self
        sources.picture = level.bytes
        let header = ImageHeader(format: .jpeg, widthPx: level.size.widthPx, heightPx: level.size.heightPx)
        return UsedSources(sources: sources, scale: master.scale(level), header: header)
    }
}
