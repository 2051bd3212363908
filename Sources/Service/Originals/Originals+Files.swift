package import AssetLibrary
package import Bytes
package import HTTPMessage
package import Reactor

extension Originals {
    /// An original in a file of this machine, to be sent as it is.
    package struct File: ~Copyable {
        private let asset: OpenedAsset
        package let entityTag: EntityTag?
        /// By its first bytes; nil where they say nothing.
        package let mediaType: String?
        package let fileName: String

        /// `record`: nil for a file of the folder.
        package init(_ asset: consuming OpenedAsset, id: String, _ record: AssetRecord?) throws(LibraryError) {
            entityTag =
                record?.digest == nil ? EntityTag(opaque: asset.validator) : record.flatMap(AssetStore.entityTag)
            let head = try asset.readHead(limit: UploadSettings.sniffedByteCount)
            mediaType = SourceMedia.announced(head)
            fileName = record?.fileName ?? Self.name(of: id, head)
            self.asset = asset
        }

        /// The name of a copy of an asset that begins with `head`.
        package static func name(of id: String, _ head: SharedBytes) -> String {
            guard Originals.isUpload(id) else { return String(id.split(separator: "/").last ?? "original") }
            return id.dropFirst() + SourceMedia.ending(head)
        }

        /// Seconds since 1970.
        package var lastModified: Int64? { asset.modifiedUnixSeconds }
        package consuming func share() -> SharedFile { asset.share() }
    }

    /// Opens the original if it is a local file; nil where there is none. Those of other servers are not passed on:
    /// a client that may have them can ask that server. Waits for the disk; workers only.
    package func openFile(_ id: String) throws(OriginalError) -> File? {
        guard try remoteSource(id) == nil else { return nil }
        let id = try canonicalID(id)
        do throws(OriginalError) {
            if let uploads, let file = try openUpload(id, in: uploads) { return file }
        } catch {
            // No upload has the name of a file in the folder.
            guard let library, !Self.isUpload(id), let asset = try? library.open(id: id),
                let file = try? File(asset, id: id, nil)
            else { throw error }
            return file
        }
        guard let library, !Self.isUpload(id) else { return nil }
        do throws(LibraryError) {
            return try File(try library.open(id: id), id: id, nil)
        } catch .notFound {
            return nil
        } catch {
            throw OriginalError(error, id: id)
        }
    }

    private func openUpload(_ id: String, in uploads: UploadLibrary) throws(OriginalError) -> File? {
        // A change between the two looks is seen at the next try.
        for attempt in 1...3 {
            let record: AssetRecord
            do throws(UploadError) {
                record = try uploads.record(of: id)
            } catch .notFound {
                return nil
            } catch {
                throw OriginalError(error, id: id)
            }
            do throws(LibraryError) {
                let asset = try uploads.open(id: id)
                if Self.isUpload(id) || record.describes(asset.state) { return try File(asset, id: id, record) }
                // Somebody else changed the file, so only its state names it.
                if attempt == 3 { return try File(asset, id: id, nil) }
            } catch .notFound, .notRegularFile {
                continue
            } catch {
                throw OriginalError(error, id: id)
            }
        }
        // It is gone for good only if the folder is there.
        do throws(LibraryError) { try uploads.checkAvailable() } catch { throw OriginalError(error) }
        return nil
    }
}
