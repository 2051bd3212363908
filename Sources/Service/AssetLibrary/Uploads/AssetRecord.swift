package import Digest

/// What is known about an asset without looking into it. Times are in nanoseconds since 1970.
package struct AssetRecord: Equatable, Sendable {
    package enum Origin: Equatable, Sendable {
        /// Uploaded, under the id of its content.
        case upload
        /// Uploaded, under a chosen name.
        case name
        /// A file of a folder that is served as it is.
        case folder
    }

    package let id: String
    package let origin: Origin
    /// SHA-256 of the content; nil for files of a folder.
    package let digest: Digest256?
    package let byteCount: Int
    /// By its first bytes; nil where they say nothing.
    package let mediaType: String?
    /// When the id was first given; nil for files of a folder.
    package let createdUnixNanoseconds: Int64?
    /// When the content was last replaced.
    package let modifiedUnixNanoseconds: Int64
    /// As the uploader called the file.
    package let fileName: String?

    /// Whether a file in this state has the content.
    package func describes(_ state: AssetState) -> Bool {
        let (seconds, nanoseconds) = modifiedUnixNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return state.byteCount == byteCount && state.modifiedUnixSeconds == seconds
            && state.modifiedNanoseconds == Int(nanoseconds)
    }
}

package struct StoredUpload: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable { case created, replaced, unchanged }

    package let record: AssetRecord
    package let outcome: Outcome
}
