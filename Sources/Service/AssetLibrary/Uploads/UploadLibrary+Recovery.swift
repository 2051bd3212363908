import Reactor
import SQLite

extension UploadLibrary {
    /// Makes an end of what was under way: a file in `incoming` whose row is there takes its place, any other goes.
    static func recover(_ folder: UploadFolder, _ catalogue: Catalogue) throws(UploadError) {
        do {
            for token in try folder.tokensUnderWay() {
                guard let text = try catalogue.id(token: token) else {
                    folder.discard(token)
                    continue
                }
                let id = try UploadID(text)
                try folder.prepare(id)
                try folder.place(token, as: id)
                try folder.syncFolder(of: id)
            }
        } catch let error as Errno {
            throw UploadError(error)
        } catch let error as SQLiteError {
            throw UploadError(error)
        } catch let error as UploadError {
            throw error
        } catch {
            throw .damagedCatalogue
        }
    }
}
