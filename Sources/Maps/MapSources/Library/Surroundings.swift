import Digest
import JSON
import MapRender
import MapStyle

/// The states of the files that a style names beside its tiles, and of the fonts that it needs.
enum Surroundings {
    /// How many addresses of a style are looked at.
    private static let addressLimit = 1024

    /// The states as text: of sprites, pictures and GeoJSON by their files, of glyphs and tiles in folders by all files
    /// there; and of the machine's fonts, which stand in for glyphs that are not there.
    static func text(of style: Style, folder: String?, fonts: String) -> String {
        var lines = [fonts]
        guard let folder else { return lines.joined() }
        for address in addresses(of: style).prefix(addressLimit) {
            guard let path = SourceAddress.relativePath(address) else { continue }
            if let brace = path.firstIndex(of: "{") {
                let below = LocalFile.folder(of: String(path[..<brace]))
                let digest = FolderState.digest(of: LocalFile.path(below, in: folder), hasTimes: true)
                lines.append("\(path) \(digest.base64URL(byteCount: 18))")
            } else {
                lines.append("\(path) \(FileMark(LocalFile.path(path, in: folder)).text)")
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func addresses(of style: Style) -> [String] {
        var addresses = style.sprites.flatMap { sprite in
            [".json", ".png", "@2x.json", "@2x.png"].map { sprite.url + $0 }
        }
        if let glyphs = style.glyphs { addresses.append(glyphs) }
        for (_, source) in style.sources.sorted(by: { $0.key < $1.key }) {
            switch source {
            case .vector(let tiles), .raster(let tiles), .rasterDEM(let tiles, _):
                addresses += tiles.tiles
                if let url = tiles.url { addresses.append(url) }
            case .geoJSON(let source):
                if let address = source.data.text { addresses.append(address) }
            case .image(let source): addresses.append(source.url)
            case .video: break
            }
        }
        return addresses
    }
}
