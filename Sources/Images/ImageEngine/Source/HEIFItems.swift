import Bytes
import ImagePlan

/// The items of a HEIF file, what they are made of, and their sizes, by the boxes (ISO/IEC 14496-12 §8.11, ISO/IEC
/// 23008-12 §6) and the headers of coded data. What decoders could read in two ways is refused. Takes time in proportion to the boxes, within limits.
struct HEIFItems {
    /// Items, and entries of their properties. A photograph of 100 megapixels in tiles of 512 × 512 pixels has some 400, with those
    /// of its depth and gain map some 600.
    static let itemLimit = 4096
    /// Items named by others.
    static let referenceLimit = 16_384
    private static let propertyLimit = 4096
    /// Item types that are read.
    static let readCodecs = ["hvc1", "av01"]
    /// Item types that are made of others, or are no images.
    private static let otherTypes = ["grid", "iden", "iovl", "tmap", "Exif", "mime", "uri "]
    /// Sides beyond this are longer than any decoder reads; so products and sums cannot overflow.
    private static let sideLimit = 1 << 20

    /// The type of each item, by its number.
    private(set) var types: [Int: String] = [:]
    /// What a derived image is made of, as often as it is named.
    private(set) var parts: [Int: [Int]] = [:]
    /// Pixels of each image as its property `ispe` tells, the most where several do.
    private(set) var pixelCounts: [Int: Int] = [:]
    /// The size that each image tells, one of them where several do.
    private(set) var sizes: [Int: PixelSize] = [:]
    /// The contents of the properties `av1C` and `hvcC` of each image.
    private(set) var av1Configurations: [Int: Range<Int>] = [:]
    private(set) var hevcConfigurations: [Int: Range<Int>] = [:]
    /// Pixels of each image that is larger than its property `ispe` tells, as its data say.
    private(set) var codedPixelCounts: [Int: Int] = [:]
    /// Images that may come out smaller than they are decoded.
    private(set) var cropped: Set<Int> = []
    /// The alpha channels of each image.
    private(set) var alphas: [Int: [Int]] = [:]

    private enum Property {
        case size(PixelSize)
        case av1(Range<Int>)
        case hevc(Range<Int>)
        case crop, alpha, other
    }

    init(_ file: RawSpan) throws(ImageError) {
        guard let meta = try HEIFBoxes.meta(file) else { return }
        let boxes = try HEIFBoxes.all(file, meta)
        if let list = try HEIFBoxes.only("iinf", of: boxes) { try readTypes(file, list) }
        var alphaItems: Set<Int> = []
        if let list = try HEIFBoxes.only("iprp", of: boxes) { alphaItems = try readProperties(file, list) }
        if let list = try HEIFBoxes.only("iref", of: boxes) { try readReferences(file, list, alphaItems) }
        codedPixelCounts = try largerPixelCounts(file, boxes)
    }

    /// Whether all images are in codecs that are not read, such as JPEG or none.
    var areOfOtherCodec: Bool {
        let codecs = types.values.filter { !Self.otherTypes.contains($0) }
        return !codecs.isEmpty && codecs.allSatisfy { !Self.readCodecs.contains($0) }
    }

    private mutating func readTypes(_ file: RawSpan, _ list: Range<Int>) throws(ImageError) {
        // Version and flags, and the number of entries.
        let start = list.lowerBound + (file.byte(list.lowerBound) == 0 ? 6 : 8)
        let range = min(start, list.upperBound)..<list.upperBound
        for box in try HEIFBoxes.all(file, range, limit: Self.itemLimit) where box.type == "infe" {
            let place = box.content.lowerBound
            // Items of versions 0 and 1 have no type, and are no images.
            guard let version = file.byte(place), version >= 2 else { continue }
            // Version and flags, the number of the item, that of its protection, the type.
            let width = version == 2 ? 2 : 4
            guard box.content.count >= width + 10, let item = file.big(place + 4, width),
                let type = file.fourCharacters(place + width + 6)
            else { throw .corrupt(log: "an item at byte \(place) breaks off") }
            guard types.updateValue(type, forKey: item) == nil else { throw .corrupt(log: "two items \(item)") }
        }
    }

    /// `dimg`, from a derived image to its parts, and `auxl`, from an alpha channel to its image.
    private mutating func readReferences(
        _ file: RawSpan, _ list: Range<Int>, _ alphaItems: Set<Int>
    ) throws(ImageError) {
        let width = file.byte(list.lowerBound) == 0 ? 2 : 4
        var count = 0
        for box in try HEIFBoxes.all(file, HEIFBoxes.afterVersion(list), limit: Self.referenceLimit) {
            let place = box.content.lowerBound
            // libheif goes by the number of references and not by the length of the box.
            guard box.type != "uuid", let item = file.big(place, width), let named = file.big(place + width, 2),
                box.content.count == width + 2 + named * width
            else { throw .corrupt(log: "references at byte \(place) of another length") }
            count += named
            guard count <= Self.referenceLimit else { throw .tooManyParts(limit: Self.referenceLimit) }
            let isAlpha = box.type == "auxl" && alphaItems.contains(item)
            guard isAlpha || box.type == "dimg" else { continue }
            for index in 0..<named {
                guard let other = file.big(place + width + 2 + index * width, width) else { continue }
                if isAlpha { alphas[other, default: []].append(item) } else { parts[item, default: []].append(other) }
            }
        }
    }

    /// Returns the items that say of themselves that they are alpha channels.
    private mutating func readProperties(_ file: RawSpan, _ list: Range<Int>) throws(ImageError) -> Set<Int> {
        let boxes = try HEIFBoxes.all(file, list)
        guard let container = try HEIFBoxes.only("ipco", of: boxes) else { return [] }
        var properties: [Property] = []
        for box in try HEIFBoxes.all(file, container, limit: Self.propertyLimit) {
            properties.append(Self.property(box, in: file))
        }
        var alphaItems: Set<Int> = []
        var entryCount = 0
        for box in boxes where box.type == "ipma" {
            let content = box.content
            guard content.count >= 8, let version = file.byte(content.lowerBound),
                let flags = file.byte(content.lowerBound + 3), let count = file.big(content.lowerBound + 4, 4)
            else { throw .corrupt(log: "a box ipma that breaks off") }
            entryCount += count
            guard entryCount <= Self.itemLimit else { throw .tooManyParts(limit: Self.itemLimit) }
            let (width, indexWidth) = (version == 0 ? 2 : 4, flags & 1 == 0 ? 1 : 2)
            var place = content.lowerBound + 8
            for _ in 0..<count {
                guard let item = file.big(place, width), let named = file.byte(place + width) else {
                    throw .corrupt(log: "a box ipma that breaks off")
                }
                place += width + 1
                guard place + Int(named) * indexWidth <= content.upperBound else {
                    throw .corrupt(log: "a box ipma that breaks off")
                }
                for _ in 0..<Int(named) {
                    // Numbered from 1; the highest bit says whether the property is essential.
                    let number = (file.big(place, indexWidth) ?? 0) & (indexWidth == 1 ? 0x7f : 0x7fff)
                    place += indexWidth
                    guard number > 0, number <= properties.count else { continue }
                    switch properties[number - 1] {
                    case .size(let size): note(size, of: item)
                    case .av1(let content): try Self.note(content, of: item, in: &av1Configurations)
                    case .hevc(let content): try Self.note(content, of: item, in: &hevcConfigurations)
                    case .crop: cropped.insert(item)
                    case .alpha: alphaItems.insert(item)
                    case .other: break
                    }
                }
            }
        }
        return alphaItems
    }

    private mutating func note(_ size: PixelSize, of item: Int) {
        let pixelCount = size.widthPx * size.heightPx
        let other = pixelCounts[item] ?? pixelCount
        if other != pixelCount { cropped.insert(item) }
        pixelCounts[item] = max(other, pixelCount)
        sizes[item] = size
    }

    /// Decoders differ in which of several they take.
    private static func note(
        _ content: Range<Int>, of item: Int, in configurations: inout [Int: Range<Int>]
    ) throws(ImageError) {
        let other = configurations.updateValue(content, forKey: item)
        guard other == nil || other == content else { throw .corrupt(log: "item \(item) is coded in two ways") }
    }

    private static func property(_ box: MediaBox, in file: RawSpan) -> Property {
        switch box.type {
        case "ispe":
            guard let size = HEIFBoxes.size(of: box, in: file) else { return .other }
            return .size(
                PixelSize(widthPx: min(size.widthPx, sideLimit), heightPx: min(size.heightPx, sideLimit)))
        case "av1C": return .av1(box.content)
        case "hvcC": return .hevc(box.content)
        case "clap": return .crop
        // Version and flags, and a text that ends with 0.
        case "auxC": return isAlpha(file.array(HEIFBoxes.afterVersion(box.content))) ? .alpha : .other
        default: return .other
        }
    }

    /// §6.5.8, and for HEVC the names of ISO/IEC 23008-12 before its amendments.
    private static func isAlpha(_ content: [UInt8]) -> Bool {
        let name = content.prefix { $0 != 0 }
        return [
            "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:avc:2015:auxid:1",
        ].contains { name.elementsEqual($0.utf8) }
    }
}
