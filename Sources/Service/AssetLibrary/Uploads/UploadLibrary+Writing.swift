import Reactor
import SQLite
import Synchronization

extension UploadLibrary {
    /// Stores `content` under the id of its digest, and returns when it is on the disk; known bytes are not written
    /// again. `fileName` is what the client calls the file.
    /// - Throws: `UploadError.unknownMedia`, `.tooLarge`, `.tooMany`, `.full`, `.noRoom`, `.catalogue`, `.io`.
    @discardableResult
    package func add(_ content: UploadContent, fileName: String? = nil) throws(UploadError) -> StoredUpload {
        let upload = try examine(content)
        let id = UploadID(upload.content.digest)
        return try store(content, upload, as: id, fileName: fileName) { _ in true }
    }

    /// Stores `content` under the name `id`, in place of an asset of that name, if `isAllowed` returns true for that asset
    /// (nil: there is none).
    ///
    /// `isAllowed` is called while nobody else can change the asset, and must be quick. An id that begins with `~` takes
    /// only the content that it spells.
    /// - Throws: as `add`; `UploadError.invalidID`, `.nameTaken`, `.preconditionFailed`.
    @discardableResult
    package func put(
        _ id: String, _ content: UploadContent, fileName: String? = nil,
        where isAllowed: (AssetRecord?) -> Bool = { _ in true }
    ) throws(UploadError) -> StoredUpload {
        let id = try UploadID(id)
        let upload = try examine(content)
        if let digest = id.digest, digest != upload.content.digest { throw .invalidID(.reservedPrefix) }
        return try store(content, upload, as: id, fileName: fileName, where: isAllowed)
    }

    /// Removes the asset `id`, if `isAllowed`, and returns when that is on the disk.
    /// - Throws: `UploadError.notFound`, `.invalidID`, `.preconditionFailed`, `.noRoom`, `.catalogue`, `.io`.
    package func remove(_ id: String, where isAllowed: (AssetRecord) -> Bool = { _ in true }) throws(UploadError) {
        let id = try UploadID(id)
        try writer.withLock { writer throws(UploadError) in
            let row = try row(of: id, writer.catalogue)
            guard let found = try (row == nil ? rowFromFile(id, token: nextToken()) : row) else { throw .notFound }
            guard isAllowed(found.record) else { throw .preconditionFailed }
            try withdraw(id, found, isListed: row != nil, writer.catalogue)
            if row == nil, focalPoints[id.text] != nil { try? writer.catalogue.setFocalPoint(nil, of: id.text) }
            focalPoints.set(nil, of: id.text)
            if row != nil {
                writer.totals.count -= 1
                writer.totals.byteCount -= found.byteCount
            }
        }
    }

    private struct ExaminedUpload {
        let content: ExaminedContent
        let mediaType: String
    }

    private func examine(_ content: UploadContent) throws(UploadError) -> ExaminedUpload {
        guard content.byteCount <= settings.byteLimit else { throw .tooLarge(limit: settings.byteLimit) }
        let examined: ExaminedContent
        do throws(Errno) { examined = try content.examine() } catch { throw UploadError(error) }
        guard let mediaType = settings.mediaType(examined.head) else { throw .unknownMedia }
        return ExaminedUpload(content: examined, mediaType: mediaType)
    }

    private func row(of id: UploadID, _ catalogue: Catalogue) throws(UploadError) -> CatalogueRow? {
        do throws(SQLiteError) { return try catalogue.row(id.text) } catch { throw UploadError(error) }
    }

    /// What is stored as `id`, if it is on the disk and just what `upload` would store.
    private func present(
        _ upload: ExaminedUpload, _ id: UploadID, _ row: CatalogueRow?
    ) throws(UploadError) -> AssetRecord? {
        guard let row, row.digest == upload.content.digest else { return nil }
        do throws(Errno) {
            guard let state = try folder.state(of: id), state.kind == .file, state.byteCount == row.byteCount else {
                return nil
            }
            // The upload that stored it may not have synced it yet.
            try folder.syncFolder(of: id)
        } catch {
            throw UploadError(error)
        }
        return row.record
    }

    private func store(
        _ content: UploadContent, _ upload: ExaminedUpload, as id: UploadID, fileName: String?,
        where isAllowed: (AssetRecord?) -> Bool
    ) throws(UploadError) -> StoredUpload {
        // The second time costs no writing, and for the id of a digest no lock either.
        if id.digest != nil {
            let row = try readers.read { catalogue throws(SQLiteError) in try catalogue.row(id.text) }
            if isAllowed(row?.record), let record = try present(upload, id, row) {
                return StoredUpload(record: record, outcome: .unchanged)
            }
        }
        let token = nextToken()
        let stamp = nextStamp()
        do { try folder.receive(content, token: token, modified: stamp) } catch { throw UploadError(error) }
        let stored: StoredUpload
        do throws(UploadError) {
            stored = try writer.withLock { writer throws(UploadError) in
                let known = try row(of: id, writer.catalogue)
                let before = try (known == nil ? rowFromFile(id, token: token) : known)
                guard isAllowed(before?.record) else { throw .preconditionFailed }
                if let record = try present(upload, id, known) {
                    folder.discard(token)
                    return StoredUpload(record: record, outcome: .unchanged)
                }
                try checkBounds(writer.totals, adding: content.byteCount, for: known)
                try folder.prepare(id)
                let row = CatalogueRow(
                    id: id.text, digest: upload.content.digest, byteCount: content.byteCount,
                    mediaType: upload.mediaType,
                    created: before?.created ?? stamp, modified: try settle(token, stamp, in: id), token: token,
                    fileName: fileName)
                try place(row, id, over: known, writer.catalogue)
                writer.totals.count += known == nil ? 1 : 0
                writer.totals.byteCount += content.byteCount - (known?.byteCount ?? 0)
                return StoredUpload(record: row.record, outcome: before == nil ? .created : .replaced)
            }
        } catch {
            giveUp(token, id)
            throw error
        }
        do throws(Errno) {
            try folder.syncFolder(of: id)
        } catch {
            // Another thread removed the asset meanwhile, and its folder.
            if error != .noSuchEntry { throw UploadError(error) }
        }
        return stored
    }

    /// Removes the file under way, unless it may have a row: only opening the library again can decide then.
    private func giveUp(_ token: Int64, _ id: UploadID) {
        do throws(UploadError) {
            guard try readers.read({ catalogue throws(SQLiteError) in try catalogue.id(token: token) }) == nil else {
                return
            }
        } catch {
            return
        }
        folder.discard(token)
        // Not while somebody else prepares the same folders.
        writer.withLock { _ in folder.removeEmptyFolders(above: id) }
    }

    private func checkBounds(
        _ totals: CatalogueTotals, adding byteCount: Int, for known: CatalogueRow?
    ) throws(UploadError) {
        if known == nil, totals.count >= settings.countLimit { throw .tooMany(limit: settings.countLimit) }
        let rest = settings.totalByteLimit - (totals.byteCount - (known?.byteCount ?? 0))
        if byteCount > rest { throw .full(limit: settings.totalByteLimit) }
    }

    /// The time of the file under way, which is another than that of the asset before.
    private func settle(_ token: Int64, _ stamp: Int64, in id: UploadID) throws(UploadError) -> Int64 {
        do throws(Errno) {
            return try folder.settle(token, modified: stamp, before: try folder.state(of: id)?.modifiedNanoseconds)
        } catch {
            throw UploadError(error)
        }
    }

    private func place(
        _ row: CatalogueRow, _ id: UploadID, over known: CatalogueRow?, _ catalogue: Catalogue
    ) throws(UploadError) {
        do throws(SQLiteError) { try catalogue.write(row) } catch { throw UploadError(error) }
        do throws(Errno) {
            try folder.place(row.token, as: id)
        } catch {
            // If not even that can be undone, opening the library again completes the upload.
            if let known { try? catalogue.write(known) } else { try? catalogue.remove(row.id) }
            throw UploadError(error)
        }
    }

    private func withdraw(
        _ id: UploadID, _ row: CatalogueRow, isListed: Bool, _ catalogue: Catalogue
    ) throws(UploadError) {
        do throws(Errno) {
            _ = try folder.withdraw(id, token: row.token)
        } catch {
            try? folder.place(row.token, as: id)
            throw UploadError(error)
        }
        if isListed {
            do throws(SQLiteError) {
                try catalogue.remove(row.id)
            } catch {
                try? folder.place(row.token, as: id)
                throw UploadError(error)
            }
        }
        folder.discard(row.token)
        folder.removeEmptyFolders(above: id)
    }
}
