import Glibc
package import Reactor

/// Why something cannot be done with an upload that may be resumed.
package enum ResumableError: Error, Equatable, Sendable {
    /// There is none of that name, or it has expired.
    case notFound
    /// The upload goes on at the byte `expected`.
    case wrongOffset(expected: Int)
    /// Somebody else writes to it or ends it at the moment.
    case busy
    /// It would have more than `limit` bytes.
    case tooLarge(limit: Int)
    /// As many uploads as may be, `limit`, are not complete yet.
    case tooMany(limit: Int)
    /// All incomplete uploads together would have more than `limit` bytes.
    case full(limit: Int)
    /// The file system, or the share of it that this user has, is full.
    case noRoom
    /// A system call failed for a reason of the machine.
    case io(errno: Int32)

    package init(_ error: Errno) {
        self = error.code == ENOSPC || error.code == EDQUOT ? .noRoom : .io(errno: error.code)
    }
}
