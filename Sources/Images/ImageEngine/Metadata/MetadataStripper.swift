import Bytes
import ImagePlan

/// Takes metadata out of encoded pictures without touching the pixels: whole segments, chunks and extensions are left out, all
/// others are copied byte for byte. Comments, EXIF, XMP, IPTC, thumbnails and what stands behind the end are gone; what
/// decoders need stays.
enum MetadataStripper {
    /// `source` without metadata; `source` itself where there is none. The color profile stays if `keepsProfile`.
    ///
    /// nil where the structure is not sound to the end, or cannot be taken apart here (TIFF, JPEG XL, an AVIF with
    /// metadata). One pass over the structure and one copy.
    static func stripped(_ source: SharedBytes, _ format: SourceFormat, keepsProfile: Bool) -> SharedBytes? {
        let parts: KeptParts? =
            switch format {
            case .jpeg: jpeg(source.span, keepsProfile: keepsProfile)
            case .png: png(source.span, keepsProfile: keepsProfile)
            case .webp: webp(source.span, keepsProfile: keepsProfile)
            case .gif: gif(source.span)
            case .avif: avif(source.span)
            case .heic, .tiff, .jxl, .pdf, .svg, .bmp, .ico: nil
            }
        guard let parts else { return nil }
        return parts.isWhole(of: source.count) ? source : SharedBytes(parts.assembled(from: source.span))
    }
}

/// What is left of a file: runs of its bytes in their order, and bytes that take the place of others.
struct KeptParts: Equatable {
    private(set) var runs: [Range<Int>] = []
    /// By their offset in the source.
    private(set) var replacements: [Int: UInt8] = [:]

    /// Bytes that are kept.
    var byteCount: Int { runs.reduce(0) { $0 + $1.count } }

    /// Keeps a run behind the ones before it.
    mutating func keep(_ run: Range<Int>) {
        if let last = runs.last, last.upperBound == run.lowerBound {
            runs[runs.count - 1] = last.lowerBound..<run.upperBound
        } else {
            runs.append(run)
        }
    }

    /// Puts `bytes` in the place of those at `offset` of the source.
    mutating func replace(at offset: Int, by data: [UInt8]) {
        for (index, value) in data.enumerated() { replacements[offset + index] = value }
    }

    /// Whether that is all of a file of `count` bytes.
    func isWhole(of count: Int) -> Bool { runs == [0..<count] && replacements.isEmpty }

    func assembled(from source: RawSpan) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(byteCount)
        var moved: [(offset: Int, value: UInt8)] = []
        for run in runs where run.lowerBound >= 0 && run.upperBound <= source.byteCount {
            for (offset, value) in replacements where run.contains(offset) {
                moved.append((result.count + offset - run.lowerBound, value))
            }
            unsafe source.extracting(run).withUnsafeBytes { unsafe result.append(contentsOf: $0) }
        }
        for change in moved { result[change.offset] = change.value }
        return result
    }
}
