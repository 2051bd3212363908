import MapStyle

/// A source as the configuration describes it.
struct SourceSettings: Equatable, Sendable {
    /// Where what it shows comes from.
    enum Place: Equatable, Sendable {
        /// The world that is built in.
        case builtIn
        /// An archive of this machine.
        case file(path: String)
        /// An archive of another server.
        case remoteArchive(address: String)
        /// Tiles of other servers.
        case templates([String])
        /// GeoJSON of this machine.
        case geoJSONFile(path: String)
        /// GeoJSON of another server.
        case remoteGeoJSON(address: String)
    }

    /// What styles call it.
    var name: String
    /// What messages call it: a name or path as the operator wrote it.
    var label: String
    var place: Place
    /// What the tiles show, if it is said.
    var kind: SourceKind?
    var title: String?
    var description: String?
    var attribution: String?
    var bounds: [Double]?
    var minZoom: Int?
    var maxZoom: Int?
    var tileSize: Int?
    /// How heights are written.
    var encoding: DEMEncoding?
    var missing: MissingTilePolicy?
    var subdomains: [String] = []
    var isTMS = false
    var fields: [RemoteField] = []

    init(name: String, label: String, place: Place) {
        self.name = name
        self.label = label
        self.place = place
    }
}

/// What a picture shows where a source has no tile though its bounds say that there is one.
enum MissingTilePolicy: String, Sendable, CaseIterable {
    case empty
    /// The nearest tile above; for pictures and heights, which is what they do unless said otherwise.
    case overzoom
    /// Nothing, and it is told of as a fault.
    case error
}

/// A style as the configuration describes it.
struct StyleSettings: Equatable, Sendable {
    /// Where its document comes from.
    enum Place: Equatable, Sendable {
        case light
        case dark
        case file(path: String)
        /// Made for a source of pictures or heights.
        case plain(source: String)
    }

    /// What requests call it.
    var name: String
    var place: Place
    /// The sibling for dark surroundings.
    var dark: String?
}

/// What names may look like.
enum MapName {
    static let lengthLimit = 64

    /// Letters, digits, `-`, `_` and `.` of ASCII, not first a `.`; so that they need no escapes in addresses.
    static func isValid(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= lengthLimit && !name.hasPrefix(".")
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    }

    /// What a style in a file is called: its name without the ending, and without what a name may not have.
    static func ofFile(_ path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let stem = file.hasSuffix(".json") ? String(file.dropLast(5)) : file
        let name = String(stem.filter { isValid("a\($0)") }.prefix(lengthLimit).drop { $0 == "." })
        return name.isEmpty ? "style" : name
    }
}
