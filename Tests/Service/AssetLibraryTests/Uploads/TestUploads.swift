import Bytes
import Digest
import Glibc
import Reactor
import Synchronization

@testable import AssetLibrary

/// A library of uploads in a temporary folder, which takes content that begins with `P`.
final class TestUploads {
    let folder: TemporaryFolder
    var library: UploadLibrary

    init(_ change: (inout UploadSettings) -> Void = { _ in }) throws {
        folder = try TemporaryFolder()
        library = try UploadLibrary(Self.settings(folder, change))
    }

    /// Ends the library, calls `body` and opens it again.
    func reopen(_ body: () throws -> Void = {}) throws {
        // Another one takes its place, so that the lock of this one is given up.
        let other = try TemporaryFolder()
        library = try UploadLibrary(Self.settings(other) { _ in })
        try body()
        library = try UploadLibrary(Self.settings(folder) { _ in })
    }

    static func settings(
        _ folder: TemporaryFolder, _ change: (inout UploadSettings) -> Void = { _ in }
    ) -> UploadSettings {
        var settings = UploadSettings(path: folder.at("uploads"), mediaType: Self.mediaType)
        change(&settings)
        return settings
    }

    static let mediaType: @Sendable (SharedBytes) -> String? = { head in
        head.withUnsafeBytes { $0.first == UInt8(ascii: "P") } ? "image/x-test" : nil
    }

    func content(_ id: String) throws -> String {
        try library.open(id: id).read(limit: 1 << 24).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// All files beneath the library but those of the database, as paths.
    func files(in path: String = "") throws -> [String] {
        var all: [String] = []
        let uploads = FileDescriptor(
            adopting: Glibc.open(folder.at("uploads/" + path), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        var listing = try FolderListing(adopting: uploads)
        while let name = try listing.next() {
            let path = path.isEmpty ? name.text : path + "/" + name.text
            if name.isFolder { all += try files(in: path) } else { all.append(path) }
        }
        return all.filter { $0 != "lock" && !$0.hasPrefix("catalogue") }.sorted()
    }
}

/// Content that the library takes, as bytes in memory.
func picture(_ text: String) -> UploadContent { .bytes(SharedBytes(Array("P\(text)".utf8))) }

/// The id of that content.
func pictureID(_ text: String) -> String { UploadID(SHA256.digest(of: "P\(text)")).text }
