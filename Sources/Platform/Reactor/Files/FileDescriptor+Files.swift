import CLinux
import Glibc

// Files and folders below an open folder. What is opened is never reached through a symbolic link in the last place, and
// closes when another program is executed. All calls may wait for the disk.
extension FileDescriptor {
    /// Another descriptor of the open file that `number` is one of; close-on-exec. Errors: `EBADF`, `EMFILE`.
    package static func duplicate(_ number: Int32) throws(Errno) -> FileDescriptor {
        FileDescriptor(adopting: try systemCall { fcntl(number, F_DUPFD_CLOEXEC, 0) })
    }

    /// The folder at `path`. Errors: `ENOENT`, `ENOTDIR`, `EACCES`, …
    package static func openFolder(_ path: String) throws(Errno) -> FileDescriptor {
        FileDescriptor(
            adopting: try systemCall(.diskOpen) { unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    }

    /// Makes the folder at `path` (mode 0700) and those above it, as far as they are missing.
    package static func makeFolders(_ path: String) throws(Errno) {
        do throws(Errno) {
            _ = try systemCall(.diskMakeFolder) { unsafe mkdir(path, 0o700) }
        } catch {
            if error == .alreadyExists { return }
            guard error == .noSuchEntry, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
                throw error
            }
            try makeFolders(String(path[..<slash]))
            do throws(Errno) {
                _ = try systemCall(.diskMakeFolder) { unsafe mkdir(path, 0o700) }
            } catch {
                if error != .alreadyExists { throw error }
            }
        }
    }

    /// The file at `path`, or the one that a link there leads to, for reading: one that the operator named. A pipe in its
    /// place does not make it wait. Errors: `ENOENT`, `EACCES`, `EMFILE`, …
    package static func openFile(_ path: String) throws(Errno) -> FileDescriptor {
        FileDescriptor(
            adopting: try systemCall(.diskOpen) {
                unsafe Glibc.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            })
    }

    /// The file at `path`, for reading. A pipe in its place does not make it wait. Errors: `ENOENT`, `ELOOP`, `EMFILE`, …
    package borrowing func openFile(_ path: RelativePath) throws(Errno) -> FileDescriptor {
        try open(path, O_RDONLY | O_NONBLOCK)
    }

    /// The folder at `path`, to be listed or to reach what is in it.
    package borrowing func openFolder(_ path: RelativePath) throws(Errno) -> FileDescriptor {
        try open(path, O_RDONLY | O_DIRECTORY)
    }

    /// A new file at `path`, for writing; mode 0600. Errors: `EEXIST`, `ENOENT`, `ENOSPC`, `EROFS`, `EACCES`, …
    package borrowing func makeFile(_ path: RelativePath) throws(Errno) -> FileDescriptor {
        try open(path, O_WRONLY | O_CREAT | O_EXCL)
    }

    /// The file at `path` for reading and writing, made (mode 0600) if it is missing.
    package borrowing func openOrMakeFile(_ path: RelativePath) throws(Errno) -> FileDescriptor {
        try open(path, O_RDWR | O_CREAT)
    }

    private borrowing func open(_ path: RelativePath, _ flags: Int32) throws(Errno) -> FileDescriptor {
        let number = rawValue
        let made = try systemCall(.diskOpen) {
            unsafe openat(number, path.bytes, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
        return FileDescriptor(adopting: made)
    }

    /// A new folder at `path`, mode 0700. Errors: `EEXIST`, `ENOENT`, `ENOSPC`, `EROFS`, …
    package borrowing func makeFolder(_ path: RelativePath) throws(Errno) {
        let number = rawValue
        _ = try systemCall(.diskMakeFolder) { unsafe mkdirat(number, path.bytes, 0o700) }
    }

    /// Gives what is at `path` the name `newPath`, in one step, in place of the file that had it.
    package borrowing func rename(_ path: RelativePath, to newPath: RelativePath) throws(Errno) {
        let number = rawValue
        _ = try systemCall(.diskRename) { unsafe renameat(number, path.bytes, number, newPath.bytes) }
    }

    /// Takes the name `path` from a file. Errors: `ENOENT`, `EISDIR`, `EROFS`, `EACCES`, …
    package borrowing func removeFile(_ path: RelativePath) throws(Errno) {
        let number = rawValue
        _ = try systemCall(.diskUnlink) { unsafe unlinkat(number, path.bytes, 0) }
    }

    /// Removes the empty folder at `path`. Errors: `ENOTEMPTY`, `ENOENT`, …
    package borrowing func removeFolder(_ path: RelativePath) throws(Errno) {
        let number = rawValue
        _ = try systemCall(.diskUnlink) { unsafe unlinkat(number, path.bytes, AT_REMOVEDIR) }
    }

    /// What is open. Errors: `EIO`.
    package borrowing func state() throws(Errno) -> FileState {
        var status = stat()
        let number = rawValue
        _ = try systemCall(.diskStat) { unsafe fstat(number, &status) }
        return FileState(status)
    }

    /// What is at `path`; a symbolic link is not followed. Errors: `ENOENT`, `ENOTDIR`, `EIO`, …
    package borrowing func state(of path: RelativePath) throws(Errno) -> FileState {
        var status = stat()
        let number = rawValue
        _ = try systemCall(.diskStat) { unsafe fstatat(number, path.bytes, &status, AT_SYMLINK_NOFOLLOW) }
        return FileState(status)
    }

    /// The bytes of a block of the file system.
    package borrowing func blockByteCount() throws(Errno) -> Int {
        let number = rawValue
        return try systemCall(.diskStat) { clinux_block_byte_count(number) }
    }

    /// The bytes that the file system has left for this user; quotas are not looked at.
    package borrowing func availableByteCount() throws(Errno) -> Int {
        let number = rawValue
        return Int(try systemCall(.diskStat) { clinux_available_byte_count(number) })
    }

    /// Reads into `buffer` from `offset` on and returns how many bytes it got, fewer than asked at the end of the file.
    ///
    /// One system call in the usual case. Errors: `EIO`, `EISDIR`.
    package borrowing func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(Errno) -> Int {
        var filled = 0
        let number = rawValue
        while filled < buffer.count, let base = buffer.baseAddress {
            let count = try systemCall(.diskRead) {
                unsafe pread(number, base + filled, buffer.count - filled, offset + filled)
            }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Writes `first` and `second`, one after the other, at the start of the file.
    ///
    /// One system call in the usual case. Errors: `ENOSPC`, `EDQUOT`, `EFBIG`, `EIO`; a part may have been written then.
    package borrowing func write(
        first: UnsafeRawBufferPointer, second: UnsafeRawBufferPointer
    ) throws(Errno) {
        var written = 0
        let number = rawValue
        while written < first.count + second.count {
            let head = unsafe UnsafeRawBufferPointer(rebasing: first.dropFirst(written))
            let tail = unsafe UnsafeRawBufferPointer(rebasing: second.dropFirst(max(written - first.count, 0)))
            let count = try systemCall(.diskWrite) {
                unsafe clinux_write_pair(
                    number, head.baseAddress, head.count, tail.baseAddress, tail.count, off_t(written))
            }
            // No file answers so; the loop must end all the same.
            if count == 0 { throw Errno(code: EIO) }
            written += count
        }
    }

    /// Up to `byteCount` bytes from `offset` on; fewer at the end of the file. Errors as of `read(into:at:)`.
    package borrowing func read(byteCount: Int, at offset: Int) throws(Errno) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, byteCount))
        let outcome: Result<Int, Errno> = unsafe bytes.withUnsafeMutableBytes { buffer in
            do throws(Errno) {
                return .success(try unsafe read(into: buffer, at: offset))
            } catch {
                return .failure(error)
            }
        }
        bytes.removeLast(bytes.count - (try outcome.get()))
        return bytes
    }

    /// Writes `bytes` at `offset`. Errors: `ENOSPC`, `EDQUOT`, `EFBIG`, `EIO`; a part may have been written then.
    package borrowing func write(_ bytes: [UInt8], at offset: Int) throws(Errno) {
        var written = 0
        let number = rawValue
        while written < bytes.count {
            let count = try systemCall(.diskWrite) {
                unsafe bytes.withUnsafeBytes {
                    unsafe pwrite(
                        number, $0.baseAddress.map { unsafe $0 + written }, $0.count - written, off_t(offset + written))
                }
            }
            if count == 0 { throw Errno(code: EIO) }
            written += count
        }
    }

    /// Takes the lock of the whole file (flock(2)), which ends with the last descriptor of this opening; false if it is taken.
    package borrowing func tryLock() throws(Errno) -> Bool {
        let number = rawValue
        return try lockOutcome { clinux_lock_file(number) }
    }

    /// Gives the lock of the whole file up. Closing it does not where a process has just been started: until it runs its
    /// program, that has the same openings.
    package borrowing func unlock() throws(Errno) {
        let number = rawValue
        _ = try systemCall(.diskLock) { clinux_unlock_file(number) }
    }

    /// Takes the lock of the byte at `offset` (`F_OFD_SETLK`), which belongs to this opening of the file and ends with it;
    /// false if another opening has it. The byte need not exist. `offset`: at most 2⁶³ − 2.
    package borrowing func tryLock(byteAt offset: Int) throws(Errno) -> Bool {
        let number = rawValue
        return try lockOutcome { clinux_lock_byte(number, off_t(offset), 1) }
    }

    /// Gives the lock of the byte at `offset` up.
    package borrowing func unlock(byteAt offset: Int) throws(Errno) {
        let number = rawValue
        _ = try systemCall(.diskLock) { clinux_lock_byte(number, off_t(offset), 0) }
    }

    private borrowing func lockOutcome(_ call: () -> Int32) throws(Errno) -> Bool {
        do throws(Errno) {
            _ = try systemCall(.diskLock, call)
            return true
        } catch {
            if error.code == EAGAIN || error.code == EACCES { return false }
            throw error
        }
    }
}
