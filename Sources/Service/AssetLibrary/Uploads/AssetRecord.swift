package import Digest

/// What is known about an asset without looking into it.
package struct AssetRecord: Equatable, Sendable {
    /// Where an asset comes from.
    package enum Origin: Equatable, Sendable {
        /// It was uploaded, and its content gave it its id.
        case upload
        /// It was uploaded under a name that was chosen for it.
        case name
        /// It is a file of a folder that is served as it is.
        case folder
    }

    /// What a client calls it.
    package let id: String
    /// Where it comes from.
    package let origin: Origin
    /// The SHA-256 of its content; nil for files of a folder, which nobody has read.
    package let digest: Digest256?
    /// The number of bytes.
    package let byteCount: Int
    /// What its first bytes say that it is; nil where they say nothing.
    package let mediaType: String?
    /// When the id was first given, in nanoseconds since 1970; nil for files of a folder.
    package let createdUnixNanoseconds: Int64?
    /// When the content was last replaced, in nanoseconds since 1970.
    package let modifiedUnixNanoseconds: Int64
    /// What who uploaded it called the file.
    package let fileName: String?

    /// Whether a file in the state `state` is the content that this is about.
    package func describes(_ state: AssetState) -> Bool {
        let (seconds, nanoseconds) = modifiedUnixNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return state.byteCount == byteCount && state.modifiedUnixSeconds == seconds
            && state.modifiedNanoseconds == Int(nanoseconds)
    }
}
