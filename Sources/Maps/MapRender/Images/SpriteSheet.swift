import Bytes
import Raster

final class SpriteSheet: Sendable {
    let number = SerialNumber.next()
    let images: [String: StyleImage]
    let byteCount: Int

    static let empty = SpriteSheet(images: [:], byteCount: 0)

    private init(images: [String: StyleImage], byteCount: Int) { (self.images, self.byteCount) = (images, byteCount) }

    /// Images may have four times the sheet's pixels together, as some share theirs; the rest is left out. O(pixels).
    convenience init(_ index: SpriteIndex, sheet: Texture) {
        var images: [String: StyleImage] = [:]
        var cuts: [SpriteIndex.Rectangle: Texture] = [:]
        var pixelsLeft = sheet.widthPx * sheet.heightPx * 4
        var byteCount = 0
        for entry in index.entries {
            var texture = cuts[entry.rectangle]
            let pixels = entry.rectangle.width * entry.rectangle.height
            if texture == nil, pixels <= pixelsLeft {
                pixelsLeft -= pixels
                byteCount += pixels * 4
                texture = sheet.cut(entry.rectangle)
                cuts[entry.rectangle] = texture
            }
            guard let texture else { continue }
            var image = StyleImage(texture: texture, pixelRatio: entry.pixelRatio, isSDF: entry.isSDF)
            image.stretchX = entry.stretchX
            image.stretchY = entry.stretchY
            image.content = entry.content
            image.textFitWidth = entry.textFitWidth
            image.textFitHeight = entry.textFitHeight
            images[entry.name] = image
            byteCount += 256 + entry.name.utf8.count
        }
        self.init(images: images, byteCount: byteCount)
    }
}

extension Texture {
    fileprivate func cut(_ part: SpriteIndex.Rectangle) -> Texture? {
        let size = format == .rgba ? 4 : 1
        var bytes: [UInt8] = []
        bytes.reserveCapacity(part.width * part.height * size)
        texels.withUnsafeBytes { all in
            for row in part.y..<(part.y + part.height) {
                let start = (row * widthPx + part.x) * size
                bytes.append(contentsOf: all[start..<(start + part.width * size)])
            }
        }
        return Texture(widthPx: part.width, heightPx: part.height, format: format, texels: SharedBytes(bytes))
    }
}

struct SpriteKey: Hashable, Sendable { var index, picture: ContentKey }
