package import Bytes
import CJPEG
package import ImagePlan

/// A large JPEG, rewritten so that a region can be taken out of it without reading the rest: the same coefficients in
/// segments that need nothing before them (`cjpeg_split`). Selected segments are a JPEG with exactly the original's pixels.
///
/// Format: `VREGION1`; as 32-bit little-endian numbers columns, rows and EXIF orientation of the original, width and height
/// of a segment, bytes of the head, the place of the size in it, bytes of the segments; the head, from SOI to SOS; for each
/// row of segments the place of its first (32 bits); the lengths of all segments (16 bits); the segments.
package struct RegionCopy {
    /// Reads these bytes of the copy, all or nil.
    package typealias Read = (Range<Int>) -> SharedBytes?

    /// Beyond a region of full size: libjpeg smooths chroma that is stored at half with the samples beside it.
    private static let marginPx = 4
    static let headLimit = 64 << 10
    private static let magic = Array("VREGION1".utf8)
    private static let prefixByteCount = magic.count + 8 * 4
    private static let firstRead = 8 << 10
    /// Of libjpeg.
    private static let sideLimitPx = 65_500

    package let header: ImageHeader
    let segment: PixelSize
    let columns: Int
    private let rows: Int
    /// Of samples: 28 megapixels of a photograph at half of its size.
    var bandByteLimit = 20 << 20
    /// From SOI to SOS; the size begins at `sizeOffset`.
    let head: [UInt8]
    let sizeOffset: Int
    private let rowsOffset: Int
    private let lengthsOffset: Int
    private let data: Range<Int>
    private let read: Read

    /// Nil if these `byteCount` bytes are no such copy.
    package init?(byteCount: Int, read: @escaping Read) {
        guard let start = read(0..<min(byteCount, Self.firstRead)), start.span.has(Self.magic) else { return nil }
        let numbers = (0..<8).compactMap { start.span.little(Self.magic.count + 4 * $0, 4) }
        guard numbers.count == 8, numbers[0..<2].allSatisfy({ 1...Self.sideLimitPx ~= $0 }),
            numbers[3..<5].allSatisfy({ 8...Self.sideLimitPx ~= $0 }), numbers[5] <= Self.headLimit,
            numbers[6] + 4 <= numbers[5]
        else { return nil }
        let size = PixelSize(widthPx: numbers[0], heightPx: numbers[1])
        segment = PixelSize(widthPx: numbers[3], heightPx: numbers[4])
        columns = (size.widthPx + segment.widthPx - 1) / segment.widthPx
        rows = (size.heightPx + segment.heightPx - 1) / segment.heightPx
        sizeOffset = numbers[6]
        rowsOffset = Self.prefixByteCount + numbers[5]
        lengthsOffset = rowsOffset + 4 * rows
        let first = lengthsOffset + 2 * columns * rows
        guard first + numbers[7] == byteCount else { return nil }
        data = first..<byteCount
        let headRange = Self.prefixByteCount..<rowsOffset
        if headRange.upperBound <= start.count {
            head = start.span.array(headRange)
        } else {
            guard let found = read(headRange), found.count == headRange.count else { return nil }
            head = found.array
        }
        header = ImageHeader(format: .jpeg, widthPx: size.widthPx, heightPx: size.heightPx, orientation: numbers[2])
        self.read = read
    }

    /// What `render` takes in place of a master, if the image comes from at most half of the original; nil if it takes the
    /// original, or its master, or the copy is damaged.
    ///
    /// `kept` finds a band of samples, from which the part is made where that is possible, and else from segments.
    package func part(
        for request: ImageRequest, accepting: Acceptance, options: RenderOptions,
        kept: (PlaneBand) -> KeptBytes? = { _ in nil }
    ) -> SharedBytes? {
        guard
            case .plan(let plan)? = try? request.planning(for: header, accepting: accepting, limits: options.results),
            Self.suits(plan, options), Master.levelSize(for: plan, of: header) == nil,
            (try? options.limits.check(header.size, isDecodedWhole: false)) != nil
        else { return nil }
        let margin = margin(plan)
        let across = segments(
            plan.extract.x, plan.extract.widthPx, margin.widthPx, of: (header.widthPx, segment.widthPx))
        let down = segments(
            plan.extract.y, plan.extract.heightPx, margin.heightPx, of: (header.heightPx, segment.heightPx))
        guard 2 * across.count * down.count <= columns * rows else { return nil }
        return keptPart(for: plan, kept) ?? file(across, down)
    }

    /// Whether regions give exactly the pixels of the original for `plan`. Enlarging and linear light round places differently.
    package static func suits(_ plan: ImagePlan, _ options: RenderOptions) -> Bool {
        let encoding = plan.encoding
        // The start of such searches is looked for in the whole image.
        if case .auto? = encoding.quality { return false }
        return encoding.metadata == .none && encoding.byteLimit == nil && plan.pages == .one(0) && plan.omission == nil
            && plan.extract.size != plan.source
            && (plan.resized == plan.extract.size || plan.loadShrinkLimit > 1 && !options.usesLinearLight)
    }

    /// Planes that are resampled are read as they are stored, and no sample beyond the region has weight (`ResampleAxis`).
    private func margin(_ plan: ImagePlan) -> PixelSize {
        guard plan.resized == plan.extract.size else { return PixelSize(widthPx: 0, heightPx: 0) }
        // Unknown factors may be any.
        let planes = planes
        return PixelSize(
            widthPx: planes.isEmpty || planes.contains { $0.per_column < 1 } ? Self.marginPx : 0,
            heightPx: planes.isEmpty || planes.contains { $0.per_row < 1 } ? Self.marginPx : 0)
    }

    private func segments(
        _ start: Int, _ count: Int, _ margin: Int, of whole: (side: Int, step: Int)
    ) -> Range<Int> {
        let low = max(0, start - margin)
        let high = min(whole.side, start + count + margin)
        return (low / whole.step)..<((high + whole.step - 1) / whole.step)
    }

    /// Of these segments.
    func file(_ across: Range<Int>, _ down: Range<Int>) -> SharedBytes? {
        guard !across.isEmpty, !down.isEmpty,
            let starts = read((rowsOffset + 4 * down.lowerBound)..<(rowsOffset + 4 * down.upperBound)),
            let lengths = read(
                (lengthsOffset + 2 * columns * down.lowerBound)..<(lengthsOffset + 2 * columns * down.upperBound))
        else { return nil }
        let window = PixelRect(
            x: across.lowerBound * segment.widthPx, y: down.lowerBound * segment.heightPx,
            widthPx: min(header.widthPx, across.upperBound * segment.widthPx) - across.lowerBound * segment.widthPx,
            heightPx: min(header.heightPx, down.upperBound * segment.heightPx) - down.lowerBound * segment.heightPx)
        var bytes = RegionPart.start(header, window) + frame(of: window)
        var restart: UInt8 = 0
        // Rows of a sound copy do not overlap.
        var left = data.count
        for row in 0..<down.count {
            func length(_ column: Int) -> Int { lengths.span.little(2 * (row * columns + column), 2) ?? 0 }
            guard var place = starts.span.little(4 * row, 4) else { return nil }
            for column in 0..<across.lowerBound { place += length(column) }
            let count = across.reduce(0) { $0 + length($1) }
            guard place <= data.count, count <= data.count - place, count <= left,
                let found = read((data.lowerBound + place)..<(data.lowerBound + place + count)), found.count == count
            else { return nil }
            left -= count
            var offset = 0
            for column in across {
                if row > 0 || column > across.lowerBound {
                    bytes.append(0xff)
                    bytes.append(0xd0 + restart)
                    restart = (restart + 1) % 8
                }
                let end = offset + length(column)
                unsafe found.withUnsafeBytes { unsafe bytes.append(contentsOf: $0[offset..<end]) }
                offset = end
            }
        }
        bytes += [0xff, 0xd9]
        return SharedBytes(bytes)
    }

    /// The head of a JPEG of the size of `window`.
    func frame(of window: PixelRect) -> [UInt8] {
        var frame = head
        frame.replaceSubrange(
            sizeOffset..<(sizeOffset + 4), with: bigEndian(window.heightPx, 2) + bigEndian(window.widthPx, 2))
        return frame
    }
}

extension RegionCopy {
    /// Whether an original deserves one: a large JPEG without a gain map, which would have to be cut too.
    package static func isWorthwhile(_ header: ImageHeader, _ options: RenderOptions) -> Bool {
        let pixels = header.widthPx.multipliedReportingOverflow(by: header.heightPx)
        return header.format == .jpeg && header.gainMap == nil && header.pageCount == 1
            && (pixels.overflow || pixels.partialValue >= options.regionPixelCount)
    }

    /// The bytes of a copy; nil where it cannot be one. `segments` as the format says.
    static func encoded(
        _ header: ImageHeader, segment: PixelSize, head: [UInt8], sizeOffset: Int, lengths: [UInt16], columns: Int,
        data: UnsafeRawBufferPointer
    ) -> SharedBytes? {
        guard head.count <= headLimit, data.count <= Int(UInt32.max), columns > 0 else { return nil }
        let numbers = [
            header.widthPx, header.heightPx, header.orientation, segment.widthPx, segment.heightPx, head.count,
            sizeOffset, data.count,
        ]
        var bytes = magic + numbers.flatMap { littleEndian($0, 4) } + head
        bytes.reserveCapacity(bytes.count + 4 * (lengths.count / columns) + 2 * lengths.count + data.count)
        var place = 0
        for (index, length) in lengths.enumerated() {
            if index % columns == 0 { bytes += littleEndian(place, 4) }
            place += Int(length)
        }
        for length in lengths {
            bytes.append(UInt8(length & 0xff))
            bytes.append(UInt8(length >> 8))
        }
        unsafe bytes.append(contentsOf: data)
        return SharedBytes(bytes)
    }
}
