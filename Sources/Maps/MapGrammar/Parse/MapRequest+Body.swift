package import Parameters

extension MapRequest {
    /// The most bytes of the content of `POST /map` unless said otherwise.
    package static let bodyByteLimit = 2 << 20
    /// The most items of the content of `POST /map`.
    package static let bodyItemLimit = 4096

    /// Turns the content of `POST /map`, a JSON object whose members are parameters, into items for `parse`.
    ///
    /// Values are strings, numbers and booleans. An array has the values of a repeatable parameter, or the numbers of a
    /// list (`"bbox": [10, 40, 11, 41]`). `geojson` is a GeoJSON object or an array of them. null counts as absent.
    package static func items(
        ofBody bytes: [UInt8], for purpose: Purpose = .picture, byteLimit: Int = bodyByteLimit
    ) throws(ParameterFaults) -> [QueryItem] {
        var form = JSONItems.Form()
        form.byteLimit = byteLimit
        form.itemLimit = bodyItemLimit
        // GeoJSON lies in an object and maybe an array.
        form.depthLimit = OverlayLimits.depthLimit + 2
        form.jsonName = "geojson"
        form.separators = ["size": "x"]
        return try JSONItems.read(bytes, table: table(purpose), form)
    }

    /// The canonical query for `Content-Location` and links; nil if it is too long or has too many items.
    package func canonical(byteLimit: Int) -> String? { CanonicalQuery.text(canonicalItems, byteLimit: byteLimit) }
}
