import JSON

extension StyleReader {
    mutating func readSource(_ source: StyleObject) -> StyleSource? {
        switch word("type", of: source, ["vector", "raster", "raster-dem", "geojson", "image", "video"]) {
        case "vector"?: return .vector(readTiles(source))
        case "raster"?: return .raster(readTiles(source))
        case "raster-dem"?: return .rasterDEM(readTiles(source), readEncoding(source))
        case "geojson"?: return readGeoJSON(source).map(StyleSource.geoJSON)
        case "image"?: return readImage(source).map(StyleSource.image)
        case "video"?: return .video
        default:
            if source["type"] == nil { fail(source.path("type"), .missing) }
            return nil
        }
    }

    private mutating func readTiles(_ source: StyleObject) -> TileSource {
        var promoteID: [String: String] = [:]
        if case .object(let members)? = source["promoteId"] {
            let names = StyleObject(object: members, path: source.path("promoteId"))
            for member in members.members { promoteID[member.name] = text(member.name, of: names) }
        } else {
            promoteID[""] = text("promoteId", of: source)
        }
        return TileSource(
            url: text("url", of: source), tiles: texts("tiles", of: source) ?? [],
            bounds: numbers(source["bounds"], source.path("bounds"), count: 4), minZoom: number("minzoom", of: source),
            maxZoom: number("maxzoom", of: source), tileSize: number("tileSize", of: source, in: 1...4096),
            isTMS: word("scheme", of: source, ["xyz", "tms"]) == "tms", promoteID: promoteID,
            attribution: source["attribution"]?.text)
    }

    private mutating func readEncoding(_ source: StyleObject) -> DEMEncoding {
        switch word("encoding", of: source, ["terrarium", "mapbox", "custom"]) {
        case "terrarium"?: return .terrarium
        case "custom"?:
            return .custom(
                red: number("redFactor", of: source) ?? 1, green: number("greenFactor", of: source) ?? 1,
                blue: number("blueFactor", of: source) ?? 1, base: number("baseShift", of: source) ?? 0)
        default: return .mapbox
        }
    }

    private mutating func readGeoJSON(_ source: StyleObject) -> GeoJSONSource? {
        guard let data = source["data"] else {
            fail(source.path("data"), .missing)
            return nil
        }
        // Invalid data draws nothing; that should not fail the whole map.
        if data.object == nil, data.text == nil {
            style.warnings.append(StyleIssue(path: source.path("data"), fault: .kind(expected: "object or string")))
        }
        let buffer = number("buffer", of: source, in: 0...512) ?? 128
        let least = number("clusterMinPoints", of: source) ?? 2
        return GeoJSONSource(
            data: data, maxZoom: number("maxzoom", of: source) ?? 18, buffer: buffer,
            tolerance: number("tolerance", of: source) ?? 0.375, filter: source["filter"],
            isClustered: boolean("cluster", of: source) ?? false,
            clusterRadius: number("clusterRadius", of: source) ?? 50,
            clusterMaxZoom: number("clusterMaxZoom", of: source), clusterMinPoints: Int(min(1_000_000, max(2, least))),
            clusterProperties: source["clusterProperties"]?.object ?? OrderedObject(),
            hasLineMetrics: boolean("lineMetrics", of: source) ?? false,
            generatesIDs: boolean("generateId", of: source) ?? false, promoteID: text("promoteId", of: source),
            attribution: source["attribution"]?.text)
    }

    private mutating func readImage(_ source: StyleObject) -> ImageSource? {
        let path = source.path("coordinates")
        let corners = source["coordinates"]?.elements?.enumerated().compactMap { index, corner in
            // A position may have a height (RFC 7946 §3.1.1).
            let position = corner.elements.map { $0.count == 3 ? .array(Array($0.prefix(2))) : corner } ?? corner
            return numbers(position, "\(path)[\(index)]", count: 2)
        }
        if corners?.count != 4 { fail(path, source["coordinates"] == nil ? .missing : .kind(expected: "four corners")) }
        guard let url = requiredText("url", of: source), let corners else { return nil }
        return ImageSource(url: url, corners: corners)
    }
}
