import Bytes
import CDeflate
import ImagePlan

#if canImport(Glibc)
    import Glibc
#endif

/// Finds how many drawing commands a PDF holds once they are unpacked: 200 kB may be 100 MB of them.
///
/// The file is not parsed: whatever stands between `stream` and its end and can be unpacked counts, but for pictures, whose
/// size their own decoders bound. What cannot be unpacked, such as what is encrypted, counts as it is.
enum DocumentSurvey {
    /// Bytes of commands that come to as much as one element of a drawing.
    private static let bytesPerElement = 40
    /// The most bytes before `stream` that are looked at for what it is.
    private static let dictionaryByteCount = 1024

    /// Reads `bytes`. Throws `tooComplex`, `outOfMemory`. O(unpacked bytes), which are bounded.
    static func traits(of bytes: SharedBytes) throws(ImageError) -> DrawingTraits {
        defer { withExtendedLifetime(bytes) {} }
        return try unsafe bytes.withUnsafeBytes { (file) throws(ImageError) in try unsafe traits(of: file) }
    }

    private static func traits(of file: UnsafeRawBufferPointer) throws(ImageError) -> DrawingTraits {
        guard let base = file.baseAddress else { return DrawingTraits(elementCount: 0) }
        let room = DrawingLimits.commandByteCount
        var scratch: UnsafeMutableRawPointer?
        defer { unsafe free(scratch) }
        var (largest, all, index) = (0, 0, 0)
        while let start = unsafe nextStream(file, from: index) {
            index = start + 6
            // The end of one has the word in it too.
            if start >= 3, unsafe memcmp(base + start - 3, "end", 3) == 0 { continue }
            let dictionary = unsafe UnsafeRawBufferPointer(
                rebasing: file[max(0, start - dictionaryByteCount)..<start])
            let kind = unsafe Kind(dictionary)
            guard kind != .other else { continue }
            if kind == .nested { throw .tooComplex(.expansion) }
            while index < file.count, unsafe file[index] == 13 || file[index] == 10 { index += 1 }
            if unsafe scratch == nil { unsafe scratch = malloc(room) }
            guard let scratch = unsafe scratch else { throw .outOfMemory }
            var count = 0
            switch unsafe cdeflate_unzlib(base + index, file.count - index, scratch, room, &count) {
            case CDEFLATE_NO_ROOM: throw .tooComplex(.commands(limit: room))
            case CDEFLATE_DONE: break
            default: count = 0
            }
            largest = max(largest, count)
            all += count
            guard all <= DrawingLimits.allCommandByteCount + 8 * file.count else {
                throw .tooComplex(.commands(limit: DrawingLimits.allCommandByteCount))
            }
        }
        var traits = DrawingTraits(elementCount: largest / bytesPerElement)
        traits.documentElementCount = all / bytesPerElement
        return traits
    }

    /// Where the next `stream` begins.
    private static func nextStream(_ file: UnsafeRawBufferPointer, from index: Int) -> Int? {
        guard let base = file.baseAddress else { return nil }
        var index = index
        while index + 6 <= file.count,
            let found = unsafe memchr(base + index, Int32(UInt8(ascii: "s")), file.count - index - 5)
        {
            let start = unsafe UnsafeRawPointer(found) - base
            if unsafe memcmp(found, "stream", 6) == 0 { return start }
            index = start + 1
        }
        return nil
    }

    private enum Kind {
        /// Packed once, and no picture.
        case packed
        /// Packed more than once.
        case nested
        case other

        init(_ before: UnsafeRawBufferPointer) {
            // The last dictionary, by the object that it belongs to.
            let text = unsafe String(decoding: before, as: UTF8.self)
            let own = text.range(ofLast: " obj").map { text[$0...] } ?? text[...]
            let count = own.split(separator: "/").count {
                $0.hasPrefix("FlateDecode") || $0.hasPrefix("Fl ") || $0.hasPrefix("Fl]")
            }
            if count > 1 || (count == 1 && own.contains("LZWDecode")) {
                self = .nested
            } else if count == 1, !own.contains("/Image") {
                self = .packed
            } else {
                self = .other
            }
        }
    }
}

extension String {
    /// Where the last `mark` begins.
    fileprivate func range(ofLast mark: String) -> Index? { ranges(of: mark).last?.lowerBound }
}
