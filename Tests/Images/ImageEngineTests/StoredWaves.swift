import Bytes
import Foundation

/// JPEG files of 83 × 61 pixels in which every band is a slow wave, in the ways that encoders store them. Written by libjpeg.
enum StoredWaves {
    /// Kinds that are read as planes.
    static let planes = [
        "4:4:4", "4:2:0", "4:2:2", "4:4:0", "4:1:1", "4:2:0 with a restart marker every 2 units", "progressive 4:2:0",
        "4:2:2 with the marker of Adobe, without that of JFIF", "grey",
    ]
    /// Kinds that libvips reads.
    static let others = ["RGB", "CMYK", "YCCK"]

    static func file(_ kind: String) throws -> SharedBytes {
        let name = kind.filter { $0 != ":" && $0 != "," }.replacing(" ", with: "-")
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Waves")
        return SharedBytes([UInt8](try Data(contentsOf: folder.appending(path: name + ".jpg"))))
    }
}
