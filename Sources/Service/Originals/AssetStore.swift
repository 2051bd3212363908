package import AssetLibrary
import Digest
package import HTTPMessage

/// Changes the library of uploads, and forgets what was made of an asset that is another now. Workers only.
package struct AssetStore: Sendable {
    package let uploads: UploadLibrary
    private let folder: FolderLibrary?
    private let purge: @Sendable (_ id: String) -> Void

    /// Changes of `uploads`, where no name of a file in `folder` is given again; what was made is forgotten by `purge`.
    package init(_ uploads: UploadLibrary, folder: FolderLibrary?, purge: @escaping @Sendable (_ id: String) -> Void) {
        self.uploads = uploads
        self.folder = folder
        self.purge = purge
    }

    /// Stores `content` under the id that follows from it.
    package func add(_ content: UploadContent, fileName: String? = nil) throws(OriginalError) -> StoredUpload {
        let stored: StoredUpload
        do throws(UploadError) {
            stored = try uploads.add(content, fileName: fileName)
        } catch {
            throw OriginalError(error)
        }
        forget(stored)
        return stored
    }

    /// Stores `content` under a name, if the preconditions of `head` hold for the original that has it.
    package func put(
        _ id: String, _ content: UploadContent, fileName: String? = nil, where head: RequestHead? = nil, now: Int64 = 0
    ) throws(OriginalError) -> StoredUpload {
        try Originals(library: folder).checkFree(id)
        let stored: StoredUpload
        do throws(UploadError) {
            stored = try uploads.put(id, content, fileName: fileName) { record in
                head.map { Self.mayChange(record, $0, now: now) } ?? true
            }
        } catch {
            throw OriginalError(error, id: id)
        }
        forget(stored)
        return stored
    }

    /// Removes an asset, if the preconditions of `head` hold for its original.
    package func remove(_ id: String, where head: RequestHead, now: Int64) throws(OriginalError) {
        do throws(UploadError) {
            try uploads.remove(id) { Self.mayChange($0, head, now: now) }
        } catch .notFound {
            try Originals(library: folder).checkNotInFolder(id)
            throw .absent
        } catch {
            throw OriginalError(error, id: id)
        }
        purge(id)
    }

    private func forget(_ stored: StoredUpload) {
        // Also what was remembered of a missing asset.
        if stored.outcome != .unchanged { purge(stored.record.id) }
    }

    /// Whether the preconditions (RFC 9110 §13) let a request change the asset whose original is `record`; nil: there is none.
    private static func mayChange(_ record: AssetRecord?, _ head: RequestHead, now: Int64) -> Bool {
        guard let record else { return !head.fields.contains(.ifMatch) }
        let validators = Validators(
            entityTag: entityTag(record), lastModified: record.modifiedUnixNanoseconds / 1_000_000_000)
        return Preconditions.evaluate(head.method, head.fields, validators, now: now) == .proceed
    }

    /// The entity tag of the original of an upload: its digest.
    package static func entityTag(_ record: AssetRecord) -> EntityTag? {
        record.digest.flatMap { EntityTag(opaque: $0.base64URL()) }
    }
}
