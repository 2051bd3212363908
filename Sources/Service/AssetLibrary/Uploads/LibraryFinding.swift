/// Something in a library of uploads that is not as it should be.
package enum LibraryFinding: Equatable, Sendable {
    /// There is a file that the catalogue does not know. Repair: a row for it.
    case missingRow(id: String)
    /// The catalogue has a row without a file. Repair: the row goes.
    case missingFile(id: String)
    /// The file has another number of bytes than the row. Repair: as for `wrongDigest`.
    case wrongSize(id: String)
    /// The bytes are not those of the row, or not those that the id spells. Repair: a file that was given a name
    /// counts, and the row is made anew; one whose content should be its id is moved to `damaged`, and its row goes.
    case wrongDigest(id: String)
    /// A file or folder at a place where no asset can be. Nothing is done about it.
    case strayFile(path: String)
}

/// What looking at all files and rows of a library came to.
package struct LibraryReport: Equatable, Sendable {
    /// How many files were read.
    package internal(set) var fileCount = 0
    /// Their bytes.
    package internal(set) var byteCount = 0
    /// How many rows there were.
    package internal(set) var rowCount = 0
    /// What is not as it should be, files before rows, in the order of their paths.
    package internal(set) var findings: [LibraryFinding] = []
    /// Whether something was done about it.
    package internal(set) var isRepaired = false
}
