package import Bytes

/// All assets in one order: what was uploaded, and the pictures of a folder that is served as it is.
package struct AssetListing: Sendable {
    private let uploads: UploadLibrary?
    private let folder: FolderLibrary?
    private let mediaType: @Sendable (SharedBytes) -> String?

    /// A list of what there is in either; `mediaType` says what content with these first bytes is.
    package init(
        uploads: UploadLibrary?, folder: FolderLibrary?, mediaType: @escaping @Sendable (SharedBytes) -> String?
    ) {
        self.uploads = uploads
        self.folder = folder
        self.mediaType = mediaType
    }

    /// The first `limit` assets whose ids come after `id` in the order of their bytes; from the first one on if it is
    /// empty.
    ///
    /// Each asset that is there from the first page to the last is on exactly one of them, whatever is added or removed
    /// meanwhile. A name that is in both is that of the upload. Blocks on the disk.
    /// - Throws: `UploadError.catalogue`.
    package func page(after id: String, limit: Int) throws(UploadError) -> AssetPage {
        var uploaded = try (uploads?.records(after: id, limit: limit + 1) ?? [])[...]
        var others = (folder?.ids(after: id, limit: limit + 1) ?? [])[...]
        var page = AssetPage()
        var last = id
        var count = 0
        while true {
            let isUpload: Bool
            switch (uploaded.first?.id, others.first) {
            case (nil, nil): return page
            case (nil, _?): isUpload = false
            case (_?, nil): isUpload = true
            case (let first?, let second?):
                isUpload = !second.utf8.lexicographicallyPrecedes(first.utf8)
                if isUpload, second.utf8.elementsEqual(first.utf8) { others.removeFirst() }
            }
            guard count < limit else {
                page.next = last
                return page
            }
            count += 1
            if isUpload {
                let record = uploaded.removeFirst()
                last = record.id
                page.records.append(record)
            } else {
                last = others.removeFirst()
                // One that has gone since is on no page.
                if let record = try? record(inFolder: last) { page.records.append(record) }
            }
        }
    }

    private func record(inFolder id: String) throws(LibraryError) -> AssetRecord? {
        guard let file = try folder?.openUnread(id: id) else { return nil }
        let seconds = file.modifiedUnixSeconds.multipliedReportingOverflow(by: 1_000_000_000)
        return AssetRecord(
            id: id, origin: .folder, digest: nil, byteCount: file.byteCount,
            mediaType: mediaType(try file.readHead(limit: UploadSettings.sniffedByteCount)),
            createdUnixNanoseconds: nil,
            modifiedUnixNanoseconds: seconds.overflow ? 0 : seconds.partialValue &+ Int64(file.modifiedNanoseconds),
            fileName: nil)
    }
}

/// Some assets, and where the next ones begin.
package struct AssetPage: Equatable, Sendable {
    /// The assets, in the order of their ids.
    package fileprivate(set) var records: [AssetRecord] = []
    /// What to ask for after this page; nil: it is the last.
    package fileprivate(set) var next: String?
}
