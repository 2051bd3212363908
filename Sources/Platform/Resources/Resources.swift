package import Bytes
import CResources

/// Linked into the program.
package enum Resources {
    /// Of the world: PMTiles v3, vector tiles, zooms 0 to 6 (docs/WORLD.md).
    package static let worldArchive = unsafe embedded(cresources_world_archive)
    /// The sample city: PMTiles v3, vector tiles around latitude 0, longitude 0, zooms 6 to 15 (docs/WORLD.md).
    package static let cityArchive = unsafe embedded(cresources_city_archive)
    /// Of scripts/generate/styles/run.
    package static let lightStyle = unsafe embedded(cresources_light_style)
    package static let darkStyle = unsafe embedded(cresources_dark_style)
    /// `/veduta.js` without its lists of names.
    package static let script = unsafe embedded(cresources_script)
    /// `openapi.yaml`.
    package static let openAPI = unsafe embedded(cresources_openapi)

    /// Templates of `/card` by their names.
    package static let cardTemplates: [(name: String, bytes: SharedBytes)] = unsafe [
        ("article", embedded(cresources_card_article)), ("place", embedded(cresources_card_place)),
        ("quote", embedded(cresources_card_quote)),
    ]

    /// Files of web pages (style sheets, scripts), by the names that `/pages/{file}` has for them.
    package static let pages: [(name: String, bytes: SharedBytes)] = {
        var pages: [(name: String, bytes: SharedBytes)] = []
        while let name = unsafe cresources_page_name(pages.count) {
            let index = pages.count
            unsafe pages.append((String(cString: name), embedded { unsafe cresources_page(index, $0) }))
        }
        return pages
    }()

    private static func embedded(_ file: (UnsafeMutablePointer<Int>?) -> UnsafePointer<UInt8>?) -> SharedBytes {
        var count = 0
        let base = unsafe file(&count)
        return unsafe SharedBytes(adopting: UnsafeRawPointer(base), count: count, release: { _ in })
    }
}
