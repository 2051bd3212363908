package import Bytes
import CJPEG
import ImagePlan

extension ImageEngine {
    /// Makes a region copy of `source`; nil for what deserves none, and for unusual kinds of JPEG. Asks `context` for the price
    /// before it begins. Memory: 2 bytes for each sample, and the result three times for a moment.
    package static func makeRegionCopy(
        _ source: SharedBytes, in context: RenderContext
    ) throws(ImageError) -> SharedBytes? {
        defer { withExtendedLifetime(source) {} }
        guard sniff(source) == .jpeg else { return nil }
        let header = try Source(source, in: context).header
        guard RegionCopy.isWorthwhile(header, context.options), let kept = keptSegments(of: source) else { return nil }
        // Tables and frame come after them.
        guard kept.count + 2048 <= RegionCopy.headLimit else { return nil }
        try context.admit(PredictedCost.splitting(header, byteCount: source.count))
        guard let segments = try JPEGSegments(source, in: context) else { return nil }
        return segments.copy(header, after: kept)
    }

    /// The start of the file, with all that affects colors: JFIF, Adobe, and the ICC profile.
    private static func keptSegments(of source: SharedBytes) -> [UInt8]? {
        guard let segments = JPEGSegment.beforeScan(source.span) else { return nil }
        var kept: [UInt8] = [0xff, 0xd8]
        for segment in segments
        where segment.isApplication(0, "JFIF", in: source.span) || segment.isApplication(14, "Adobe", in: source.span)
            || segment.isApplication(2, "ICC_PROFILE", in: source.span)
        {
            kept += source.span.array(segment.range)
        }
        return kept
    }
}

/// What `cjpeg_split` made; frees its memory.
@safe private struct JPEGSegments: ~Copyable {
    private let segments: cjpeg_segments

    /// Nil for kinds that are not split.
    init?(_ source: SharedBytes, in context: RenderContext) throws(ImageError) {
        var made = unsafe cjpeg_segments()
        var log = JPEGLog()
        let status = try unsafe StopCallback(context).asking { asked throws(ImageError) in
            unsafe source.withUnsafeBytes { buffer -> cjpeg_status in
                let data = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
                return unsafe log.filled {
                    unsafe cjpeg_split(data, buffer.count, { unsafe StopCallback.ask($0) }, asked, &made, $0)
                }
            }
        }
        if status == CJPEG_UNUSUAL { return nil }
        guard status == CJPEG_DONE else { throw log.error(status) }
        unsafe segments = made
    }

    deinit {
        var made = unsafe segments
        unsafe cjpeg_segments_free(&made)
    }

    borrowing func copy(_ header: ImageHeader, after start: [UInt8]) -> SharedBytes? {
        let made = unsafe segments
        guard unsafe Int(made.width) == header.widthPx, unsafe Int(made.height) == header.heightPx,
            let head = unsafe made.head, let lengths = unsafe made.lengths
        else { return nil }
        let columns = unsafe Int(made.columns)
        let count = unsafe columns * Int(made.rows)
        return unsafe RegionCopy.encoded(
            header,
            segment: PixelSize(widthPx: Int(made.segment_width), heightPx: Int(made.segment_height)),
            head: start + Array(UnsafeBufferPointer(start: head, count: made.head_length)),
            sizeOffset: start.count + made.size_offset,
            lengths: Array(UnsafeBufferPointer(start: lengths, count: count)), columns: columns,
            data: UnsafeRawBufferPointer(start: made.data, count: made.length))
    }
}
