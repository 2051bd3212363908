import HTTPServer

/// What is told of an asset, and the field lines that come with it.
struct AssetJSON: Sendable {
    let text: String
    var fields = FieldLines()
}
