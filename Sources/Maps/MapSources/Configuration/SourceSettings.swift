import MapStyle

struct SourceSettings: Equatable, Sendable {
    enum Location: Equatable, Sendable {
        case builtIn
        case file(path: String)
        case remoteArchive(address: String)
        case templates([String])
        case geoJSONFile(path: String)
        case remoteGeoJSON(address: String)
    }

    var name: String
    /// What messages call it: a name or path as the operator wrote it.
    var label: String
    var location: Location
    /// What the tiles show, if the configuration says.
    var kind: SourceKind?
    var title: String?
    var description: String?
    var attribution: String?
    var bounds: [Double]?
    var minZoom: Int?
    var maxZoom: Int?
    var tileSize: Int?
    var encoding: DEMEncoding?
    var missing: MissingTilePolicy?
    var subdomains: [String] = []
    var isTMS = false
    var fields: [RemoteField] = []
}

/// What an image shows where a source lacks a tile within its bounds.
enum MissingTilePolicy: String, Sendable, CaseIterable {
    case empty
    /// The nearest tile above; the default for images and heights.
    case overzoom
    /// Nothing, and it counts as a fault.
    case error
}

struct StyleSettings: Equatable, Sendable {
    enum Location: Equatable, Sendable {
        case light
        case dark
        case file(path: String)
        /// Generated for a source of images or heights.
        case plain(source: String)
    }

    var name: String
    var location: Location
    /// The sibling for the dark theme.
    var dark: String?

    var label: String { if case .file(let path) = location { path } else { name } }

    /// The folder that its relative paths start from; `files` is the one of the settings.
    func folder(files: String?) -> String? {
        if case .file(let path) = location { files ?? LocalFile.folder(of: path) } else { files }
    }
}

enum MapName {
    static let lengthLimit = 64

    /// ASCII letters, digits, `-`, `_` and `.`, not first a `.`, so that addresses need no escapes.
    static func isValid(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= lengthLimit && !name.hasPrefix(".")
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    }

    /// The name of a style in a file: the file's without its ending and without characters that are not allowed.
    static func ofFile(_ path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let stem = file.hasSuffix(".json") ? String(file.dropLast(5)) : file
        let name = String(stem.filter { isValid("a\($0)") }.prefix(lengthLimit).drop { $0 == "." })
        return name.isEmpty ? "style" : name
    }
}
