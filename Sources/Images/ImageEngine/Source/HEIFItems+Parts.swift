extension HEIFItems {
    /// Tiles of one image. Phones write tiles of 512 × 512 pixels: 48 for 12 megapixels, 192 for 48; 50 megapixels in tiles of
    /// 256 × 256 are 800.
    static let tileLimit = 1024
    /// Alpha channels are as large as their images, or smaller; libheif scales them.
    private static let largestAlpha = 4

    /// The most pixels that are decoded for one image of the file, where that may be more than the image has: tiles are decoded
    /// whole, each as often as it is named, and an alpha channel with its image; all are as large as they are coded. 0 where no
    /// image is of that kind.
    ///
    /// Throws `unsupportedFormat` for what is read from no camera or program: images laid over one another, and images made of
    /// derived images, but for a tiled image that another stands for (`iden`, to turn it).
    func partPixelCount() throws(ImageError) -> Int {
        var tiled: [Int: Int] = [:]
        for (item, type) in types {
            guard type != "iovl" else { throw .unsupportedFormat }
            if type == "grid" { tiled[item] = try tilePixelCount(of: item) }
        }
        var most = 0
        for (item, type) in types {
            let count = try pixelCount(of: item, type, tiled)
            let isMade = type == "grid" || type == "iden" || cropped.contains(item)
            if isMade || count > pixelCounts[item] ?? 0 { most = max(most, count) }
        }
        return most
    }

    private func tilePixelCount(of item: Int) throws(ImageError) -> Int {
        let tiles = parts[item] ?? []
        guard tiles.count <= Self.tileLimit else { throw .tooManyParts(limit: Self.tileLimit) }
        var sum = 0
        for tile in tiles {
            // libheif fails on what is not there.
            guard let type = types[tile] else { continue }
            guard !Self.isDerived(type) else { throw .unsupportedFormat }
            guard pixelCounts[tile] != nil else { throw .corrupt(log: "a tile without a size") }
            // The alpha channel of a tile is one image.
            sum += try withAlpha(decodedPixelCount(of: tile), of: tile, [:])
        }
        return sum
    }

    /// Of an image by itself, a tiled one, or one that stands for either. `tiled` has the pixels of the tiles.
    private func pixelCount(of item: Int, _ type: String, _ tiled: [Int: Int]) throws(ImageError) -> Int {
        guard type == "iden" else { return try withAlpha(tiled[item] ?? decodedPixelCount(of: item), of: item, tiled) }
        let sources = parts[item] ?? []
        guard sources.count < 2 else { throw .unsupportedFormat }
        guard let source = sources.first, let sourceType = types[source] else { return 0 }
        guard sourceType != "iden" else { throw .unsupportedFormat }
        let own = try withAlpha(tiled[source] ?? decodedPixelCount(of: source), of: source, tiled)
        return try withAlpha(own, of: item, tiled)
    }

    /// `own` pixels, and those of the alpha channel if they are more; an ordinary channel is part of the price of its image.
    private func withAlpha(_ own: Int, of item: Int, _ tiled: [Int: Int]) throws(ImageError) -> Int {
        var most = 0
        for alpha in alphas[item] ?? [] {
            guard let type = types[alpha] else { continue }
            guard alphas[alpha] == nil, !Self.isDerived(type) || tiled[alpha] != nil else { throw .unsupportedFormat }
            most = max(most, tiled[alpha] ?? decodedPixelCount(of: alpha))
        }
        guard most <= own * Self.largestAlpha else { throw .unsupportedFormat }
        return most > own ? own + most : own
    }

    /// Of an image by itself, as it tells or as it is coded, whichever is more.
    private func decodedPixelCount(of item: Int) -> Int {
        max(pixelCounts[item] ?? 0, codedPixelCounts[item] ?? 0)
    }

    private static func isDerived(_ type: String) -> Bool { ["grid", "iden", "iovl"].contains(type) }
}
