import Glibc
package import Reactor
import SQLite

package enum UploadError: Error, Equatable, Sendable {
    case notFound
    /// The id breaks the grammar, or cannot be chosen.
    case invalidID(IDFault)
    case preconditionFailed
    /// A folder has the name, or one of its folders is an asset.
    case nameTaken
    /// The library takes no such content.
    case unknownMedia
    case tooLarge(limit: Int)
    case tooMany(limit: Int)
    case tooManyFocalPoints(limit: Int)
    /// All assets together would have more bytes.
    case full(limit: Int)
    /// The file system, or this user's share of it, is full.
    case noRoom
    case inUse
    /// A later release wrote the catalogue.
    case newerCatalogue(version: Int)
    /// The catalogue is no database any more; the files can make another.
    case damagedCatalogue
    /// The catalogue is locked.
    case busy
    /// The database failed; `log` is for the log.
    case catalogue(code: Int32, log: String)
    case io(errno: Int32)

    /// For what throws errors of several kinds; another kind would be a damaged catalogue.
    init(anyOf error: any Error) {
        switch error {
        case let error as UploadError: self = error
        case let error as Errno: self.init(error)
        case let error as SQLiteError: self.init(error)
        default: self = .damagedCatalogue
        }
    }
    init(_ error: SQLiteError) {
        if error.isFull {
            self = .noRoom
        } else if error.isDamage {
            self = .damagedCatalogue
        } else {
            self = error.isBusy ? .busy : .catalogue(code: error.code, log: error.log)
        }
    }

    package init(_ error: Errno) {
        self = error.code == ENOSPC || error.code == EDQUOT ? .noRoom : .io(errno: error.code)
    }
}
