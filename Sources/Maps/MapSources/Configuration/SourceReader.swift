import Bytes
import JSON
import MapStyle
import Parameters

struct SourceReader {
    let name: String
    var members: MemberReader
    let folder: String

    /// The members that say where a source comes from; it has exactly one.
    private static let locations = ["archive", "tiles", "data"]
    private static let common = ["type", "title", "description", "attribution", "bounds"]
    private static let heights = ["encoding", "redFactor", "greenFactor", "blueFactor", "baseShift"]

    private static let members: [String: [String]] = [
        "archive": common + heights + ["tileSize", "minzoom", "maxzoom", "missing", "headers"],
        "tiles": common + heights + ["tileSize", "minzoom", "maxzoom", "missing", "headers", "subdomains", "scheme"],
        "data": ["type", "title", "description", "attribution"],
    ]

    /// The source, or nil if its location cannot be read.
    mutating func read() -> SourceSettings? {
        let given = Self.locations.filter(members.has)
        guard given.count == 1, let member = given.first else {
            members.requireKnown(Self.locations + (Self.members["tiles"] ?? []))
            members.fail(nil, "exactly one of \(Self.locations.joined(separator: ", ")) is expected")
            return nil
        }
        members.requireKnown([member] + (Self.members[member] ?? []))
        guard let location = readLocation(member) else { return nil }
        var source = SourceSettings(name: name, label: name, location: location)
        readKind(member, &source)
        source.title = members.text("title")
        source.description = members.text("description")
        source.attribution = members.text("attribution")
        source.bounds = members.bounds("bounds")
        source.minZoom = members.integer("minzoom", in: 0...24)
        source.maxZoom = members.integer("maxzoom", in: 0...24)
        if let least = source.minZoom, let greatest = source.maxZoom, least > greatest {
            members.fail("minzoom", "it is greater than maxzoom")
        }
        source.tileSize = members.integer("tileSize", in: 64...4096)
        source.missing = members.word("missing", MissingTilePolicy.allCases.map(\.rawValue))
            .flatMap(MissingTilePolicy.init)
        // As in MapLibre, a missing vector tile is empty.
        if source.missing == .overzoom, source.kind == .vector {
            members.fail("missing", "overzoom applies only to raster and raster-dem")
        }
        source.subdomains = readSubdomains()
        source.isTMS = members.word("scheme", ["xyz", "tms"]) == "tms"
        source.fields = readFields()
        return source
    }

    private mutating func readLocation(_ member: String) -> SourceSettings.Location? {
        if member == "tiles" {
            let templates = members.texts("tiles", limit: MapsFile.listLimit)
            for (index, template) in templates.enumerated() where !SourceAddress.isRemote(template) {
                members.fail("tiles[\(index)]", "a URL with https:// is expected")
            }
            return templates.isEmpty ? nil : .templates(templates)
        }
        guard let given = members.text(member) else { return nil }
        let path = LocalFile.path(given, in: folder)
        switch (member == "archive", SourceAddress.isRemote(given)) {
        case (true, true): return .remoteArchive(address: given)
        case (true, false): return .file(path: path)
        case (false, true): return .remoteGeoJSON(address: given)
        case (false, false): return .geoJSONFile(path: path)
        }
    }

    private mutating func readKind(_ member: String, _ source: inout SourceSettings) {
        if member == "data" {
            _ = members.word("type", ["geojson"])
            return
        }
        source.kind = members.word("type", SourceKind.allCases.map(\.rawValue)).flatMap(SourceKind.init)
        if member == "tiles", source.kind == nil, !members.has("type") {
            members.fail("type", "the type of the tiles is missing: vector, raster or raster-dem")
        }
        if source.kind == .terrain {
            source.encoding = readEncoding()
        } else {
            for member in Self.heights where members.has(member) {
                members.fail(member, "it applies only to raster-dem")
            }
        }
        if source.kind == .vector, members.has("tileSize") {
            members.fail("tileSize", "it does not apply to vector tiles")
        }
    }

    private mutating func readEncoding() -> DEMEncoding {
        let word = members.word("encoding", ["mapbox", "terrarium", "custom"])
        if word == "custom" {
            return .custom(
                red: members.number("redFactor") ?? 1, green: members.number("greenFactor") ?? 1,
                blue: members.number("blueFactor") ?? 1, base: members.number("baseShift") ?? 0)
        }
        for member in Self.heights.dropFirst() where members.has(member) {
            members.fail(member, "it applies only to the encoding custom")
        }
        return word == "terrarium" ? .terrarium : .mapbox
    }

    /// A string of letters, as in Leaflet, or an array of strings.
    private mutating func readSubdomains() -> [String] {
        guard let letters = members.object["subdomains"]?.text else {
            return members.texts("subdomains", limit: MapsFile.listLimit)
        }
        if (1...MapsFile.listLimit).contains(letters.count) { return letters.map(String.init) }
        members.fail("subdomains", "1 to \(MapsFile.listLimit) letters are expected")
        return []
    }

    private mutating func readFields() -> [RemoteField] {
        guard let value = members.object["headers"] else { return [] }
        guard let object = value.object, object.members.count <= MapsFile.listLimit else {
            members.fail("headers", "an object of at most \(MapsFile.listLimit) strings is expected")
            return []
        }
        var inner = MemberReader(object: object, path: members.path + ".headers", environment: members.environment)
        var fields: [RemoteField] = []
        for member in object.members {
            guard Self.isToken(member.name), let text = inner.text(member.name) else {
                inner.fail(member.name, "a field name with a string value is expected")
                continue
            }
            guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
                inner.fail(member.name, "its value has control characters")
                continue
            }
            fields.append(RemoteField(name: member.name, value: text))
        }
        for fault in inner.faults { members.fail(String(fault.path.dropFirst(members.path.count + 1)), fault.cause) }
        return fields
    }

    /// Whether it can be a field name (RFC 9110 §5.6.2).
    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 128 && name.utf8.allSatisfy(ASCII.isTokenByte)
    }
}
