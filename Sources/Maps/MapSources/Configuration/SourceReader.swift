import JSON
import MapStyle

/// Reads one source of the maps file.
struct SourceReader {
    let name: String
    var members: MemberReader
    let folder: String

    /// The three ways of saying where a source comes from.
    private static let places = ["archive", "tiles", "data"]
    private static let common = ["type", "title", "description", "attribution", "bounds"]
    private static let heights = ["encoding", "redFactor", "greenFactor", "blueFactor", "baseShift"]

    /// What a source from each place may have beside its place.
    private static let members: [String: [String]] = [
        "archive": common + heights + ["tileSize", "minzoom", "maxzoom", "missing", "headers"],
        "tiles": common + heights + [
            "tileSize", "minzoom", "maxzoom", "missing", "headers", "subdomains", "scheme",
        ],
        "data": ["type", "title", "description", "attribution"],
    ]

    /// The source, or nil where what it shows cannot be told.
    mutating func read() -> SourceSettings? {
        let given = Self.places.filter(members.has)
        guard given.count == 1, let place = given.first else {
            members.requireKnown(Self.places + (Self.members["tiles"] ?? []))
            members.fail(nil, "exactly one of \(Self.places.joined(separator: ", ")) is expected")
            return nil
        }
        members.requireKnown([place] + (Self.members[place] ?? []))
        var source = SourceSettings(name: name, label: name, place: .builtIn)
        guard let found = readPlace(place) else { return nil }
        source.place = found
        readKind(place, &source)
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
        readMissing(&source)
        source.subdomains = readSubdomains()
        source.isTMS = members.word("scheme", ["xyz", "tms"]) == "tms"
        source.fields = readFields()
        return source
    }

    private mutating func readPlace(_ place: String) -> SourceSettings.Place? {
        switch place {
        case "archive":
            return members.text("archive").map { given in
                Self.isRemote(given)
                    ? .remoteArchive(address: given) : .file(path: LocalFile.path(given, in: folder))
            }
        case "tiles":
            let templates = members.texts("tiles", limit: MapsFile.listLimit)
            for (index, template) in templates.enumerated() where !Self.isRemote(template) {
                members.fail("tiles[\(index)]", "a URL with https:// is expected")
            }
            return templates.isEmpty ? nil : .templates(templates)
        default:
            return members.text("data").map { given in
                Self.isRemote(given)
                    ? .remoteGeoJSON(address: given) : .geoJSONFile(path: LocalFile.path(given, in: folder))
            }
        }
    }

    /// An address of another server; which ones may be asked is for the settings of the service to say.
    static func isRemote(_ text: String) -> Bool { text.hasPrefix("https://") || text.hasPrefix("http://") }

    private mutating func readKind(_ place: String, _ source: inout SourceSettings) {
        if place == "data" {
            _ = members.word("type", ["geojson"])
            return
        }
        let word = members.word("type", SourceKind.allCases.map(\.rawValue))
        source.kind = word.flatMap(SourceKind.init)
        if place == "tiles", source.kind == nil, !members.has("type") {
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
        let factors = Self.heights.dropFirst()
        let word = members.word("encoding", ["mapbox", "terrarium", "custom"])
        if word == "custom" {
            return .custom(
                red: members.number("redFactor") ?? 1, green: members.number("greenFactor") ?? 1,
                blue: members.number("blueFactor") ?? 1, base: members.number("baseShift") ?? 0)
        }
        for member in factors where members.has(member) {
            members.fail(member, "it applies only to the encoding custom")
        }
        return word == "terrarium" ? .terrarium : .mapbox
    }

    private mutating func readMissing(_ source: inout SourceSettings) {
        source.missing = members.word("missing", MissingTilePolicy.allCases.map(\.rawValue))
            .flatMap(MissingTilePolicy.init)
        // Vector tiles are not cut from those above them: what is missing is empty, as in MapLibre.
        if source.missing == .overzoom, source.kind == .vector {
            members.fail("missing", "overzoom applies only to raster and raster-dem")
        }
    }

    /// A string of letters, as Leaflet has it, or an array of strings.
    private mutating func readSubdomains() -> [String] {
        if let letters = members.object["subdomains"]?.text {
            guard (1...MapsFile.listLimit).contains(letters.count) else {
                members.fail("subdomains", "1 to \(MapsFile.listLimit) letters are expected")
                return []
            }
            return letters.map(String.init)
        }
        return members.texts("subdomains", limit: MapsFile.listLimit)
    }

    private mutating func readFields() -> [RemoteField] {
        guard let value = members.object["headers"] else { return [] }
        guard let object = value.object, object.members.count <= MapsFile.listLimit else {
            members.fail("headers", "an object of at most \(MapsFile.listLimit) strings is expected")
            return []
        }
        var inner = MemberReader(object, path: members.path + ".headers", environment: members.environment)
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

    /// What names of fields are made of (RFC 9110 §5.6.2).
    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 128
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }
}
