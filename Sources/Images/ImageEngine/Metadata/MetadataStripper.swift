import Bytes
import ImagePlan

/// Removes metadata, thumbnails and trailing data from encoded pictures; everything else is copied byte for byte.
enum MetadataStripper {
    /// Nil for a malformed structure and for formats that cannot be split here (TIFF, JPEG XL, an AVIF with metadata).
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

/// The remains of a file: ranges of it in order, and bytes that replace others.
struct KeptParts: Equatable {
    private(set) var runs: [Range<Int>] = []
    /// By offset in the source.
    private(set) var replacements: [Int: UInt8] = [:]

    var byteCount: Int { runs.reduce(0) { $0 + $1.count } }

    mutating func keep(_ run: Range<Int>) {
        if let last = runs.last, last.upperBound == run.lowerBound {
            runs[runs.count - 1] = last.lowerBound..<run.upperBound
        } else {
            runs.append(run)
        }
    }

    mutating func replace(at offset: Int, by data: [UInt8]) {
        for (index, value) in data.enumerated() { replacements[offset + index] = value }
    }

    /// Whether these are all bytes of a file of `count` bytes, unchanged.
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
