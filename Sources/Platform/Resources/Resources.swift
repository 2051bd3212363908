package import Bytes
import CResources

/// The files that are linked into the program.
package enum Resources {
    /// The built-in world basemap: a PMTiles v3 archive of vector tiles, zooms 0 to 6 (docs/WORLD.md).
    package static let worldArchive = unsafe embedded(cresources_world_archive)

    /// The sample city: a PMTiles v3 archive of vector tiles around latitude 0, longitude 0, zooms 6 to 15 (docs/WORLD.md).
    package static let cityArchive = unsafe embedded(cresources_city_archive)

    /// The built-in style `light` (scripts/generate/styles/run).
    package static let lightStyle = unsafe embedded(cresources_light_style)

    /// The built-in style `dark`.
    package static let darkStyle = unsafe embedded(cresources_dark_style)

    /// The contract of the HTTP interface, `openapi.yaml`.
    package static let openAPI = unsafe embedded(cresources_openapi)

    private static func embedded(
        _ file: (UnsafeMutablePointer<Int>?) -> UnsafePointer<UInt8>?
    ) -> SharedBytes {
        var count = 0
        let base = unsafe file(&count)
        return unsafe SharedBytes(adopting: UnsafeRawPointer(base), count: count, release: { _ in })
    }
}
