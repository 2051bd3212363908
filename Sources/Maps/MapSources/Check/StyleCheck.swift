import Bytes
import JSON
import MapRender
import MapStyle
import Parameters

/// Holds a style against what its sources have.
struct StyleCheck {
    /// The tiles that were looked at of the library's sources, by their keys.
    let inventories: [String: TileInventory]
    let snapshot: MapSnapshot

    /// What is wrong with the style in this state.
    func report(_ state: StyleState, _ content: StyleState.Content) -> MapReport {
        var report = MapReport(kind: "style", name: StyleCompiler.label(state.settings))
        report.add("title", content.document["name"]?.text)
        report.add("layers", content.style.layers.count)
        report.add("sources", content.style.sources.keys.sorted().joined(separator: ", "))
        if content.style.notices.count > 20 {
            report.notice(
                "", "\(content.style.notices.count - 20) more properties that the specification does not have")
        }
        for issue in content.style.notices.prefix(20) { report.notice(issue.path, issue.message) }
        checkSources(content, &report)
        var mentions: [(place: String, mentions: StyleMentions)] = []
        for (index, layer) in (content.document["layers"]?.elements ?? []).enumerated() {
            let place = "layers[\(index)] (\(layer["id"]?.text ?? ""))"
            let found = StyleMentions(layer: layer)
            mentions.append((place, found))
            checkLayer(layer, place, found, content, &report)
        }
        StyleFilesCheck(resources: StyleResources(snapshot: snapshot, content: content))
            .check(content.style, mentions, &report)
        return report
    }

    private func checkSources(_ content: StyleState.Content, _ report: inout MapReport) {
        let drawn = Set(content.style.layers.compactMap(\.source))
        for (id, source) in content.style.sources.sorted(by: { $0.key < $1.key }) {
            let place = "sources.\(id)"
            if !drawn.contains(id) { report.notice(place, "no layer uses it") }
            if source == .video { report.notice(place, "videos are not drawn") }
            let use = content.sources.first { $0.id == id }
            if let use, let entry = snapshot.sources[use.key]?.entry {
                if let words = Self.contradiction(source, entry.kind) { report.fault(place, words) }
                if snapshot.sources[use.key]?.isRemote == true {
                    report.notice(place, "it is on another server, which was not contacted")
                }
            } else if use == nil, let address = Self.address(of: source) {
                if SourceReader.isRemote(address) {
                    report.notice(place, "it is on another server, which was not contacted")
                } else if !Self.isThere(address, snapshot, content) {
                    report.fault(place, "there is nothing at '\(address)'")
                }
            }
        }
    }

    private static func contradiction(_ source: StyleSource, _ kind: SourceKind) -> String? {
        switch (source, kind) {
        case (.vector, .vector), (.raster, .raster), (.rasterDEM, .terrain), (.rasterDEM, .raster), (.raster, .terrain):
            nil
        default: "the style expects tiles other than \(kind.rawValue)"
        }
    }

    /// The address of what must be there for the source to show anything; templates cannot be looked at.
    private static func address(of source: StyleSource) -> String? {
        switch source {
        case .vector(let tiles), .raster(let tiles), .rasterDEM(let tiles, _):
            tiles.url ?? tiles.tiles.first { SourceReader.isRemote($0) }
        case .geoJSON(let source): source.data.text
        case .image(let image): image.url
        case .video: nil
        }
    }

    private static func isThere(_ address: String, _ snapshot: MapSnapshot, _ content: StyleState.Content) -> Bool {
        let resources = StyleResources(snapshot: snapshot, content: content)
        return ((try? resources.bytes(at: address)) ?? nil) != nil
    }

    private func checkLayer(
        _ layer: JSONValue, _ place: String, _ mentions: StyleMentions, _ content: StyleState.Content,
        _ report: inout MapReport
    ) {
        guard let id = layer["source"]?.text, let name = layer["source-layer"]?.text,
            let use = content.sources.first(where: { $0.id == id }), let entry = snapshot.sources[use.key]?.entry,
            entry.kind == .vector, let inventory = inventories[use.key], inventory.tileCount > 0
        else { return }
        let declared = (try? entry.details())?.vectorLayers ?? []
        let names = Set(declared.compactMap { $0["id"]?.text } + inventory.layers.keys)
        guard names.contains(name) else {
            let hint = Suggestion.nearest(to: name, among: names.sorted()).map { "; did you mean '\($0)'?" }
            let all = names.sorted().prefix(30).joined(separator: ", ")
            return report.fault(place, "the source '\(id)' has no layer '\(name)'\(hint ?? ": it has \(all)")")
        }
        if let greatest = layer["maxzoom"]?.number, greatest <= Double(entry.archive.zooms.lowerBound) {
            report.notice(place, "it ends before the first level of its source")
        }
        let fields = declared.first { $0["id"] == .string(name) }?["fields"]?.object?.members.map(\.name) ?? []
        let present = Set(fields + (inventory.layers[name].map { Array($0.fields.keys) } ?? []))
        // A layer that is in none of the tiles says nothing of its fields.
        guard !present.isEmpty || inventory.layers[name] != nil else { return }
        let absent = mentions.properties.filter { !present.contains($0) && !$0.isEmpty }.sorted()
        if !absent.isEmpty {
            report.notice(place, "no feature of '\(name)' has \(absent.prefix(20).joined(separator: ", "))")
        }
    }
}
