import Bytes
import ImagePlan
import Testing

@testable import ImageEngine

/// Reads EXIF without a line of what is tested: first directory, exposure, place and interoperability, all in one.
struct IndependentTIFF {
    private(set) var tags: Set<Int> = []
    private(set) var texts: [Int: String] = [:]
    private(set) var numbers: [Int: Int] = [:]
    private(set) var ratios: [Int: [Int]] = [:]
    private(set) var interoperability: String?
    private let file: [UInt8]

    init?(exif content: SharedBytes, _ format: OutputFormat) {
        let bytes = content.array
        let mark: String
        switch format {
        case .jpeg, .avif: mark = "Exif\0\0"
        case .png: mark = "eXIf"
        case .webp: mark = "EXIF"
        case .jxl: mark = "Exif\0\0\0\0"
        case .tiff, .gif: mark = ""
        }
        let name = Array(mark.utf8)
        // The last: boxes of AVIF name the item before.
        let start = stride(from: bytes.count - name.count, through: 0, by: -1).first {
            bytes[$0...].prefix(name.count).elementsEqual(name)
        }
        guard let start else { return nil }
        let length = format == .webp ? 4 : 0
        file = mark.isEmpty ? bytes : Array(bytes[(start + name.count + length)...])
        guard file.count > 8, file[0] == file[1], file[0] == 0x4d || file[0] == 0x49 else { return nil }
        read(number(4, 4))
    }

    private func number(_ offset: Int, _ count: Int) -> Int {
        let run = Array(file[offset..<(offset + count)])
        return (file[0] == 0x4d ? run : run.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func read(_ start: Int, isLast: Bool = false) {
        var last = 0
        for entry in 0..<number(start, 2) {
            let place = start + 2 + entry * 12
            let (tag, type, count) = (number(place, 2), number(place + 2, 2), number(place + 4, 4))
            if !isLast {
                #expect(tag > last, "in order")
                tags.insert(tag)
            }
            last = tag
            switch (tag, type) {
            case (0x8769, _), (0x8825, _): read(number(place + 8, 4))
            case (0xa005, _): read(number(place + 8, 4), isLast: true)
            case (_, 2), (0x927c, 7):
                let start = count > 4 ? number(place + 8, 4) : place + 8
                let text = String(decoding: file[start..<(start + count)].prefix { $0 != 0 }, as: UTF8.self)
                if isLast { interoperability = text } else { texts[tag] = text }
            case (_, 3): numbers[tag] = number(place + 8, 2)
            case (_, 4): numbers[tag] = number(place + 8, 4)
            case (_, 5): ratios[tag] = (0..<(2 * count)).map { number(number(place + 8, 4) + $0 * 4, 4) }
            default: break
            }
        }
    }
}
