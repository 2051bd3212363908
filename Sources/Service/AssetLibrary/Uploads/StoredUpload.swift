/// What became of an upload.
package struct StoredUpload: Equatable, Sendable {
    /// What an upload did.
    package enum Outcome: Equatable, Sendable {
        /// There was nothing of that id.
        case created
        /// It took the place of other content.
        case replaced
        /// The same content was there already.
        case unchanged
    }

    /// What is known about the asset now.
    package let record: AssetRecord
    /// What the upload did.
    package let outcome: Outcome
}
