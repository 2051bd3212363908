import JSON

/// The maps file: named sources and styles (docs/MAPS.md).
struct MapsFile: Equatable, Sendable {
    /// How many sources, and how many styles, it may name.
    static let entryLimit = 256
    /// How many addresses of tiles, and how many fields, a source may have.
    static let listLimit = 16

    /// The sources, in the order of the file.
    var sources: [SourceSettings] = []
    /// The styles, in the order of the file.
    var styles: [StyleSettings] = []
    /// The name of the style that is used unless a request names another.
    var standard: String?

    /// The file at `path`; relative paths in it are meant from its folder, and `${NAME}` is taken from `environment`.
    ///
    /// - Throws: all that is wrong with it.
    static func read(_ path: String, environment: [String: String]) throws(MapLibraryFailure) -> MapsFile {
        let bytes: [UInt8]
        do throws(SourceProblem) {
            bytes = try LocalFile.bytes(at: path)
        } catch {
            throw MapLibraryFailure(problems: [error])
        }
        return try read(bytes, path: path, environment: environment)
    }

    /// The file with this content at `path`.
    static func read(
        _ bytes: [UInt8], path: String, environment: [String: String]
    ) throws(MapLibraryFailure) -> MapsFile {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONReader.read(bytes, depthLimit: 16)
        } catch {
            throw MapLibraryFailure(problems: [SourceProblem(name: path, cause: error.message)])
        }
        var reader = MapsFileReader(path: path, environment: environment)
        let file = reader.read(json)
        guard reader.problems.isEmpty else { throw MapLibraryFailure(problems: reader.problems) }
        return file
    }
}
