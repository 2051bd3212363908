package import Bytes
package import MapRender

/// Tiles and files on other servers. Shared by threads. Making an archive contacts none; it checks the address.
package protocol RemoteSources: Sendable {
    /// The bytes at an `https://` address that a style names; nil when there is nothing. Blocks, and polls `shouldStop`:
    /// once it is true, only what is at hand is given, and everything else is `cancelled`.
    func bytes(at address: String, shouldStop: () -> Bool) throws(ResourceError) -> SharedBytes?
    func archive(_ settings: RemoteArchiveSettings) throws(SourceProblem) -> any SourceArchive
    func tiles(_ settings: RemoteTilesSettings) throws(SourceProblem) -> any SourceArchive
    /// The tiles that a style or a TileJSON document names; nil when they are not on another server.
    func archive(of templates: TileTemplates) -> (any TileArchive)?
    /// Changes from time to time; part of the validators of styles that name addresses of other servers. Does not wait.
    var epoch: String { get }
}

extension RemoteSources {
    package func bytes(at address: String) throws(ResourceError) -> SharedBytes? {
        try bytes(at: address, shouldStop: { false })
    }
}

package struct RemoteField: Hashable, Sendable {
    package let name: String
    /// May be a secret.
    package let value: String
}

package struct RemoteArchiveSettings: Hashable, Sendable {
    /// What messages call it, since the address may contain a key.
    package var label: String
    package var address: String
    package var fields: [RemoteField] = []
}

/// Tiles on other servers, by templates of their addresses.
package struct RemoteTilesSettings: Hashable, Sendable {
    /// What messages call them, since the templates may contain a key.
    package var label: String
    package var kind: SourceKind
    /// With `{z}`, `{x}`, `{y}`, `{s}`, `{ratio}` and the like.
    package var templates: [String]
    package var subdomains: [String] = []
    /// Whether rows are counted from the south.
    package var isTMS = false
    /// Pixels of a side at scale 1.
    package var tileSize: Int?
    package var minZoom: Int?
    package var maxZoom: Int?
    /// West, south, east and north in degrees.
    package var bounds: [Double]?
    /// Text or HTML.
    package var attribution: String?
    package var fields: [RemoteField] = []
}
