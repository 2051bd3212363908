import Bytes

/// A source in one state.
struct SourceState: Sendable {
    enum Content: Sendable {
        /// Tiles.
        case tiles(MapSourceEntry)
        /// GeoJSON, read from a file in a state.
        case geoJSON(SharedBytes, state: String)
        /// GeoJSON of another server.
        case remoteGeoJSON(address: String)
    }

    let settings: SourceSettings
    /// The files that it was opened from, as they were when it was last tried.
    let marks: [FileMark]
    /// What it gives; nil while nothing good has been found yet.
    let content: Content?
    /// What was wrong when it was last tried, if anything.
    let problem: SourceProblem?

    /// Whether it is GeoJSON of another server, which has no validator.
    var isRemoteGeoJSON: Bool { if case .remoteGeoJSON = settings.place { true } else { false } }

    /// Whether its tiles are at addresses by templates.
    var isByTemplates: Bool { if case .templates = settings.place { true } else { false } }

    /// Whether it comes from another server.
    var isRemote: Bool {
        switch settings.place {
        case .remoteArchive, .templates, .remoteGeoJSON: true
        case .builtIn, .file, .geoJSONFile: false
        }
    }

    /// Changes with what it gives.
    var validator: String {
        switch content {
        case .tiles(let entry)?: entry.validator
        case .geoJSON(_, let state)?: state
        case .remoteGeoJSON?, nil: ""
        }
    }

    var entry: MapSourceEntry? {
        if case .tiles(let entry)? = content { entry } else { nil }
    }
}
