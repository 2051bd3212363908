/// What little of EXIF is read and written here (CIPA DC-008 §4.6): a TIFF file of tags. Every offset is a stranger's.
struct EXIFBlock {
    private var octets: [UInt8]
    private let isBigEndian: Bool

    private static let orientation = 0x0112
    private static let artist = 0x013b
    private static let copyright = 0x8298

    /// `octets` may begin with the name that JPEG puts before the TIFF file. nil where there is no such file.
    init?(_ octets: [UInt8]) {
        let name = Array("Exif\0\0".utf8)
        let file = octets.starts(with: name) ? Array(octets.dropFirst(name.count)) : octets
        guard file.count >= 14, file.count < 1 << 24 else { return nil }
        switch Array(file[0..<4]) {
        case [0x4d, 0x4d, 0, 42]: isBigEndian = true
        case [0x49, 0x49, 42, 0]: isBigEndian = false
        default: return nil
        }
        self.octets = file
    }

    /// All of it, for a picture that stands upright: orientation 1, and without the small picture inside, which would show
    /// what this one may not.
    func upright() -> [UInt8] {
        var copy = self
        for entry in entries where number(entry, 2) == Self.orientation { copy.set(entry + 8, 1) }
        let next = firstDirectory + 2 + entries.count * 12
        if let thumbnail = number(next, 4), thumbnail > 0 {
            copy.clear(next)
            copy.cut(from: thumbnail, keeping: next + 4)
        }
        return copy.octets
    }

    /// Artist and copyright and nothing else; nil where there is neither.
    func credits() -> [UInt8]? {
        let texts = [Self.artist, Self.copyright].compactMap { tag in
            text(tag).map { (tag: tag, octets: Array($0.prefix(1000)) + [0]) }
        }
        guard !texts.isEmpty else { return nil }
        func big(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        var file: [UInt8] = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8] + big(texts.count, 2)
        var values: [UInt8] = []
        let start = file.count + texts.count * 12 + 4
        for (tag, octets) in texts {
            file += big(tag, 2) + big(2, 2) + big(octets.count, 4)
            guard octets.count > 4 else {
                file += octets + [UInt8](repeating: 0, count: 4 - octets.count)
                continue
            }
            file += big(start + values.count, 4)
            values += octets + [UInt8](repeating: 0, count: octets.count % 2)
        }
        return file + [0, 0, 0, 0] + values
    }

    private var firstDirectory: Int { number(4, 4) ?? 0 }

    /// Where the entries of the first directory begin; all inside the file.
    private var entries: [Int] {
        let start = firstDirectory
        let count = min(number(start, 2) ?? 0, 1000)
        return (0..<count).map { start + 2 + $0 * 12 }.prefix { $0 + 12 <= octets.count }
    }

    /// The octets of a text (type 2) before the zero that ends it; nil where there are none.
    private func text(_ tag: Int) -> ArraySlice<UInt8>? {
        guard let entry = entries.first(where: { number($0, 2) == tag }), number(entry + 2, 2) == 2,
            let count = number(entry + 4, 4), count > 0
        else { return nil }
        guard let start = count <= 4 ? entry + 8 : number(entry + 8, 4), start <= octets.count,
            count <= octets.count - start
        else { return nil }
        let text = octets[start..<(start + count)].prefix { $0 != 0 }
        return text.contains { $0 > 0x20 } ? text : nil
    }

    private func number(_ offset: Int, _ count: Int) -> Int? {
        guard offset >= 0, offset <= octets.count - count else { return nil }
        let run = octets[offset..<(offset + count)]
        return (isBigEndian ? Array(run) : run.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Writes a number of two octets at `offset`, inside the file.
    private mutating func set(_ offset: Int, _ value: UInt8) {
        octets[offset] = isBigEndian ? 0 : value
        octets[offset + 1] = isBigEndian ? value : 0
    }

    private mutating func clear(_ offset: Int) {
        for place in offset..<(offset + 4) { octets[place] = 0 }
    }

    /// Drops the end of the file from the directory of the small picture on, where everything else stands before it: else
    /// its octets are wiped as far as its tags name them.
    private mutating func cut(from directory: Int, keeping kept: Int) {
        let count = min(number(directory, 2) ?? 0, 1000)
        var place: (start: Int?, count: Int?)
        for entry in (0..<count).map({ directory + 2 + $0 * 12 }) {
            switch number(entry, 2) {
            case 0x0201: place.start = number(entry + 8, 4)
            case 0x0202: place.count = number(entry + 8, 4)
            default: continue
            }
        }
        guard let start = place.start, let count = place.count, start >= kept, start <= octets.count,
            count <= octets.count - start
        else { return }
        if start + count == octets.count {
            octets.removeLast(count)
        } else {
            for index in start..<(start + count) { octets[index] = 0 }
        }
    }
}
