/// An id that keeps the grammar, such as `photos/cat.jpg`: relative components, none of which can mean another folder.
/// The text of an id alone decides what it is.
struct LibraryPath: Equatable, Sendable {
    static let idByteLimit = 1024
    static let componentByteLimit = 255

    /// At least one; none is empty, `.` or `..`, or holds `/` or NUL.
    let components: [String]

    /// - Throws: `LibraryError.invalidID` with the first fault in the order of the text.
    init(id: String) throws(LibraryError) {
        guard !id.isEmpty else { throw .invalidID(.empty) }
        guard id.utf8.count <= Self.idByteLimit else { throw .invalidID(.tooLong(limit: Self.idByteLimit)) }
        if id.utf8.first == UInt8(ascii: "/") { throw .invalidID(.absolute) }
        if id.utf8.first == UInt8(ascii: "~") { throw .invalidID(.reservedPrefix) }

        var offset = 0
        for scalar in id.unicodeScalars {
            if Self.isForbidden(scalar) { throw .invalidID(.forbiddenCharacter(offset: offset)) }
            offset += UTF8.width(scalar)
        }
        offset = 0
        var components: [String] = []
        for bytes in id.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            let component = String(Substring(bytes))
            switch component {
            case "": throw .invalidID(.emptyComponent(offset: offset))
            case ".", "..": throw .invalidID(.dotComponent(offset: offset))
            default: break
            }
            guard bytes.count <= Self.componentByteLimit else {
                throw .invalidID(.componentTooLong(offset: offset, limit: Self.componentByteLimit))
            }
            components.append(component)
            offset += bytes.count + 1
        }
        self.components = components
    }

    /// Control characters (C0, DEL, C1) end lines and strings; a backslash is a separator elsewhere; embeddings,
    /// overrides and isolates make a name read backwards. Plain direction marks are part of real names.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1f, 0x7f...0x9f, 0x5c, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}

/// Why a library does not give an original.
package enum LibraryError: Error, Equatable, Sendable {
    /// Nothing of that name, or a link that leads out of the library, in a circle or nowhere: clients cannot tell
    /// which.
    case notFound
    /// A folder, a pipe, a socket or a device.
    case notRegularFile
    case invalidID(IDFault)
    /// The server may not read the file or a folder on the way to it.
    case accessDenied
    /// The file has more than `limit` bytes.
    case tooLarge(limit: Int)
    /// A system call failed for a reason of the machine, such as too many open files or a disk error.
    case io(errno: Int32)
    /// The file was written to between `open` and the end of `read`; another try may help.
    case changedWhileReading
    /// The root folder cannot be opened, or was removed while the server runs.
    case rootUnavailable(errno: Int32)
}

/// What is wrong with an id; offsets are in bytes of UTF-8, where the component begins.
package enum IDFault: Equatable, Sendable {
    case empty
    /// More than `limit` bytes of UTF-8.
    case tooLong(limit: Int)
    case absolute
    /// It begins with `~`, as uploads do.
    case reservedPrefix
    /// Two slashes in a row, or one at the end.
    case emptyComponent(offset: Int)
    /// A component is `.` or `..`.
    case dotComponent(offset: Int)
    case componentTooLong(offset: Int, limit: Int)
    /// NUL, another control character, a backslash, or one that reorders text.
    case forbiddenCharacter(offset: Int)
}
