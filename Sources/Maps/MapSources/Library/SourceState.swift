import Bytes
import JSON
import MapStyle

struct SourceState: Sendable {
    enum Content: Sendable {
        case tiles(MapSourceEntry)
        case geoJSON(SharedBytes, state: String)
        case remoteGeoJSON(address: String)
    }

    let settings: SourceSettings
    /// The files it was opened from, as they were at the last attempt.
    let marks: [FileMark]
    /// The last good content, if any.
    var content: Content?
    /// The fault of the last attempt, if any.
    var problem: SourceProblem?

    /// Remote GeoJSON has no validator.
    var isRemoteGeoJSON: Bool { if case .remoteGeoJSON = settings.location { true } else { false } }
    var isByTemplates: Bool { if case .templates = settings.location { true } else { false } }

    var isRemote: Bool {
        switch settings.location {
        case .remoteArchive, .templates, .remoteGeoJSON: true
        case .builtIn, .file, .geoJSONFile: false
        }
    }

    var validator: String {
        switch content {
        case .tiles(let entry)?: entry.validator
        case .geoJSON(_, let state)?: state
        case .remoteGeoJSON?, nil: ""
        }
    }

    var entry: MapSourceEntry? { if case .tiles(let entry)? = content { entry } else { nil } }
}

/// A style in one state: read, completed and compiled.
struct StyleState: Sendable {
    var settings: StyleSettings
    /// The style's file at the last attempt; nil for built-in styles.
    var mark: FileMark?
    var original: Original?
    /// The last good content, if any.
    var content: Content?
    /// The fault of the last attempt, if any.
    var problem: SourceProblem?

    struct Original: Sendable {
        let document: StyleDocument
        let digest: String
    }

    struct Content: Sendable {
        let compiled: CompiledStyle
        let digest: String
        /// What its sources were completed with; equal completions of a document give equal contents.
        let completion: [String: JSONValue]
        /// The sources of the library that it names, in its order.
        let sources: [StyleSourceUse]
        /// The folder that its relative paths start from.
        let folder: String?
        var dependencies: String

        var document: JSONValue { compiled.document.whole }
        var style: Style { compiled.style }
        var outline: Style { compiled.outline }

        /// Whether the style itself names other servers, except for archives, which have validators. O(sources).
        static func namesServers(_ document: JSONValue) -> Bool {
            var values = [document["glyphs"], document["sprite"]]
            for sprite in document["sprite"]?.elements ?? [] { values.append(sprite["url"]) }
            for source in document["sources"]?.object?.members ?? [] {
                values += [source.value["url"], source.value["data"]]
                values += (source.value["tiles"]?.elements ?? []).map(Optional.some)
            }
            return values.contains { ($0?.text).map(SourceAddress.isRemote) ?? false }
        }
    }
}

/// A source of the library that a style names.
struct StyleSourceUse: Equatable, Sendable {
    /// What the style calls it.
    let id: String
    let address: String
    /// Its key in the library.
    let key: String
}
