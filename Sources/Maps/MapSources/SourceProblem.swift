/// Why a source, a style or a file that the configuration names cannot be used.
package struct SourceProblem: Error, Hashable, Sendable {
    /// Its name or path.
    package let name: String
    /// What is wrong, in words that continue "cannot be used: …". Never holds a key that came from the environment.
    package let cause: String

    package init(name: String, cause: String) {
        self.name = name
        self.cause = cause
    }
}

/// Everything that keeps a library of maps from being opened.
package struct MapLibraryFailure: Error, Equatable, Sendable {
    /// The problems, at least one, in the order of the configuration.
    package let problems: [SourceProblem]

    package init(problems: [SourceProblem]) { self.problems = problems }
}
