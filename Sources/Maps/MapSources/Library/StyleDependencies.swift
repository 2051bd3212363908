import Digest
import JSON
import MapStyle

/// The files that a style needs besides its tiles, and the fonts of the machine.
enum StyleDependencies {
    /// The most addresses of a style that are looked at.
    private static let addressLimit = 1024

    /// Their states as text: for sprites, images and GeoJSON of each file, for glyphs and tiles of all files in the
    /// folder. `fonts`: a digest of the machine's fonts, which stand in for missing glyphs.
    static func state(of style: Style, folder: String?, fonts: String) -> String {
        guard let folder else { return fonts }
        let lines = addresses(of: style).prefix(addressLimit).compactMap { address -> String? in
            guard let path = SourceAddress.relativePath(address) else { return nil }
            guard let brace = path.firstIndex(of: "{") else {
                return "\(path) \(FileMark(LocalFile.path(path, in: folder)).text)"
            }
            let below = LocalFile.folder(of: String(path[..<brace]))
            let digest = FolderState.digest(of: LocalFile.path(below, in: folder), hasTimes: true)
            return "\(path) \(digest.base64URL(byteCount: 18))"
        }
        return ([fonts] + lines).joined(separator: "\n")
    }

    private static func addresses(of style: Style) -> [String] {
        var addresses = style.sprites.flatMap { sprite in
            [".json", ".png", "@2x.json", "@2x.png"].map { sprite.url + $0 }
        }
        if let glyphs = style.glyphs { addresses.append(glyphs) }
        for (_, source) in style.sources.sorted(by: { $0.key < $1.key }) {
            switch source {
            case .vector(let tiles), .raster(let tiles), .rasterDEM(let tiles, _):
                addresses += tiles.tiles + [tiles.url].compactMap(\.self)
            case .geoJSON(let source): if let address = source.data.text { addresses.append(address) }
            case .image(let source): addresses.append(source.url)
            case .video: break
            }
        }
        return addresses
    }
}
