import Glibc
package import Reactor
import SQLite

/// Why something cannot be done with a library of uploads.
package enum UploadError: Error, Equatable, Sendable {
    /// Nothing has that id.
    case notFound
    /// The id breaks the grammar, or the name is not one that can be chosen.
    case invalidID(IDFault)
    /// The precondition does not hold for what is there.
    case preconditionFailed
    /// The name is that of a folder, or one of its folders is an asset.
    case nameTaken
    /// The content is none that the library takes.
    case unknownMedia
    /// The content has more than `limit` bytes.
    case tooLarge(limit: Int)
    /// There are `limit` assets already.
    case tooMany(limit: Int)
    /// All assets together would have more than `limit` bytes.
    case full(limit: Int)
    /// The file system, or the share of it that this user has, is full.
    case noRoom
    /// Another process has the folder.
    case inUse
    /// The catalogue was written by a later release.
    case newerCatalogue(version: Int)
    /// The catalogue is no database any more; it can be made anew from the files.
    case damagedCatalogue
    /// Somebody else has the catalogue locked.
    case busy
    /// The database failed: its code, and its words for the log.
    case catalogue(code: Int32, log: String)
    /// A system call failed for a reason of the machine.
    case io(errno: Int32)

    init(_ error: SQLiteError) {
        if error.isFull {
            self = .noRoom
        } else if error.isDamage {
            self = .damagedCatalogue
        } else {
            self = error.isBusy ? .busy : .catalogue(code: error.code, log: error.log)
        }
    }

    /// What a system call answered.
    package init(_ error: Errno) {
        self = error.code == ENOSPC || error.code == EDQUOT ? .noRoom : .io(errno: error.code)
    }
}
