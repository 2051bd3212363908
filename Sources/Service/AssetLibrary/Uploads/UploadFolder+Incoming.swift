import Glibc
import Reactor

extension UploadFolder {
    private static func name(_ token: Int64) -> RelativePath { RelativePath(String(token)) }

    /// Brings `content` to the disk as `incoming/<token>`, with this time.
    func receive(_ content: UploadContent, token: Int64, modified: Int64) throws(Errno) {
        if case .file(let number, let byteCount) = content,
            try take(number, byteCount: byteCount, token: token, modified: modified)
        {
            try incoming.sync()
            return
        }
        let file = canLink ? try incoming.makeNamelessFile() : try incoming.makeFile(Self.name(token))
        do throws(Errno) {
            try content.forEachPiece { piece, offset throws(Errno) in
                let outcome: Result<Void, Errno> = piece.withUnsafeBytes { buffer in
                    do throws(Errno) { return .success(try file.write(all: buffer, at: offset)) } catch {
                        return .failure(error)
                    }
                }
                try outcome.get()
            }
            try FileDescriptor.setModified(number: file.rawValue, nanoseconds: modified)
            try file.sync()
            if canLink { try incoming.link(file, as: Self.name(token)) }
            try incoming.sync()
        } catch {
            discard(token)
            throw error
        }
    }

    /// Gives the nameless file that is open under `number` the name `incoming/<token>`; false where it must be copied.
    private func take(_ number: Int32, byteCount: Int, token: Int64, modified: Int64) throws(Errno) -> Bool {
        let state = try FileDescriptor.state(number: number)
        // Somebody else may write again to a file with a name.
        guard canLink, state.kind == .file, state.nameCount == 0, state.byteCount == byteCount else { return false }
        do throws(Errno) {
            try incoming.link(number: number, as: Self.name(token))
        } catch {
            if error.code == ENOSPC || error.code == EDQUOT || error.code == EIO { throw error }
            return false
        }
        do throws(Errno) {
            try FileDescriptor.setModified(number: number, nanoseconds: modified)
            try FileDescriptor.sync(number: number)
        } catch {
            discard(token)
            throw error
        }
        return true
    }

    /// The time of `incoming/<token>`, written at `modified`, as the file system keeps it. It is set again if it is not
    /// later than `before`, so that each change gives an asset another state.
    func settle(_ token: Int64, modified: Int64, before: Int64?) throws(Errno) -> Int64 {
        let file = try incoming.openFile(Self.name(token))
        var kept = try file.state().modifiedNanoseconds
        guard let before else { return kept }
        // File systems keep nanoseconds, or much less.
        for step: Int64 in [1, 1000, 1_000_000, 10_000_000, 1_000_000_000, 2_000_000_000] where kept <= before {
            try FileDescriptor.setModified(number: file.rawValue, nanoseconds: max(modified, before) + step)
            kept = try file.state().modifiedNanoseconds
        }
        try file.sync()
        return kept
    }

    /// Where that fails it is done when the library is opened again.
    func discard(_ token: Int64) { try? incoming.removeFile(Self.name(token)) }

    /// The tokens of all files under way; everything else there is removed.
    func tokensUnderWay() throws(Errno) -> [Int64] {
        var tokens: [Int64] = []
        var listing = try FolderListing(adopting: try root.openFolder(RelativePath("incoming")))
        while let name = try listing.next() {
            if let token = Int64(name.text), String(token) == name.text {
                tokens.append(token)
            } else {
                try? incoming.removeFile(RelativePath(bytes: name.bytes))
            }
        }
        return tokens
    }
}
