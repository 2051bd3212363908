import JSON
import MapRender
import MapStyle
import Parameters

/// Compares a style with what its sources contain.
struct StyleCheck {
    /// The sampled tiles of the library's sources, by their keys.
    let inventories: [String: TileInventory]
    let snapshot: MapSnapshot

    func report(_ state: StyleState, _ content: StyleState.Content) -> MapReport {
        var report = MapReport(kind: "style", name: state.settings.label)
        report.add("title", content.document["name"]?.text)
        report.add("layers", content.style.layers.count)
        report.add("sources", content.style.sources.keys.sorted().joined(separator: ", "))
        if content.style.warnings.count > 20 {
            report.note("\(content.style.warnings.count - 20) more properties that the specification does not have")
        }
        for warning in content.style.warnings.prefix(20) { report.note(warning.message, at: warning.path) }
        checkSources(content, &report)
        var layers: [CheckedLayer] = []
        for (index, layer) in (content.document["layers"]?.elements ?? []).enumerated() {
            layers.append(CheckedLayer(layer, index: index))
            check(layer, layers[index], of: content, &report)
        }
        StyleFilesCheck(resources: StyleResources(snapshot: snapshot, content: content), style: content.style)
            .check(layers, &report)
        return report
    }

    private func checkSources(_ content: StyleState.Content, _ report: inout MapReport) {
        let drawn = Set(content.style.layers.compactMap(\.source))
        for (id, source) in content.style.sources.sorted(by: { $0.key < $1.key }) {
            let path = "sources.\(id)"
            if !drawn.contains(id) { report.note("no layer uses it", at: path) }
            if source == .video { report.note("videos are not drawn", at: path) }
            let use = content.sources.first { $0.id == id }
            if let use, let kind = snapshot.sources[use.key]?.entry?.kind {
                if !Self.fits(source, kind) {
                    report.fault("the style expects tiles other than \(kind.rawValue)", at: path)
                }
                if snapshot.sources[use.key]?.isRemote == true { report.note(MapReport.notContacted, at: path) }
            } else if use == nil, let address = Self.address(of: source) {
                let resources = StyleResources(snapshot: snapshot, content: content)
                if SourceAddress.isRemote(address) {
                    report.note(MapReport.notContacted, at: path)
                } else if ((try? resources.bytes(at: address)) ?? nil) == nil {
                    report.fault("there is nothing at '\(address)'", at: path)
                }
            }
        }
    }

    private static func fits(_ source: StyleSource, _ kind: SourceKind) -> Bool {
        switch (source, kind) {
        case (.vector, .vector), (.raster, .raster), (.rasterDEM, .terrain), (.rasterDEM, .raster), (.raster, .terrain):
            true
        default: false
        }
    }

    /// The address that the source depends on, unless it is a local template, which cannot be checked.
    private static func address(of source: StyleSource) -> String? {
        switch source {
        case .vector(let tiles), .raster(let tiles), .rasterDEM(let tiles, _):
            tiles.url ?? tiles.tiles.first { SourceAddress.isRemote($0) }
        case .geoJSON(let source): source.data.text
        case .image(let image): image.url
        case .video: nil
        }
    }

    private func check(
        _ layer: JSONValue, _ checked: CheckedLayer, of content: StyleState.Content, _ report: inout MapReport
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
            let text = "the source '\(id)' has no layer '\(name)'\(hint ?? ": it has \(all)")"
            return report.fault(text, at: checked.path)
        }
        if let greatest = layer["maxzoom"]?.number, greatest <= Double(entry.archive.zooms.lowerBound) {
            report.note("it ends before the first level of its source", at: checked.path)
        }
        let fields = declared.first { $0["id"] == .string(name) }?["fields"]?.object?.members.map(\.name) ?? []
        let present = Set(fields + (inventory.layers[name].map { Array($0.fields.keys) } ?? []))
        // Nothing is known of the fields of a layer that no tile has.
        guard !present.isEmpty || inventory.layers[name] != nil else { return }
        let absent = checked.references.properties.filter { !present.contains($0) && !$0.isEmpty }.sorted()
        if !absent.isEmpty {
            let text = "no feature of '\(name)' has \(absent.prefix(20).joined(separator: ", "))"
            report.note(text, at: checked.path)
        }
    }
}

/// A layer's path in reports, and its references.
struct CheckedLayer {
    let path: String
    let references: LayerReferences

    init(_ layer: JSONValue, index: Int) {
        path = "layers[\(index)] (\(layer["id"]?.text ?? ""))"
        references = LayerReferences(layer: layer)
    }
}
