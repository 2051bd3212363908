import JSON
import MapStyle

extension SourceLoader {
    func geoJSONTiles(of source: GeoJSONSource) throws(MapError) -> SourceContent {
        attributions.add(source.attribution)
        let found = try MapError.orGap { () throws(ResourceError) in
            try GeoJSONData(source, resources, shouldStop: shouldStop)
        }
        guard let data = found else { return .none }
        do throws(GeoJSONError) {
            return try tiles(of: data, source)
        } catch {
            if error == .cancelled { throw .cancelled }
            resources.faults.add(source.data.text ?? "GeoJSON", "\(error)")
            return .none
        }
    }

    private func tiles(of data: GeoJSONData, _ source: GeoJSONSource) throws(GeoJSONError) -> SourceContent {
        let shouldStop = shouldStop
        let leave = { () throws(GeoJSONError) -> Void in
            if shouldStop() { throw .cancelled }
        }
        let key = GeoJSONKey(data: data.key, source)
        let content = try caches.geoJSON.value(for: key, whileWaiting: leave) { () throws(GeoJSONError) in
            let content = try GeoJSONContent(data.json(), source, shouldStop: shouldStop)
            return .init(content, byteCount: content.byteCount)
        }
        let places = TileCover(maxZoom: GeoJSONOptions(source).maxZoom).tiles(view, margin: view.margin)
        let layers = try content.tiles(places.map(\.id), shouldStop: shouldStop)
        return .features(
            zip(places, layers).compactMap { place, layer in
                layer.map { FeatureTile(tile: place, layers: ["": $0]) }
            })
    }
}
