package import Bytes
package import Raster

/// What a library of maps is made of.
package struct MapLibrarySettings: Sendable {
    /// The path or `https://` address of the default archive; nil for the source `map` of the maps file, or the built-in world.
    package var archive: String?
    /// Whether the built-in world is drawn around what the default archive covers.
    package var showsWorld = false
    /// The path of a style, which becomes the default one.
    package var style: String?
    /// The folder of what styles name by relative paths; nil for the folder of each style.
    package var files: String?
    /// The path of the maps file.
    package var maps: String?
    /// What `${NAME}` in the maps file stands for.
    package var environment: [String: String] = [:]
    /// What leads to other servers; nil when none may be asked.
    package var remote: (any RemoteSources)?
    /// Decodes PNG, JPEG and WebP files.
    package var picture: @Sendable (SharedBytes) -> Texture?
    /// Is told once of each problem that comes up while the library is in use; what was good before stays in use.
    package var report: @Sendable (SourceProblem) -> Void = { _ in }

    /// The built-in world and styles.
    package init(picture: @escaping @Sendable (SharedBytes) -> Texture?) {
        self.picture = picture
    }
}
