import JSON

/// The addresses of other servers in a style.
enum ServerAddresses {
    /// Whether the style itself names one: for tiles, a TileJSON document, GeoJSON, a picture, a sprite or glyphs. Archives
    /// are sources, which have validators. O(sources).
    static func areNamed(by document: JSONValue) -> Bool {
        var values = [document["glyphs"], document["sprite"]]
        for sprite in document["sprite"]?.elements ?? [] { values.append(sprite["url"]) }
        for source in document["sources"]?.object?.members ?? [] {
            values += [source.value["url"], source.value["data"]]
            values += (source.value["tiles"]?.elements ?? []).map(Optional.some)
        }
        return values.contains { value in (value?.text).map(SourceReader.isRemote) ?? false }
    }
}
