import JSON

extension StyleReader {
    mutating func readSource(_ source: OrderedObject<JSONValue>, _ path: String) -> StyleSource? {
        let kinds = ["vector", "raster", "raster-dem", "geojson", "image", "video"]
        switch word(source["type"], kinds, "\(path).type") {
        case "vector"?: return .vector(readTiles(source, path))
        case "raster"?: return .raster(readTiles(source, path))
        case "raster-dem"?: return .rasterDEM(readTiles(source, path), readEncoding(source, path))
        case "geojson"?: return readGeoJSON(source, path).map(StyleSource.geoJSON)
        case "image"?: return readImage(source, path).map(StyleSource.image)
        case "video"?: return .video
        default:
            if source["type"] == nil { fail("\(path).type", .missing) }
            return nil
        }
    }

    private mutating func readTiles(_ source: OrderedObject<JSONValue>, _ path: String) -> TileSource {
        var promoteID: [String: String] = [:]
        switch source["promoteId"] {
        case .object(let object)?:
            for member in object.members {
                promoteID[member.name] = text(member.value, "\(path).promoteId.\(member.name)")
            }
        case let value: text(value, "\(path).promoteId").map { promoteID[""] = $0 }
        }
        return TileSource(
            url: text(source["url"], "\(path).url"), tiles: texts(source["tiles"], "\(path).tiles") ?? [],
            bounds: numbers(source["bounds"], "\(path).bounds", count: 4),
            minZoom: number(source["minzoom"], "\(path).minzoom"),
            maxZoom: number(source["maxzoom"], "\(path).maxzoom"),
            tileSize: side(source["tileSize"], "\(path).tileSize"),
            isTMS: word(source["scheme"], ["xyz", "tms"], "\(path).scheme") == "tms", promoteID: promoteID,
            attribution: source["attribution"]?.text)
    }

    private mutating func side(_ json: JSONValue?, _ path: String) -> Double? {
        guard let side = number(json, path) else { return nil }
        if !(1...4096).contains(side) { fail(path, .range(least: 1, greatest: 4096)) }
        return side
    }

    private mutating func readEncoding(_ source: OrderedObject<JSONValue>, _ path: String) -> DEMEncoding {
        switch word(source["encoding"], ["terrarium", "mapbox", "custom"], "\(path).encoding") {
        case "terrarium"?: return .terrarium
        case "custom"?:
            return .custom(
                red: number(source["redFactor"], "\(path).redFactor") ?? 1,
                green: number(source["greenFactor"], "\(path).greenFactor") ?? 1,
                blue: number(source["blueFactor"], "\(path).blueFactor") ?? 1,
                base: number(source["baseShift"], "\(path).baseShift") ?? 0)
        default: return .mapbox
        }
    }

    private mutating func readGeoJSON(_ source: OrderedObject<JSONValue>, _ path: String) -> GeoJSONSource? {
        guard let data = source["data"] else {
            fail("\(path).data", .missing)
            return nil
        }
        // Data that is none draws nothing, which is not worth a whole map.
        if data.object == nil, data.text == nil {
            style.notices.append(StyleIssue(path: "\(path).data", fault: .kind(expected: "object or string")))
        }
        let buffer = number(source["buffer"], "\(path).buffer") ?? 128
        if !(0...512).contains(buffer) { fail("\(path).buffer", .range(least: 0, greatest: 512)) }
        let least = number(source["clusterMinPoints"], "\(path).clusterMinPoints") ?? 2
        return GeoJSONSource(
            data: data, maxZoom: number(source["maxzoom"], "\(path).maxzoom") ?? 18, buffer: buffer,
            tolerance: number(source["tolerance"], "\(path).tolerance") ?? 0.375, filter: source["filter"],
            isClustered: boolean(source["cluster"], "\(path).cluster") ?? false,
            clusterRadius: number(source["clusterRadius"], "\(path).clusterRadius") ?? 50,
            clusterMaxZoom: number(source["clusterMaxZoom"], "\(path).clusterMaxZoom"),
            clusterMinPoints: Int(min(1_000_000, max(2, least))),
            clusterProperties: source["clusterProperties"]?.object ?? OrderedObject(),
            hasLineMetrics: boolean(source["lineMetrics"], "\(path).lineMetrics") ?? false,
            generatesIDs: boolean(source["generateId"], "\(path).generateId") ?? false,
            promoteID: text(source["promoteId"], "\(path).promoteId"), attribution: source["attribution"]?.text)
    }

    private mutating func readImage(_ source: OrderedObject<JSONValue>, _ path: String) -> ImageSource? {
        let place = "\(path).coordinates"
        let corners = source["coordinates"]?.elements?.enumerated().compactMap { index, corner in
            // A position may have a height (RFC 7946 §3.1.1).
            numbers(
                corner.elements.map { $0.count == 3 ? .array(Array($0.prefix(2))) : corner } ?? corner,
                "\(place)[\(index)]", count: 2)
        }
        if corners?.count != 4 {
            fail(place, source["coordinates"] == nil ? .missing : .kind(expected: "four corners"))
        }
        guard let url = required(text(source["url"], "\(path).url"), "\(path).url", source["url"]), let corners else {
            return nil
        }
        return ImageSource(url: url, corners: corners)
    }
}
