package import Bytes

/// All assets in one order: uploads, and the images of a folder that is served as it is.
package struct AssetListing: Sendable {
    private let uploads: UploadLibrary?
    private let folder: FolderLibrary?
    private let mediaType: @Sendable (SharedBytes) -> String?

    /// `mediaType` tells what content with these first bytes is.
    package init(
        uploads: UploadLibrary?, folder: FolderLibrary?, mediaType: @escaping @Sendable (SharedBytes) -> String?
    ) {
        self.uploads = uploads
        self.folder = folder
        self.mediaType = mediaType
    }

    /// The first `limit` assets after `id` in the order of bytes, or from the first on if it is empty.
    ///
    /// An asset that is there from the first page to the last is on exactly one of them, whatever is added or removed
    /// meanwhile. An upload hides a file with its name. A page may have fewer, or none, and not be the last: where many
    /// folders have no images. Blocks on the disk.
    /// - Throws: `UploadError.catalogue`.
    package func page(after id: String, limit: Int) throws(UploadError) -> AssetPage {
        try page(after: id, limit: limit, unless: { false }) ?? AssetPage()
    }

    /// The same, given up once `mustStop` is true; nil then.
    package func page(
        after id: String, limit: Int, folderLimit: Int = FolderLibrary.folderLimit,
        unless mustStop: @escaping () -> Bool
    ) throws(UploadError) -> AssetPage? {
        var uploaded = try (uploads?.records(after: id, limit: limit + 1) ?? [])[...]
        var listed = FolderPage()
        if let folder {
            let found = folder.page(after: id, limit: limit + 1, folderLimit: folderLimit, mustStop: mustStop)
            if let found { listed = found } else { return nil }
        }
        // Files may come before later uploads.
        if let end = listed.end { uploaded = uploaded.prefix { !end.utf8.lexicographicallyPrecedes($0.id.utf8) } }
        var others = listed.ids[...]
        var page = AssetPage()
        var last = id
        var count = 0
        while true {
            let isUpload: Bool
            switch (uploaded.first?.id, others.first) {
            case (nil, nil):
                page.next = listed.end
                return page
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
                // It may be gone by now.
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

package struct AssetPage: Equatable, Sendable {
    /// In the order of ids.
    package fileprivate(set) var records: [AssetRecord] = []
    /// The next page comes after this id; nil: this is the last.
    package fileprivate(set) var next: String?
}
