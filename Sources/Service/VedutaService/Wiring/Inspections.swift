import AssetLibrary
import MapSources
import Originals
package import ServiceConfiguration

/// Checks a library of uploads that no server has open, for `veduta library check`.
package enum LibraryInspection {
    /// A line for each finding, and one for all.
    /// - Throws: when the library cannot be opened, such as while a server has it.
    package static func run(path: String, repairs: Bool) throws(ServiceError) -> (lines: [String], isSound: Bool) {
        let settings = UploadSettings(path: path, mediaType: SourceMedia.announced)
        do throws(UploadError) {
            let isReplaced = repairs && isDamaged(settings)
            let salvaged = try isReplaced ? UploadLibrary.setCatalogueAside(path: path) : nil
            let library = try UploadLibrary(settings)
            if let salvaged { try library.restore(salvaged) }
            let report = try library.check(repairs: repairs)
            let count = report.findings.count
            let outcome = count == 0 ? "no faults found" : "\(count) faults" + (report.isRepaired ? ", repaired" : "")
            let summary = "\(report.fileCount) files, \(report.byteCount) bytes, \(report.rowCount) rows: \(outcome)"
            let found = report.findings.map { line($0, repairs: repairs) }
            return ((salvaged.map { [line($0)] } ?? []) + found + [summary], count == 0 || report.isRepaired)
        } catch {
            throw .uploads(path: path, cause: StartCause.text(error))
        }
    }

    /// Calls `show` with a line for each asset after `id`.
    /// - Throws: when a folder cannot be opened; that of uploads cannot be while a server has it.
    package static func list(
        _ configuration: Configuration, after id: String, show: (String) -> Void
    ) throws(ServiceError) {
        let path = configuration.uploadFolder
        let folder = try OpenedService.openLibrary(configuration)
        do throws(UploadError) {
            var uploads: UploadLibrary?
            if let path { uploads = try UploadLibrary(UploadSettings(path: path, mediaType: SourceMedia.announced)) }
            let listing = AssetListing(uploads: uploads, folder: folder, mediaType: SourceMedia.announced)
            var next: String? = id
            while let after = next {
                let page = try listing.page(after: after, limit: pageLimit)
                for record in page.records { show("\(record.byteCount)\t\(record.mediaType ?? "-")\t\(record.id)") }
                next = page.next
            }
        } catch {
            throw .uploads(path: path ?? "", cause: StartCause.text(error))
        }
    }

    private static let pageLimit = 1000

    private static func isDamaged(_ settings: UploadSettings) -> Bool {
        do throws(UploadError) {
            _ = try UploadLibrary(settings)
            return false
        } catch {
            return error == .damagedCatalogue
        }
    }

    private static func line(_ finding: LibraryFinding, repairs: Bool) -> String {
        switch finding {
        case .missingRow(let id): "\(id): not in the catalogue" + (repairs ? "; added" : "")
        case .missingFile(let id): "\(id): in the catalogue, but has no file" + (repairs ? "; removed" : "")
        case .wrongSize(let id): "\(id): its size differs from the catalogue" + (repairs ? damaged(id) : "")
        case .wrongDigest(let id): "\(id): its bytes do not match its digest" + (repairs ? damaged(id) : "")
        case .orphanedFocalPoint(let id): "\(id): has a focal point, but is not there" + (repairs ? "; removed" : "")
        case .damagedFocalPoint(let id): "\(id): its focal point is beyond the image" + (repairs ? "; removed" : "")
        case .strayFile(let path): "\(path): not the name of an asset; left in place"
        }
    }

    private static func line(_ salvaged: SalvagedFocalPoints) -> String {
        "the catalogue was damaged: \(salvaged.count) focal points kept"
            + (salvaged.isWhole ? "" : ", others may be lost; `catalogue.sqlite3.damaged` is what is left of it")
    }

    private static func damaged(_ id: String) -> String {
        id.utf8.first == UInt8(ascii: "~") ? "; moved to `damaged`" : "; catalogue updated"
    }
}

/// Checks the sources and styles of maps, for `veduta map check`.
package enum MapInspection {
    /// Tiles of an archive that are looked at by default.
    package static let tileCount = MapCheck.sampleCount

    /// Reports on `file`, or on everything that the configuration names, and whether maps can be shown.
    /// - Parameter environment: what `${NAME}` in the maps file stands for.
    package static func run(
        _ configuration: Configuration, environment: [String: String], file: String?, tileCount: Int, asJSON: Bool
    ) -> (text: String, isSound: Bool) {
        let settings = MapLibrarySettings(configuration, environment: environment)
        let check = MapCheck(settings, sampleCount: tileCount)
        let reports = file.map(check.file) ?? check.everything()
        let isSound = reports.allSatisfy { $0.isSound }
        if asJSON { return (MapReport.jsonText(reports), isSound) }
        let text = reports.map { $0.lines.joined(separator: "\n") }.joined(separator: "\n\n")
        return (text.isEmpty ? "the built-in world and styles: no faults found" : text, isSound)
    }
}
