import Bytes
import ImagePlan

/// Where the decoded part of an original lies in it, in whole units (MCU) of the JPEG.
struct RegionWindow {
    let rect: PixelRect
    /// Of the original.
    let size: PixelSize
    /// What stands for decoding it; nil where it is decoded.
    var planes: RegionPlanes?

    func covers(_ extract: PixelRect) -> Bool {
        extract.x >= rect.x && extract.y >= rect.y && extract.x + extract.widthPx <= rect.x + rect.widthPx
            && extract.y + extract.heightPx <= rect.y + rect.heightPx
    }
}

/// The samples of a part of an original, as the decoder shrinks them.
struct RegionPlanes {
    /// Of three planes: samples that are made of 8 along an axis.
    let sizes: [Int]
    /// Plane after plane, row by row.
    let samples: SharedBytes
}

/// A part of an original, taken from its region copy.
///
/// Format: `VPART001`; as 32-bit little-endian numbers columns, rows and EXIF orientation of the original, and x, y, width and
/// height of the part; a JPEG of the part. Or `VPART002`; the same numbers, three of `RegionPlanes.sizes`, and the bytes of the
/// JPEG, which ends with its head; then the samples.
struct RegionPart {
    /// Of the original.
    let header: ImageHeader
    let window: RegionWindow
    let jpeg: SharedBytes

    private static let magic = Array("VPART001".utf8)
    private static let magicOfPlanes = Array("VPART002".utf8)
    private static let sides = 1...65_500

    static func start(_ header: ImageHeader, _ window: PixelRect) -> [UInt8] {
        let numbers = [
            header.widthPx, header.heightPx, header.orientation, window.x, window.y, window.widthPx, window.heightPx,
        ]
        return magic + numbers.flatMap { littleEndian($0, 4) }
    }

    /// The same up to the samples.
    static func start(_ header: ImageHeader, _ window: PixelRect, sizes: [Int], jpeg: [UInt8]) -> [UInt8] {
        var bytes = start(header, window)
        bytes.replaceSubrange(0..<magic.count, with: magicOfPlanes)
        for number in sizes + [jpeg.count] { bytes += littleEndian(number, 4) }
        return bytes + jpeg
    }

    static func isOne(_ bytes: SharedBytes) -> Bool { bytes.span.has(magic) || bytes.span.has(magicOfPlanes) }

    /// Throws `corrupt`.
    init(_ bytes: SharedBytes) throws(ImageError) {
        let hasPlanes = bytes.span.has(Self.magicOfPlanes)
        let count = hasPlanes ? 11 : 7
        let numbers = (0..<count).compactMap { bytes.span.little(Self.magic.count + 4 * $0, 4) }
        guard Self.isOne(bytes), numbers.count == count, Self.sides ~= numbers[0], Self.sides ~= numbers[1],
            Self.sides ~= numbers[5], Self.sides ~= numbers[6], numbers[3] <= numbers[0] - numbers[5],
            numbers[4] <= numbers[1] - numbers[6]
        else { throw .corrupt(log: "no part of a region copy") }
        let first = Self.magic.count + 4 * count
        let end = hasPlanes ? first + numbers[10] : bytes.count
        guard end <= bytes.count else { throw .corrupt(log: "no part of a region copy") }
        header = ImageHeader(format: .jpeg, widthPx: numbers[0], heightPx: numbers[1], orientation: numbers[2])
        window = RegionWindow(
            rect: PixelRect(x: numbers[3], y: numbers[4], widthPx: numbers[5], heightPx: numbers[6]),
            size: PixelSize(widthPx: numbers[0], heightPx: numbers[1]),
            planes: hasPlanes
                ? RegionPlanes(sizes: Array(numbers[7..<10]), samples: bytes.slice(end..<bytes.count)) : nil)
        jpeg = bytes.slice(first..<end)
    }

    func opened() throws(ImageError) -> Source {
        let image = try Source.load(jpeg, .jpeg)
        guard image.size == window.rect.size else { throw .corrupt(log: "no part of a region copy") }
        return Source(header: header, image: image)
    }
}
