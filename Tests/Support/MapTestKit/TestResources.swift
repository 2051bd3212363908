import Bytes
import Foundation
import MapRender
import MapStyle
import PNGCoding
import Raster

/// The files that the public tests name: `local://X` is `X` among the assets, `mapbox://` their tiles, tile sets, glyphs and
/// sprites, `http://localhost:2900/` the assets, `http://localhost:2901/` real-world tiles. Anything else is not there.
struct TestResources: MapResources {
    let assets: URL

    func bytes(at address: String) throws(ResourceError) -> SharedBytes? {
        guard let path = path(of: address) else { return nil }
        // No file outside of the assets, whatever a test says.
        let file = assets.appendingPathComponent(path).standardizedFileURL
        guard file.path.hasPrefix(assets.standardizedFileURL.path), let data = try? Data(contentsOf: file) else {
            // The public harness's server answers with success and no content there.
            return path.contains("sparse204") ? SharedBytes([]) : nil
        }
        return SharedBytes([UInt8](data))
    }

    func archive(at address: String) throws(ResourceError) -> (any TileArchive)? { nil }

    private func path(of address: String) -> String? {
        let plain = String(address.prefix { $0 != "?" })
        let decoded = plain.removingPercentEncoding ?? plain
        for (prefix, folder) in [
            ("local://", ""), ("mapbox://tiles/", "tiles/"), ("mapbox://glyphs/", "glyphs/"),
            ("mapbox://fonts/", "glyphs/"), ("mapbox://sprites/", "sprites/"), ("mapbox://", "tilesets/"),
            ("http://localhost:2900/", ""), ("http://localhost:2901/", "mvt-fixtures/"),
        ] where decoded.hasPrefix(prefix) {
            return folder + decoded.dropFirst(prefix.count)
        }
        return nil
    }

    func picture(_ bytes: SharedBytes) -> Texture? {
        guard let decoder = PNGDecoder(bytes), !decoder.is16Bit, let pixels = unsafe decoder.decode() else {
            return nil
        }
        defer { unsafe free(pixels) }
        let count = decoder.widthPx * decoder.heightPx
        let bands = decoder.bands
        let source = unsafe UnsafeRawBufferPointer(start: pixels, count: count * bands)
        var texels = [UInt8](repeating: 255, count: count * 4)
        for pixel in 0..<count {
            let alpha = bands.isMultiple(of: 2) ? Int(unsafe source[pixel * bands + bands - 1]) : 255
            for channel in 0..<3 {
                let value = Int(unsafe source[pixel * bands + (bands < 3 ? 0 : channel)])
                texels[pixel * 4 + channel] = UInt8((value * alpha + 127) / 255)
            }
            texels[pixel * 4 + 3] = UInt8(alpha)
        }
        return Texture(widthPx: decoder.widthPx, heightPx: decoder.heightPx, format: .rgba, texels: SharedBytes(texels))
    }
}
