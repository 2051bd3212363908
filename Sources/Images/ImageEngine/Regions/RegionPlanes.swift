package import Bytes
import CJPEG
import ImagePlan

extension RegionCopy {
    /// Of a part: what a request wants is otherwise decoded from segments.
    private static let partByteLimit = 32 << 20
    /// In pixels: whatever the factors and the size, samples begin there.
    private static let gridPx = 32

    /// The planes at full size, by the frame header in `head` (ITU-T T.81 §B.2.2); empty if they are not as they should be.
    var planes: [cjpeg_plane] {
        let frame = head.dropFirst(sizeOffset + 4)
        guard let first = frame.first, first == 1 || first == 3, frame.count > 3 * Int(first) else { return [] }
        let count = Int(first)
        let factors = (0..<count).map { Int(frame[frame.startIndex + 2 + 3 * $0]) }
        let (across, down) = (factors.map { $0 >> 4 }, factors.map { $0 & 15 })
        guard (across + down).allSatisfy({ [1, 2, 4].contains($0) }), let widest = across.max(),
            let highest = down.max(), segment.heightPx == 8 * highest, segment.widthPx % (8 * widest) == 0
        else { return [] }
        return zip(across, down).map { across, down in
            cjpeg_plane(
                width: 0, height: 0, per_column: Double(across) / Double(widest),
                per_row: Double(down) / Double(highest), strip_rows: (8 * down).cInt
            ).reduced(to: 8, of: header.size)
        }
    }

    /// The sizes of what is kept, for luma of 1/2, 1/4 and 1/8, with as many samples of chroma if there are so many: tiles at 1/4,
    /// 1/8 and 1/16 want two for each pixel.
    private static func levels(of planes: [cjpeg_plane]) -> [[Int]] {
        [4, 2, 1].map { luma in
            [luma]
                + (1...2).map { index -> Int in
                    guard index < planes.count else { return 8 }
                    let share = min(planes[index].per_column, planes[index].per_row)
                    return Int(held: Double(luma) / share, in: 1...8)
                }
        }
    }

    /// In whole units. Each has at most `bandByteLimit` if a row of units has.
    private func rowBands(of planes: [cjpeg_plane], _ sizes: [Int]) -> [PlaneBand] {
        let unit = PixelSize(widthPx: header.widthPx, heightPx: segment.heightPx)
        let byteCount = zip(planes, sizes).reduce(0) { $0 + $1.0.reduced(to: $1.1, of: unit).sampleCount }
        var rowCount = segment.heightPx
        while rowCount < header.heightPx, 2 * rowCount / segment.heightPx * byteCount <= bandByteLimit { rowCount *= 2 }
        return stride(from: 0, to: header.heightPx, by: rowCount).map { top in
            PlaneBand(of: header.size, rows: top..<min(header.heightPx, top + rowCount), sizes: sizes, whole: planes)
        }
    }

    /// All that is to be kept; empty if nothing can be.
    package var bands: [PlaneBand] {
        let planes = planes
        return planes.isEmpty ? [] : Self.levels(of: planes).flatMap { rowBands(of: planes, $0) }
    }

    /// What `makeRegionPlanes` takes; nil if the copy is damaged.
    package func source(of band: PlaneBand) -> SharedBytes? {
        let last = (band.rows.upperBound + segment.heightPx - 1) / segment.heightPx
        return file(0..<columns, (band.rows.lowerBound / segment.heightPx)..<last)
    }

    /// A part of samples for `plan`; nil if it wants others than are kept, or bands are missing or damaged.
    func keptPart(for plan: ImagePlan, _ kept: (PlaneBand) -> KeptBytes?) -> SharedBytes? {
        let (planes, shrink) = (planes, Decoding.loadShrink(limit: plan.loadShrinkLimit))
        guard shrink > 1, !planes.isEmpty else { return nil }
        let sizes = (0..<3).map { index -> Int in
            guard index > 0, index < planes.count else { return index == 0 ? 8 / shrink : 8 }
            return Int(PlaneDecoding.chromaSize(planes[index], plan, .one))
        }
        let window = grown(plan.extract)
        let wanted = zip(planes, sizes).map { $0.reduced(to: $1, of: window.size) }
        let start = RegionPart.start(header, window, sizes: sizes, jpeg: frame(of: window) + [0xff, 0xd9])
        let count = start.count + wanted.reduce(0) { $0 + $1.sampleCount }
        guard count <= Self.partByteLimit else { return nil }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
        let part = unsafe SharedBytes(adopting: UnsafeRawPointer(memory), count: count) {
            unsafe UnsafeMutableRawPointer(mutating: $0).deallocate()
        }
        unsafe memory.copyMemory(from: start, byteCount: start.count)
        var (place, opened) = (start.count, [String: KeptBytes]())
        for (index, plane) in wanted.enumerated() {
            guard let level = Self.levels(of: planes).first(where: { $0[index] == sizes[index] }) else { return nil }
            let rect = PixelRect(
                x: plane.column(of: window.x), y: plane.row(of: window.y), widthPx: Int(plane.width),
                heightPx: Int(plane.height))
            for band in rowBands(of: planes, level) where band.rows.overlaps(window.y..<(window.y + window.heightPx)) {
                guard let entry = opened[band.name] ?? kept(band), opened[band.name] != nil || band.fits(entry) else {
                    return nil
                }
                opened[band.name] = entry
                guard unsafe band.copy(index, within: rect, of: entry, to: memory + place) else { return nil }
            }
            place += plane.sampleCount
        }
        return part
    }

    /// `extract` in whole units. No margin: samples beyond it have no weight.
    private func grown(_ extract: PixelRect) -> PixelRect {
        func range(_ start: Int, _ count: Int, _ side: Int) -> Range<Int> {
            let low = start / Self.gridPx * Self.gridPx
            return low..<min(side, (start + count + Self.gridPx - 1) / Self.gridPx * Self.gridPx)
        }
        let across = range(extract.x, extract.widthPx, header.widthPx)
        let down = range(extract.y, extract.heightPx, header.heightPx)
        return PixelRect(x: across.lowerBound, y: down.lowerBound, widthPx: across.count, heightPx: down.count)
    }
}
