/// Why an original cannot be had from a library.
package enum LibraryError: Error, Equatable, Sendable {
    /// Nothing of that name, or a link that leads out of the library, in a circle or nowhere: a client cannot tell which.
    case notFound
    /// The name is that of a folder, a pipe, a socket or a device.
    case notRegularFile
    /// The id breaks the grammar; nothing on disk was touched.
    case invalidID(IDFault)
    /// The server may not read the file or a folder on the way to it.
    case accessDenied
    /// The file has more than `limit` bytes.
    case tooLarge(limit: Int)
    /// A system call failed for a reason of the machine, not of the id: too many open files, a disk error.
    case io(errno: Int32)
    /// The file grew, shrank or was written to between `open` and the end of `read`; asking again may help.
    case changedWhileReading
    /// The root folder cannot be opened, or it was removed while the server runs.
    case rootUnavailable(errno: Int32)
}

/// What is wrong with an id.
package enum IDFault: Equatable, Sendable {
    /// There is nothing in it.
    case empty
    /// More than `limit` bytes of UTF-8.
    case tooLong(limit: Int)
    /// It begins with `/`; ids are relative to the library.
    case absolute
    /// It begins with `~`, which stands for uploads.
    case reservedPrefix
    /// Two slashes in a row, or one at the end; `offset` in bytes of UTF-8 is where the component would begin.
    case emptyComponent(offset: Int)
    /// A component is `.` or `..`; `offset` in bytes of UTF-8 is where it begins.
    case dotComponent(offset: Int)
    /// A component has more than `limit` bytes; `offset` in bytes of UTF-8 is where it begins.
    case componentTooLong(offset: Int, limit: Int)
    /// NUL, another control character, a backslash, or one that reorders text; `offset` in bytes of UTF-8.
    case forbiddenCharacter(offset: Int)
}
