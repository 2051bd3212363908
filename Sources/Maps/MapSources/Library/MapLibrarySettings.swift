package import Bytes
package import MapRender
package import Raster

package struct MapLibrarySettings: Sendable {
    /// A path or `https://` address; nil for the source `map` of the maps file, or the built-in world.
    package var archive: String?
    /// Whether the built-in world is drawn around what the default archive covers.
    package var showsWorld = false
    package var style: String?
    /// The folder that relative paths in styles start from; nil for the folder of each style.
    package var files: String?
    package var maps: String?
    /// The values of `${NAME}` in the maps file.
    package var environment: [String: String] = [:]
    /// nil if other servers may not be asked.
    package var remote: (any RemoteSources)?
    /// Decodes PNG, JPEG and WebP files.
    package var picture: @Sendable (SharedBytes, PictureTerms) -> Texture?
    /// Called once for each problem that comes up while the library is in use; the last good state stays in use.
    package var report: @Sendable (SourceProblem) -> Void = { _ in }

    /// The built-in world and styles.
    package init(picture: @escaping @Sendable (SharedBytes, PictureTerms) -> Texture?) { self.picture = picture }

    /// Decodes a tile that is looked at for no map.
    var tilePicture: @Sendable (SharedBytes) -> Texture? {
        let picture = picture
        return { bytes in picture(bytes, PictureTerms(pixelLimit: PictureTerms.tilePixelLimit)) }
    }
}
