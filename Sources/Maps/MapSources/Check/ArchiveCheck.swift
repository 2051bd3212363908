import Bytes
import JSON
import MapRender
import Raster

/// Checks an archive and a sample of its tiles.
struct ArchiveCheck {
    let picture: @Sendable (SharedBytes) -> Texture?
    let sampleCount: Int

    /// The report, and the inventory for checks of styles. `completed` is the archive with overriding settings.
    func report(
        _ archive: any SampledArchive, name: String, completed: (any SourceArchive)? = nil
    ) -> (report: MapReport, inventory: TileInventory) {
        var report = MapReport(kind: "archive", name: name)
        report.add("format", archive.fileFormat)
        do throws(ResourceError) {
            let details = try (completed ?? archive).details()
            Self.describe(details, &report)
            let sample = try archive.sampleTiles(sampleCount)
            if let total = sample.total { report.add("tiles", total) }
            let inventory = TileInventory(archive, sample.tiles, format: details.format, picture: picture)
            Self.describe(inventory, details, &report)
            return (report, inventory)
        } catch {
            if let cause = error.cause { report.fault(cause) }
            return (report, TileInventory(archive, [], format: .unknown, picture: picture))
        }
    }

    private static func describe(_ details: SourceDetails, _ report: inout MapReport) {
        report.add("title", details.title)
        report.add("description", details.description)
        report.add("version", details.version)
        report.add("tile type", details.format == .unknown ? "not given" : details.format.mediaType)
        report.add("zooms", "\(details.zooms.lowerBound) to \(details.zooms.upperBound)")
        report.add("bounds", details.bounds.map { $0.map { "\($0)" }.joined(separator: ", ") })
        report.add(
            "centre", details.centre.map { "latitude \($0.latitude), longitude \($0.longitude), zoom \($0.zoom)" })
        report.add("attribution", details.attribution)
        if details.bounds == nil { report.note("it does not give its bounds") }
        if details.attribution == nil { report.note("it has no attribution; the maps file can add one (attribution)") }
        if details.format == .unknown { report.note("it does not give the type of its tiles") }
        if details.format == .avif { report.fault("its tiles are AVIF images, which this server cannot draw") }
        if details.format == .vector, details.vectorLayers.isEmpty {
            report.note("it does not list the layers of its tiles (vector_layers), which programs such as QGIS need")
        }
    }

    private static func describe(_ inventory: TileInventory, _ details: SourceDetails, _ report: inout MapReport) {
        report.add("tiles checked", inventory.tileCount)
        report.add("compression", inventory.encodings.sorted().joined(separator: ", "))
        report.add("largest tile", inventory.largest.map { "\($0.byteCount) bytes (\($0.id.text))" })
        report.add("size of images", inventory.sizes.sorted().joined(separator: ", "))
        if inventory.sizes.count > 1 { report.note("its images differ in size") }
        if inventory.tileCount == 0 { report.fault("it has no tiles") }
        if inventory.missingCount > 0 { report.fault("\(inventory.missingCount) tiles of its directory are missing") }
        if inventory.faultCount > 0 {
            report.fault("\(inventory.faultCount) of \(inventory.tileCount) tiles cannot be read")
            for fault in inventory.faults { report.fault(fault) }
        }
        report.layers = layers(inventory, details)
        guard !details.vectorLayers.isEmpty else { return }
        for name in inventory.layers.keys.sorted()
        where !details.vectorLayers.contains(where: { $0["id"] == .string(name) }) {
            report.note("its metadata does not list it", at: "layer \(name)")
        }
    }

    /// The found and the declared layers, by name.
    private static func layers(_ inventory: TileInventory, _ details: SourceDetails) -> [MapReport.Layer] {
        var layers: [String: MapReport.Layer] = [:]
        for declared in details.vectorLayers.prefix(2000) {
            guard let name = declared["id"]?.text else { continue }
            var fields: [String: String] = [:]
            for field in declared["fields"]?.object?.members.prefix(2000) ?? [] {
                fields[field.name] = field.value.text?.lowercased() ?? "unknown"
            }
            layers[name] = MapReport.Layer(name: name, zooms: zooms(declared), featureCounts: [:], fields: fields)
        }
        for (name, found) in inventory.layers {
            let declared = layers[name]
            let fields = found.fields.mapValues { $0.sorted().joined(separator: " or ") }
            layers[name] = MapReport.Layer(
                name: name, zooms: declared?.zooms ?? found.zooms, featureCounts: found.featureCounts,
                fields: (declared?.fields ?? [:]).merging(fields) { _, found in found })
        }
        return layers.values.sorted { $0.name < $1.name }
    }

    private static func zooms(_ declared: JSONValue) -> ClosedRange<Int>? {
        guard let least = declared["minzoom"]?.number, let greatest = declared["maxzoom"]?.number, least >= 0,
            greatest >= least, greatest <= 30
        else { return nil }
        return Int(least)...Int(greatest)
    }
}
