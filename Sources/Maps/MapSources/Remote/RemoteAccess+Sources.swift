package import Bytes
import HTTPMessage
package import MapRender
import Origin
import Reactor

extension RemoteAccess: RemoteSources {
    package func bytes(at address: String) throws(ResourceError) -> SharedBytes? {
        try bytes(at: address, shouldStop: { false })
    }

    package func archive(_ settings: RemoteArchiveSettings) throws(SourceProblem) -> any SourceArchive {
        do throws(OriginURLFault) {
            let url = try OriginURL(settings.address)
            return RemotePMTiles(url, name: settings.label, fields: settings.fields, access: self)
        } catch {
            throw SourceProblem(name: settings.label, cause: "its URL is invalid (\(error))")
        }
    }

    package func tiles(_ settings: RemoteTilesSettings) throws(SourceProblem) -> any SourceArchive {
        try RemoteTiles(settings, access: self)
    }

    /// The number of the day, or of whatever ``Rules/refresh`` is.
    package var epoch: String { "\(clock.unixSeconds() / max(1, rules.refresh.components.seconds))" }

    package func archive(of templates: TileTemplates) -> (any TileArchive)? {
        RemoteTiles(templates, access: self)
    }
}

extension Fields {
    /// The fields of a source; what is no name of a field is left out.
    init(_ fields: [RemoteField]) {
        self.init()
        for field in fields {
            if let name = FieldName(field.name) { append(name, field.value) }
        }
    }
}
