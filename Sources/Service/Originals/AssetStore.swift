package import AssetLibrary
import Digest
package import HTTPMessage

/// Changes the library of uploads, and purges what was made of a changed asset. Workers only.
package struct AssetStore: Sendable {
    package let uploads: UploadLibrary
    private let folder: FolderLibrary?
    private let purge: @Sendable (_ id: String) -> Void

    /// Names of files in `folder` cannot be used again.
    package init(_ uploads: UploadLibrary, folder: FolderLibrary?, purge: @escaping @Sendable (_ id: String) -> Void) {
        self.uploads = uploads
        self.folder = folder
        self.purge = purge
    }

    /// Stores `content` under the id of its digest.
    package func add(_ content: UploadContent, fileName: String? = nil) throws(OriginalError) -> StoredUpload {
        let stored: StoredUpload
        do { stored = try uploads.add(content, fileName: fileName) } catch { throw OriginalError(error) }
        forget(stored)
        return stored
    }

    /// Stores `content` under a name, if the preconditions of `head` hold.
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

    /// Removes an asset, if the preconditions of `head` hold.
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
        // Also the remembered absence of an asset.
        if stored.outcome != .unchanged { purge(stored.record.id) }
    }

    /// RFC 9110 §13; nil: there is no such asset.
    private static func mayChange(_ record: AssetRecord?, _ head: RequestHead, now: Int64) -> Bool {
        let validators = record.map {
            Validators(entityTag: entityTag($0), lastModified: $0.modifiedUnixNanoseconds / 1_000_000_000)
        }
        return Preconditions.allowChange(head, of: validators, now: now)
    }

    package static func entityTag(_ record: AssetRecord) -> EntityTag? {
        record.digest.flatMap { EntityTag(opaque: $0.base64URL()) }
    }
}
