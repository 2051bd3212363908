import Bytes
import Glibc
import ImagePlan

/// The gain map behind a JPEG: a JPEG of its own. Every place and length is untrusted: what is wrong means that there is none.
struct GainMapFile {
    /// May have other data behind.
    let bytes: SharedBytes
    let metadata: GainMapMetadata
    let header: GainMapHeader

    /// The map of the JPEG `file`, whose first picture ends at `end`.
    static func find(in file: SharedBytes, end: Int?, limits: ImageLimits) -> GainMapFile? {
        for place in places(in: file.span, end: end) {
            // The first place that says how it is applied counts: only that one is read to its end.
            if let head = Head(file.slice(place)) { return GainMapFile(head, limits: limits) }
        }
        return nil
    }

    static func find(in file: SharedBytes, limits: ImageLimits) -> GainMapFile? {
        find(in: file, end: JPEGScan(file.span, limit: limits.jpegScanCount).end, limits: limits)
    }

    static let placeLimit = 8

    /// The places to try, in order: each once, at most `placeLimit`.
    static func places(in file: RawSpan, end: Int?) -> [Range<Int>] {
        guard let segments = JPEGSegment.beforeScan(file) else { return [] }
        var places: [Range<Int>] = []
        var (isAnnounced, hasDirectory) = (false, false)
        for segment in segments {
            if segment.isApplication(2, MultiPicture.mark, in: file) {
                // A file has one directory of its pictures (CIPA DC-007); others are not read.
                if !hasDirectory { places = MultiPicture.places(in: file, content: segment.content) }
                (isAnnounced, hasDirectory) = (true, true)
            } else if segment.isApplication(2, GainMapMetadata.isoMark, in: file) {
                isAnnounced = true
            } else if segment.isApplication(1, GainMapMetadata.xmpMark, in: file) {
                isAnnounced = isAnnounced || file.extracting(segment.content).contains("GainMap")
            }
        }
        // Programs that rewrite a file may leave wrong places.
        if isAnnounced, let end, end < file.byteCount { places.append(end..<file.byteCount) }
        var found: Set<Range<Int>> = []
        return Array(places.filter { found.insert($0).inserted }.prefix(placeLimit))
    }

    /// Nil unless `bytes` begin with a JPEG that says how it is applied, and is within the limits.
    init?(_ bytes: SharedBytes, limits: ImageLimits) {
        guard let head = Head(bytes) else { return nil }
        self.init(head, limits: limits)
    }

    /// Nil unless the map is within the limits.
    private init?(_ head: Head, limits: ImageLimits) {
        let size = head.size
        let scan = JPEGScan(head.bytes.span, limit: limits.jpegScanCount)
        guard !scan.isOverfilled, scan.scanCount <= limits.scanLimit(pixelCount: size.widthPx * size.heightPx),
            (try? limits.check(size, isDecodedWhole: scan.isDecodedWhole)) != nil
        else { return nil }
        bytes = head.bytes
        metadata = head.metadata
        header = GainMapHeader(
            size: size, isColor: head.isColor, heldScanCount: scan.isDecodedWhole ? max(1, scan.scanCount) : 0)
    }
}

extension GainMapFile {
    /// What stands before the first scan of a map.
    private struct Head {
        let bytes: SharedBytes
        let metadata: GainMapMetadata
        let size: PixelSize
        let isColor: Bool

        /// Nil unless `bytes` begin with a JPEG that says how it is applied.
        init?(_ bytes: SharedBytes) {
            let span = bytes.span
            guard let segments = JPEGSegment.beforeScan(span), let metadata = GainMapMetadata(segments, in: span),
                let frame = segments.first(where: {
                    (0xc0...0xcf).contains($0.marker) && ![0xc4, 0xc8, 0xcc].contains($0.marker)
                })
            else { return nil }
            let start = frame.content.lowerBound
            guard span.byte(start) == 8, let height = span.big(start + 1, 2), let width = span.big(start + 3, 2),
                let planes = span.byte(start + 5), planes == 1 || planes == 3, width > 0, height > 0
            else { return nil }
            self.bytes = bytes
            self.metadata = metadata
            size = PixelSize(widthPx: width, heightPx: height)
            isColor = planes == 3 || metadata.isPerColor
        }
    }
}

extension RawSpan {
    fileprivate func contains(_ text: StaticString) -> Bool {
        unsafe withUnsafeBytes { buffer in
            let count = text.utf8CodeUnitCount
            guard let base = buffer.baseAddress else { return false }
            var offset = 0
            while offset + count <= buffer.count,
                let found = unsafe memchr(base + offset, Int32(text.utf8Start.pointee), buffer.count - offset)
            {
                offset = unsafe UnsafeRawPointer(found) - base
                guard offset + count <= buffer.count else { return false }
                if unsafe memcmp(base + offset, text.utf8Start, count) == 0 { return true }
                offset += 1
            }
            return false
        }
    }
}
