import Digest

/// The id of an upload: a chosen name, or `~` and the digest of the content.
struct UploadID: Equatable, Sendable {
    let text: String
    /// nil for a chosen name.
    let digest: Digest256?
    /// Beneath the library.
    let folders: [String]
    let fileName: String

    init(_ digest: Digest256) {
        let name = digest.base64URL()
        text = "~" + name
        self.digest = digest
        folders = ["objects", String(name.prefix(2))]
        fileName = name
    }

    /// - Throws: `UploadError.invalidID`; after `~` comes nothing but a digest.
    init(_ text: String) throws(UploadError) {
        if text.utf8.first == UInt8(ascii: "~") {
            guard let digest = Digest256(base64URL: String(text.dropFirst())) else { throw .invalidID(.reservedPrefix) }
            self.init(digest)
            return
        }
        do {
            self.init(name: text, try LibraryPath(id: text).components)
        } catch .invalidID(let fault) {
            throw .invalidID(fault)
        } catch {
            throw .notFound
        }
    }

    private init(name text: String, _ components: [String]) {
        self.text = text
        digest = nil
        folders = ["names"] + components.dropLast()
        fileName = components.last ?? ""
    }

    /// Beneath the library's folder.
    var path: String { (folders + [fileName]).joined(separator: "/") }

    /// In a `FolderLibrary` over `objects` or `names`.
    var libraryPath: String { (folders.dropFirst() + [fileName]).joined(separator: "/") }
}
