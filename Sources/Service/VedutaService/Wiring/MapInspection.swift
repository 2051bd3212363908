import ImageEngine
import JSON
import MapSources
import Raster
package import ServiceConfiguration

/// Looks into the sources and styles of maps, for `veduta map check`.
package enum MapInspection {
    /// How many tiles of an archive are looked at unless said otherwise.
    package static let tileCount = MapCheck.sampleCount

    /// What there is to say of the file at `file`, or of all that the configuration names, and whether nothing keeps maps from
    /// being shown.
    ///
    /// - `environment`: what `${NAME}` in the maps file stands for.
    package static func run(
        _ configuration: Configuration, environment: [String: String], file: String?, tileCount: Int, asJSON: Bool
    ) -> (text: String, isSound: Bool) {
        var settings = MapLibrarySettings(picture: MapTextures.decode)
        settings.archive = configuration.mapArchive
        settings.style = configuration.mapStyle
        settings.files = configuration.mapFiles
        settings.maps = configuration.maps
        settings.environment = environment
        let check = MapCheck(settings, sampleCount: tileCount)
        let reports = file.map(check.file) ?? check.everything()
        let isSound = reports.allSatisfy { $0.isSound }
        if asJSON { return (MapReport.jsonText(reports), isSound) }
        let text = reports.map { $0.lines.joined(separator: "\n") }.joined(separator: "\n\n")
        return (text.isEmpty ? "the built-in world and styles: no faults found" : text, isSound)
    }
}
