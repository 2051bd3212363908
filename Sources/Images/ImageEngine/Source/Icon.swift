import Bytes
import ImagePlan

/// The largest picture of a Windows icon; of several of one size the one with the most bits.
enum Icon {
    case bitmap(Bitmap)
    /// A PNG inside the file, whose bytes must outlive it.
    case png(SharedBytes)

    /// nil where the directory or what it names is not sound.
    init?(_ bytes: SharedBytes) {
        let span = bytes.span
        guard let count = span.little(4, 2), (1...256).contains(count) else { return nil }
        func side(_ entry: Int, _ place: Int) -> Int {
            let value = Int(span.byte(entry + place) ?? 0)
            return value == 0 ? 256 : value
        }
        func rank(_ entry: Int) -> Int { side(entry, 0) * side(entry, 1) * 64 + (span.little(entry + 6, 2) ?? 0) }
        let entries = (0..<count).map { 6 + $0 * 16 }.filter { $0 + 16 <= span.byteCount }
        guard let best = entries.max(by: { rank($0) < rank($1) }), let byteCount = span.little(best + 8, 4),
            let offset = span.little(best + 12, 4), offset >= 6, byteCount > 0, offset <= bytes.count,
            byteCount <= bytes.count - offset
        else { return nil }
        let part = bytes.slice(offset..<(offset + byteCount))
        if ImageEngine.sniff(part.span) == .png {
            self = .png(part)
        } else if let bitmap = Bitmap(icon: part) {
            self = .bitmap(bitmap)
        } else {
            return nil
        }
    }
}
