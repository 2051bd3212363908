package import Bytes
package import MapRender

/// What leads to tiles and files of other servers. Shared by threads.
package protocol RemoteSources: Sendable {
    /// The bytes at an `https://` address that a style names; nil when there is nothing. Blocks.
    func bytes(at address: String) throws(ResourceError) -> SharedBytes?
    /// The archive at an `https://` address. Nothing is asked of the other server before the first use.
    ///
    /// - Throws: where the address is not allowed.
    func archive(_ settings: RemoteArchiveSettings) throws(SourceProblem) -> any SourceArchive
    /// Tiles at addresses by templates. Nothing is asked of the other server before the first use.
    ///
    /// - Throws: where an address is not allowed.
    func tiles(_ settings: RemoteTilesSettings) throws(SourceProblem) -> any SourceArchive
    /// Tiles at addresses by templates that a style or a TileJSON document names; nil where these are on no other server.
    func archive(of templates: TileTemplates) -> (any TileArchive)?
    /// Changes from time to time: part of the validators of styles that name addresses of other servers themselves, since
    /// nobody can ask after all of these before each picture. Does not wait.
    var epoch: String { get }
}

/// A field that is sent with requests to another server.
package struct RemoteField: Hashable, Sendable {
    package let name: String
    /// Its value; may be a secret.
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// An archive of another server.
package struct RemoteArchiveSettings: Hashable, Sendable {
    /// What messages call it; the address may hold a key.
    package var label: String
    package var address: String
    /// Sent with each request.
    package var fields: [RemoteField]

    package init(label: String, address: String, fields: [RemoteField] = []) {
        self.label = label
        self.address = address
        self.fields = fields
    }
}

/// Tiles of other servers, by templates of their addresses.
package struct RemoteTilesSettings: Hashable, Sendable {
    /// What messages call them; the templates may hold a key.
    package var label: String
    /// What the tiles are.
    package var kind: SourceKind
    /// Templates with `{z}`, `{x}`, `{y}`, `{s}`, `{ratio}` and the like.
    package var templates: [String]
    /// What `{s}` stands for, by turns.
    package var subdomains: [String] = []
    /// Whether rows are counted from the south.
    package var isTMS = false
    /// Pixels of a side at scale 1.
    package var tileSize: Int?
    /// The first level there is.
    package var minZoom: Int?
    /// The last level there is.
    package var maxZoom: Int?
    /// West, south, east and north in degrees.
    package var bounds: [Double]?
    /// Who has to be named, as text or HTML.
    package var attribution: String?
    /// Sent with each request.
    package var fields: [RemoteField] = []

    /// Tiles at these templates.
    package init(label: String, kind: SourceKind, templates: [String]) {
        self.label = label
        self.kind = kind
        self.templates = templates
    }
}
