import Bytes
import Testing

/// A HEIF file, box by box (ISO/IEC 14496-12 §8.11, ISO/IEC 23008-12). All images have the pixels of one AVIF file, whatever
/// they say of their sizes.
struct WrittenHEIF {
    struct Item {
        let type: String
        /// Indices of `properties`, from 1.
        var properties: [Int]
        var content: [UInt8]
    }

    /// Numbered from 1; the first is the primary one.
    private(set) var items: [Item] = []
    private(set) var references: [UInt8] = []
    private(set) var properties: [[UInt8]]
    private let pixels: [UInt8]
    /// Whether the data of items lie in the box `idat`.
    var isInner = false

    init(_ avif: SharedBytes) throws {
        let file = avif.array
        let start = try #require(file.firstRange(of: Array("av1C".utf8))).lowerBound - 4
        let length = file[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
        properties = [Array(file[start..<(start + length)])]
        // One image is all of the data.
        let data = try #require(file.firstRange(of: Array("mdat".utf8))).upperBound
        pixels = Array(file[data...])
    }

    /// Returns the number of the property.
    mutating func add(property: [UInt8]) -> Int {
        properties.append(property)
        return properties.count
    }

    mutating func size(_ widthPx: Int, _ heightPx: Int) -> Int {
        add(property: Self.box("ispe", big(0, 4) + big(widthPx, 4) + big(heightPx, 4)))
    }

    /// Adds an item that is not coded and returns its number.
    mutating func add(_ type: String, _ properties: [Int] = [], content: [UInt8] = []) -> Int {
        items.append(Item(type: type, properties: properties, content: content))
        return items.count
    }

    /// Adds an AV1 image that says it has this size.
    mutating func image(_ widthPx: Int, _ heightPx: Int, _ more: [Int] = []) -> Int {
        let size = self.size(widthPx, heightPx)
        return add("av01", [size, 1] + more, content: pixels)
    }

    /// Adds an AV1 image of this content that says it has 64 × 64 pixels.
    mutating func image(coded content: [UInt8], _ more: [Int] = []) -> Int {
        let size = self.size(64, 64)
        return add("av01", [size, 1] + more, content: content)
    }

    /// §6.6.2.3.
    mutating func grid(_ columns: Int, _ rows: Int, widthPx: Int, heightPx: Int) -> Int {
        let size = self.size(widthPx, heightPx)
        var content: [UInt8] = [0, 0, UInt8(rows - 1), UInt8(columns - 1)]
        content += big(widthPx, 2) + big(heightPx, 2)
        return add("grid", [size], content: content)
    }

    mutating func refer(_ type: String, from item: Int, to others: [Int]) {
        references += Self.box(type, big(item, 2) + big(others.count, 2) + others.flatMap { big($0, 2) })
    }

    /// Adds these bytes to the references as they are.
    mutating func refer(_ bytes: [UInt8]) { references += bytes }

    var bytes: [UInt8] {
        let head = Self.box("ftyp", Array("avif".utf8) + big(0, 4) + Array("avifmif1miaf".utf8))
        // Places in the file are known when its boxes are.
        let start = head.count + meta(from: 0).count + 8
        if isInner { return head + meta(from: 0) }
        return head + meta(from: start) + Self.box("mdat", items.flatMap(\.content))
    }

    /// `start` is where the data of items begin, in the file or in `idat`.
    private func meta(from start: Int) -> [UInt8] {
        var (infos, places, uses): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
        var offset = start
        for (index, item) in items.enumerated() {
            let number = big(index + 1, 2)
            // Version 2; all but the first are hidden, as tiles are. A name of no letters ends it.
            var info: [UInt8] = [2, 0, 0, index == 0 ? 0 : 1]
            info += number + big(0, 2)
            info += Array(item.type.utf8) + [0]
            infos += Self.box("infe", info)
            // In this file, one piece.
            places += number + big(isInner ? 1 : 0, isInner ? 2 : 0)
            places += big(0, 2) + big(1, 2)
            places += big(offset, 4) + big(item.content.count, 4)
            offset += item.content.count
            uses += number + [UInt8(item.properties.count)]
            uses += item.properties.map { UInt8($0) }
        }
        let count = big(items.count, 2)
        var boxes = Self.box("hdlr", big(0, 8) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
        boxes += Self.box("pitm", big(0, 4) + big(1, 2))
        // Offsets and lengths of four bytes.
        boxes += Self.box("iloc", big(isInner ? 1 << 24 : 0, 4) + big(0x4400, 2) + count + places)
        if isInner { boxes += Self.box("idat", items.flatMap(\.content)) }
        boxes += Self.box("iinf", big(0, 4) + count + infos)
        let container = Self.box("ipco", properties.flatMap { $0 })
        boxes += Self.box("iprp", container + Self.box("ipma", big(0, 4) + big(items.count, 4) + uses))
        if !references.isEmpty { boxes += Self.box("iref", big(0, 4) + references) }
        return Self.box("meta", big(0, 4) + boxes)
    }

    static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count + 8, 4) + Array(type.utf8) + content
    }
}
