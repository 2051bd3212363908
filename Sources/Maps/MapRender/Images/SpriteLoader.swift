import Bytes
import MapStyle
import Raster

struct SpriteLoader {
    let resources: any MapResources
    let caches: MapCaches
    var shouldStop: () -> Bool = { false }

    /// Images for two device pixels per CSS pixel are preferred above a ratio of 1. Missing sprites are left out.
    /// Throws `cancelled`.
    func images(of style: Style, pixelRatio: Double) throws(MapError) -> ImageSet {
        var images = ImageSet()
        for sprite in style.sprites {
            var sheet: SpriteSheet?
            for suffix in pixelRatio > 1 ? ["@2x", ""] : [""] where sheet == nil {
                sheet = try self.sheet(sprite.url, suffix: suffix)
            }
            guard let sheet else { continue }
            let prefix = sprite.id == "default" ? "" : sprite.id + ":"
            images.add(sheet.images, of: ImageSet.Sheet(prefix: prefix, number: sheet.number))
        }
        return images
    }

    private func sheet(_ url: String, suffix: String) throws(MapError) -> SpriteSheet? {
        guard let index = try bytes(Self.address(url, suffix + ".json")),
            let picture = try bytes(Self.address(url, suffix + ".png"))
        else { return nil }
        let key = SpriteKey(
            index: ContentKey(address: url + suffix, content: index),
            picture: ContentKey(address: url + suffix, content: picture))
        return caches.sprites.value(for: key) {
            let sheet = Self.make(index, resources.picture(picture))
            return SharedCache.Weighed(sheet, byteCount: sheet.byteCount + 256)
        }
    }

    private static func make(_ index: SharedBytes, _ sheet: Texture?) -> SpriteSheet {
        guard let sheet,
            let index = try? SpriteIndex(index, sheetWidthPx: sheet.widthPx, sheetHeightPx: sheet.heightPx)
        else { return .empty }
        return SpriteSheet(index, sheet: sheet)
    }

    private func bytes(_ address: String) throws(MapError) -> SharedBytes? {
        try MapError.orGap { () throws(ResourceError) in try resources.bytes(at: address, shouldStop: shouldStop) }
    }

    private static func address(_ url: String, _ ending: String) -> String {
        let path = url.prefix { $0 != "?" }
        return path + ending + url.dropFirst(path.count)
    }
}
