import Bytes
import Colors
import Glibc
import ImageEngine
import ImagePlan
import Raster
import Resources

/// The sample images and the map of the sample city, which the project makes itself.
package enum SampleLibrary {
    /// Writes images to `folder/pictures` and the archive of the city to `folder/maps/city.pmtiles`. Makes missing
    /// folders, and replaces files of these names. `Service.prepareProcess` comes first.
    package static func write(to folder: String) throws(ServiceError) {
        let (pictures, maps) = (folder + "/pictures", folder + "/maps")
        for path in [folder, pictures, maps] {
            guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
                throw .samples(path: path, cause: String(cString: strerror(errno)))
            }
        }
        try save(Resources.cityArchive, to: maps + "/city.pmtiles")
        try writePictures(to: pictures)
    }

    private static func writePictures(to folder: String) throws(ServiceError) {
        for (name, light, width, height, seed) in views {
            var painter = SamplePainter(widthPx: width, heightPx: height, seed: seed)
            painter.paintView(light)
            try write(painter, background: 0, to: folder, name: name, output: .jpeg, quality: 90)
        }
        var badge = SamplePainter(widthPx: 512, heightPx: 512, seed: 1)
        badge.paintBadge()
        try write(badge, background: nil, to: folder, name: "badge.png", output: .png, quality: nil)
    }

    private static let views: [(String, SamplePainter.Light, width: Int, height: Int, seed: UInt64)] = [
        ("lagoon.jpg", .evening, 2400, 1600, 7),
        ("morning.jpg", .morning, 2400, 1600, 19),
        ("night.jpg", .night, 1600, 2400, 42),
    ]

    private static func write(
        _ painter: SamplePainter, background: UInt32?, to folder: String, name: String, output: OutputFormat,
        quality: Int?
    ) throws(ServiceError) {
        let content: SharedBytes
        do {
            let picture = try Rasteriser.draw(
                painter.list, widthPx: painter.widthPx, heightPx: painter.heightPx,
                background: background.map { Color(rgb: $0) } ?? .transparent)
            content = try ImageEngine.encode(
                rgba: picture.pixels, widthPx: picture.widthPx, heightPx: picture.heightPx, output: output,
                quality: quality, shouldStop: { false })
        } catch {
            throw ServiceError.samples(path: folder, cause: "\(error)")
        }
        try save(content, to: folder + "/" + name)
    }

    private static func save(_ content: SharedBytes, to path: String) throws(ServiceError) {
        guard let file = fopen(path, "w") else { throw .samples(path: path, cause: String(cString: strerror(errno))) }
        let written = content.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        guard fclose(file) == 0, written == content.count else {
            throw .samples(path: path, cause: String(cString: strerror(errno)))
        }
    }
}
