@testable import ImageEngine

/// What `scripts/fuzz exif` runs: blocks of EXIF, summarised and rewritten.
enum ExifInput {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let summary = ExifReader.summary(of: bytes.span.bytes)
        if let summary { try check(summary) }
        try checkDirectory(bytes)
        try checkPages(bytes)
        guard let block = EXIFBlock(bytes) else { return }
        let upright = block.upright()
        try BrokenInvariant.require(upright.count <= bytes.count, "\(bytes.count) bytes became \(upright.count)")
        // Without its last bytes a file may be too short for one.
        let again = EXIFBlock(upright)?.upright() ?? upright
        try BrokenInvariant.require(again == upright, "once more changes \(upright)")
        guard let credits = block.credits() else { return }
        try BrokenInvariant.require(credits.count <= bytes.count + 2100, "\(credits.count) bytes of credits")
        try BrokenInvariant.require(EXIFBlock(credits)?.credits() == credits, "once more changes \(credits)")
        let left = ExifReader.summary(of: credits.span.bytes)
        try BrokenInvariant.require(left == nil, "credits tell more: \(String(describing: left))")
    }

    private static func check(_ summary: ExifSummary) throws(BrokenInvariant) {
        for text in [summary.cameraMaker, summary.cameraModel, summary.lensMaker, summary.lensModel, summary.takenAt] {
            guard let text else { continue }
            let isVisible = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) }
            // A byte that is not UTF-8 becomes one of three bytes.
            try BrokenInvariant.require(isVisible && text.utf8.count <= 3 * 128 && !text.isEmpty, "a text \(text)")
        }
        for number in [summary.exposureSeconds, summary.fNumber, summary.focalLengthMm] {
            guard let number else { continue }
            try BrokenInvariant.require(number > 0 && number.isFinite, "\(number)")
        }
    }

    /// What is read of a directory before libtiff sees it.
    private static func checkPages(_ bytes: [UInt8]) throws(BrokenInvariant) {
        guard let page = TIFFPage(page: 0, of: bytes.span.bytes) else { return }
        for reduction in TIFFReduction.all(in: bytes.span.bytes, page: 0) {
            let layout = page.layout(ofLevel: reduction.level)
            try BrokenInvariant.require(
                layout.unpackedByteCount >= 0 && layout.heldByteCount >= 0, "\(layout.unpackedByteCount) bytes")
        }
    }

    /// What is copied of a directory, is copied again from the copy.
    private static func checkDirectory(_ bytes: [UInt8]) throws(BrokenInvariant) {
        guard let reader = ExifReader(tiff: bytes.span.bytes), let start = reader.number(4) else { return }
        let directory = TIFFDirectory(describing: reader, at: start)
        let head: [UInt8] = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8]
        let file = head + directory.written(at: 8, isBigEndian: true)
        let again = TIFFDirectory(exif: file)
        try BrokenInvariant.require(
            head + again.written(at: 8, isBigEndian: true) == file, "a copy of \(file) is not the same")
    }
}
