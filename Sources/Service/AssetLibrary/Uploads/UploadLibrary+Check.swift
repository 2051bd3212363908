import Glibc
import Reactor
import SQLite
import Synchronization

extension UploadLibrary {
    /// Reads every file and row and tells how they differ; with `repairs`, makes them agree. Files count more than
    /// rows: a lost catalogue is made again from them. Nobody changes anything meanwhile. O(bytes of all assets).
    package func check(repairs: Bool = false) throws(UploadError) -> LibraryReport {
        try writer.withLock { writer throws(UploadError) in
            var report = LibraryReport()
            let ids = try allFiles(&report)
            for id in ids { try checkFile(id, writer.catalogue, repairs: repairs, &report) }
            try checkRows(writer.catalogue, repairs: repairs, &report)
            try checkFocalPoints(writer.catalogue, repairs: repairs, &report)
            report.isRepaired = repairs && !report.findings.isEmpty
            do throws(SQLiteError) { writer.totals = try writer.catalogue.totals() } catch { throw UploadError(error) }
            return report
        }
    }

    /// Renames the catalogue to `catalogue.sqlite3.damaged`, so that opening the library makes another, for which it returns
    /// the focal points.
    /// - Throws: `UploadError.inUse`, `.noRoom`, `.io`.
    @discardableResult
    package static func setCatalogueAside(path: String) throws(UploadError) -> SalvagedFocalPoints {
        let folder = try UploadFolder(path: path)
        let points = SalvagedFocalPoints(cataloguePath: path + "/" + UploadFolder.catalogueName)
        do throws(Errno) {
            for suffix in ["", "-wal", "-shm"] {
                let name = UploadFolder.catalogueName + suffix
                do throws(Errno) {
                    try folder.move(name, to: name + ".damaged")
                } catch {
                    if error != .noSuchEntry { throw error }
                }
            }
            try folder.sync()
        } catch {
            throw UploadError(error)
        }
        return points
    }

    // MARK: Files

    private func allFiles(_ report: inout LibraryReport) throws(UploadError) -> [UploadID] {
        var ids: [UploadID] = []
        do throws(Errno) {
            for group in try folder.names(in: "objects") {
                let path = "objects/" + group.text
                guard try folder.state(at: path).kind == .folder else {
                    report.findings.append(.strayFile(path: path))
                    continue
                }
                for name in try folder.names(in: path) {
                    if let id = try? UploadID("~" + name.text), id.path == path + "/" + name.text,
                        try folder.state(at: id.path).kind == .file
                    {
                        ids.append(id)
                    } else {
                        report.findings.append(.strayFile(path: path + "/" + name.text))
                    }
                }
            }
            try namedFiles("names", &ids, &report)
        } catch {
            throw UploadError(error)
        }
        return ids
    }

    private func namedFiles(_ path: String, _ ids: inout [UploadID], _ report: inout LibraryReport) throws(Errno) {
        for name in try folder.names(in: path) {
            let path = path + "/" + name.text
            switch try folder.state(at: path).kind {
            case .folder: try namedFiles(path, &ids, &report)
            case .file:
                if let id = try? UploadID(String(path.dropFirst("names/".count))), id.path == path {
                    ids.append(id)
                } else {
                    report.findings.append(.strayFile(path: path))
                }
            case .other: report.findings.append(.strayFile(path: path))
            }
        }
    }

    private func checkFile(
        _ id: UploadID, _ catalogue: Catalogue, repairs: Bool, _ report: inout LibraryReport
    ) throws(UploadError) {
        guard let found = try rowFromFile(id, token: nextToken()) else { return }
        report.fileCount += 1
        report.byteCount += found.byteCount
        do {
            let row = try catalogue.row(id.text)
            if let row, row.byteCount != found.byteCount {
                report.findings.append(.wrongSize(id: id.text))
            } else if (row?.digest ?? found.digest) != found.digest || (id.digest ?? found.digest) != found.digest {
                report.findings.append(.wrongDigest(id: id.text))
            } else if row == nil {
                report.findings.append(.missingRow(id: id.text))
            } else {
                return
            }
            guard repairs else { return }
            if let digest = id.digest, digest != found.digest {
                try folder.setAside(id, as: id.fileName)
                if row != nil { try remove(id.text, from: catalogue) }
            } else {
                try catalogue.write(row.map { found.keeping($0) } ?? found)
            }
        } catch {
            throw UploadError(anyOf: error)
        }
    }

    // MARK: Rows

    private func checkRows(_ catalogue: Catalogue, repairs: Bool, _ report: inout LibraryReport) throws(UploadError) {
        do {
            var last = ""
            while true {
                let rows = try catalogue.rows(after: last, limit: 1000)
                guard let end = rows.last else { return }
                last = end.id
                for row in rows {
                    report.rowCount += 1
                    if let id = try? UploadID(row.id), try folder.state(of: id)?.kind == .file { continue }
                    report.findings.append(.missingFile(id: row.id))
                    if repairs { try remove(row.id, from: catalogue) }
                }
            }
        } catch {
            throw UploadError(anyOf: error)
        }
    }

    private func remove(_ id: String, from catalogue: Catalogue) throws(SQLiteError) {
        try catalogue.remove(id)
        focalPoints.set(nil, of: id)
    }

    // MARK: Focal points

    /// A name without a file here may be that of a file in the folder of images, so its point stays.
    private func checkFocalPoints(
        _ catalogue: Catalogue, repairs: Bool, _ report: inout LibraryReport
    ) throws(UploadError) {
        var points: [(id: String, isDamaged: Bool)] = []
        do {
            try catalogue.eachFocalPoint { id, point in points.append((id, point == nil)) }
            for (id, isDamaged) in points {
                if isDamaged {
                    report.findings.append(.damagedFocalPoint(id: id))
                } else if try isOrphan(id, catalogue) {
                    report.findings.append(.orphanedFocalPoint(id: id))
                } else {
                    continue
                }
                guard repairs else { continue }
                try catalogue.setFocalPoint(nil, of: id)
                focalPoints.set(nil, of: id)
            }
        } catch {
            throw UploadError(anyOf: error)
        }
    }

    /// Whether `id` is one of uploads alone, and there is none. With a row, it is told of as a missing file.
    private func isOrphan(_ id: String, _ catalogue: Catalogue) throws -> Bool {
        guard id.utf8.first == UInt8(ascii: "~") else { return false }
        guard let upload = try? UploadID(id) else { return true }
        return try catalogue.row(id) == nil && folder.state(of: upload)?.kind != .file
    }
}

extension CatalogueRow {
    /// This row with what only `row` knows.
    fileprivate func keeping(_ row: CatalogueRow) -> CatalogueRow {
        CatalogueRow(
            id: id, digest: digest, byteCount: byteCount, mediaType: mediaType, created: row.created,
            modified: modified, token: token, fileName: row.fileName)
    }
}

/// Something in a library of uploads that is wrong.
package enum LibraryFinding: Equatable, Sendable {
    /// The catalogue does not know the file. Repair: a row for it.
    case missingRow(id: String)
    /// A row without a file. Repair: the row goes.
    case missingFile(id: String)
    /// Repair: as for `wrongDigest`.
    case wrongSize(id: String)
    /// The bytes differ from the row or from the id. Repair: a file with a chosen name gets a new row; one whose id is
    /// its content's moves to `damaged`, and its row goes.
    case wrongDigest(id: String)
    /// A focal point of an upload that is not there. Repair: the point goes.
    case orphanedFocalPoint(id: String)
    /// A focal point beyond its image, which counts as none. Repair: the point goes.
    case damagedFocalPoint(id: String)
    /// A file or folder where no asset can be. It stays.
    case strayFile(path: String)
}

package struct LibraryReport: Equatable, Sendable {
    package internal(set) var fileCount = 0
    package internal(set) var byteCount = 0
    package internal(set) var rowCount = 0
    /// Files before rows before focal points, in the order of their paths and ids.
    package internal(set) var findings: [LibraryFinding] = []
    package internal(set) var isRepaired = false
}
