/// Why a source, a style or a file that the configuration names cannot be used.
package struct SourceProblem: Error, Hashable, Sendable {
    /// Its name or path.
    package let name: String
    /// Words that continue "cannot be used: …". Never contains a key that came from the environment.
    package let cause: String
}

/// Everything that keeps a library of maps from being opened.
package struct MapLibraryFailure: Error, Equatable, Sendable {
    /// At least one, in the order of the configuration.
    package let problems: [SourceProblem]
}
