package import AssetLibrary

/// The state of an original's content, wherever it is kept.
package struct OriginalState: Equatable, Sendable {
    /// Text that changes whenever the content does; the same after a restart and on every replica.
    package let validator: String
    /// When the content was last changed, in seconds since 1970, if that is known.
    package let lastModified: Int64?

    package init(validator: String, lastModified: Int64?) {
        self.validator = validator
        self.lastModified = lastModified
    }

    package init(_ state: AssetState) {
        self.init(validator: state.validator, lastModified: state.modifiedUnixSeconds)
    }
}
