import CLinux
import Glibc

// Files and folders below an open folder. A symbolic link in the last place of a path is never followed, every
// descriptor is close-on-exec, and every call may wait for the disk.
extension FileDescriptor {
    /// Close-on-exec. Errors: `EBADF`, `EMFILE`.
    package static func duplicate(_ number: Int32) throws(Errno) -> FileDescriptor {
        FileDescriptor(adopting: try systemCall { fcntl(number, F_DUPFD_CLOEXEC, 0) })
    }

    /// Errors: `ENOENT`, `ENOTDIR`, `EACCES`, …
    package static func openFolder(_ path: String) throws(Errno) -> FileDescriptor {
        FileDescriptor(
            adopting: try systemCall(.diskOpen) { unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    }

    /// Mode 0700, with missing folders above.
    package static func makeFolders(_ path: String) throws(Errno) {
        func make() throws(Errno) {
            do throws(Errno) {
                _ = try systemCall(.diskMakeFolder) { unsafe mkdir(path, 0o700) }
            } catch { if error != .alreadyExists { throw error } }
        }
        do throws(Errno) { try make() } catch {
            guard error == .noSuchEntry, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
                throw error
            }
            try makeFolders(String(path[..<slash]))
            try make()
        }
    }

    /// Follows links, as the operator named it. A pipe does not make the call wait. Errors: `ENOENT`, `EACCES`, `EMFILE`, …
    package static func openFile(_ path: String) throws(Errno) -> FileDescriptor {
        FileDescriptor(
            adopting: try systemCall(.diskOpen) {
                unsafe Glibc.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            })
    }

    /// A pipe does not make the call wait. Errors: `ENOENT`, `ELOOP`, `EMFILE`, …
    package borrowing func openFile(_ path: RelativePath) throws(Errno) -> FileDescriptor {
        try open(path, O_RDONLY | O_NONBLOCK)
    }

    package borrowing func openFolder(_ path: RelativePath) throws(Errno) -> FileDescriptor {
        try open(path, O_RDONLY | O_DIRECTORY)
    }

    /// For writing; mode 0600. Errors: `EEXIST`, `ENOENT`, `ENOSPC`, `EROFS`, `EACCES`, …
    package borrowing func makeFile(_ path: RelativePath) throws(Errno) -> FileDescriptor {
        try open(path, O_WRONLY | O_CREAT | O_EXCL)
    }

    /// For reading and writing; mode 0600 if made.
    package borrowing func openOrMakeFile(_ path: RelativePath) throws(Errno) -> FileDescriptor {
        try open(path, O_RDWR | O_CREAT)
    }

    private borrowing func open(_ path: RelativePath, _ flags: Int32) throws(Errno) -> FileDescriptor {
        FileDescriptor(
            adopting: try systemCall(.diskOpen) {
                unsafe openat(rawValue, path.bytes, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
            })
    }

    /// Mode 0700. Errors: `EEXIST`, `ENOENT`, `ENOSPC`, `EROFS`, …
    package borrowing func makeFolder(_ path: RelativePath) throws(Errno) {
        _ = try systemCall(.diskMakeFolder) { unsafe mkdirat(rawValue, path.bytes, 0o700) }
    }

    /// In one step; replaces a file there.
    package borrowing func rename(_ path: RelativePath, to newPath: RelativePath) throws(Errno) {
        _ = try systemCall(.diskRename) { unsafe renameat(rawValue, path.bytes, rawValue, newPath.bytes) }
    }

    /// Gives the file at `path` another name, which must be free. Errors: `EEXIST`, `ENOENT`, `EMLINK`, `ENOSPC`, `EPERM` where the
    /// file system has no hard links, …
    package borrowing func link(_ path: RelativePath, as newPath: RelativePath) throws(Errno) {
        _ = try systemCall(.diskLink) { unsafe linkat(rawValue, path.bytes, rawValue, newPath.bytes, 0) }
    }

    /// Errors: `ENOENT`, `EISDIR`, `EROFS`, `EACCES`, …
    package borrowing func removeFile(_ path: RelativePath) throws(Errno) {
        _ = try systemCall(.diskUnlink) { unsafe unlinkat(rawValue, path.bytes, 0) }
    }

    /// Errors: `ENOTEMPTY`, `ENOENT`, …
    package borrowing func removeFolder(_ path: RelativePath) throws(Errno) {
        _ = try systemCall(.diskUnlink) { unsafe unlinkat(rawValue, path.bytes, AT_REMOVEDIR) }
    }

    package borrowing func state() throws(Errno) -> FileState { try FileDescriptor.state(number: rawValue) }

    /// Follows no link. Errors: `ENOENT`, `ENOTDIR`, `EIO`, …
    package borrowing func state(of path: RelativePath) throws(Errno) -> FileState {
        var status = stat()
        _ = try systemCall(.diskStat) { unsafe fstatat(rawValue, path.bytes, &status, AT_SYMLINK_NOFOLLOW) }
        return FileState(status)
    }

    package borrowing func blockByteCount() throws(Errno) -> Int {
        try systemCall(.diskStat) { clinux_block_byte_count(rawValue) }
    }

    /// For this user, quotas aside.
    package borrowing func availableByteCount() throws(Errno) -> Int {
        Int(try systemCall(.diskStat) { clinux_available_byte_count(rawValue) })
    }

    /// Returns how many bytes it got, fewer at the end of the file. Usually one system call. Errors: `EIO`, `EISDIR`.
    package borrowing func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(Errno) -> Int {
        var filled = 0
        while filled < buffer.count, let base = buffer.baseAddress {
            let count = try systemCall(.diskRead) {
                unsafe pread(rawValue, base + filled, buffer.count - filled, offset + filled)
            }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// One after the other at the start of the file. Errors: `ENOSPC`, `EDQUOT`, `EFBIG`, `EIO`; a part may be written then.
    package borrowing func write(first: UnsafeRawBufferPointer, second: UnsafeRawBufferPointer) throws(Errno) {
        var written = 0
        while written < first.count + second.count {
            let head = unsafe UnsafeRawBufferPointer(rebasing: first.dropFirst(written))
            let tail = unsafe UnsafeRawBufferPointer(rebasing: second.dropFirst(max(written - first.count, 0)))
            let count = try systemCall(.diskWrite) {
                unsafe clinux_write_pair(
                    rawValue, head.baseAddress, head.count, tail.baseAddress, tail.count, off_t(written))
            }
            // No file answers so; the loop must end all the same.
            if count == 0 { throw Errno(code: EIO) }
            written += count
        }
    }

    /// Fewer at the end of the file. Errors as of `read(into:at:)`.
    package borrowing func read(byteCount: Int, at offset: Int) throws(Errno) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, byteCount))
        let outcome = unsafe bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(Errno) in try unsafe read(into: buffer, at: offset) }
        }
        bytes.removeLast(bytes.count - (try outcome.get()))
        return bytes
    }

    package borrowing func write(_ bytes: [UInt8], at offset: Int) throws(Errno) {
        try unsafe bytes.span.bytes.withUnsafeBytes { buffer throws(Errno) in
            try unsafe write(all: buffer, at: offset, .diskWrite)
        }
    }

    /// Usually one system call, which may wait for the disk. Errors: `ENOSPC`, `EDQUOT`, `EFBIG`, `EIO`; a part may be written then.
    package borrowing func write(
        all buffer: UnsafeRawBufferPointer, at offset: Int, _ kind: FaultableCall = .writeSpool
    ) throws(Errno) {
        var written = 0
        while written < buffer.count, let base = buffer.baseAddress {
            let count = try systemCall(kind) {
                unsafe pwrite(rawValue, base + written, buffer.count - written, offset + written)
            }
            // No file answers so; the loop must end all the same.
            if count == 0 { throw Errno(code: EIO) }
            written += count
        }
    }

    /// flock(2), until the last descriptor of this opening closes; false if it is taken.
    package borrowing func tryLock() throws(Errno) -> Bool { try lockOutcome { clinux_lock_file(rawValue) } }

    /// Closing would not release it while a process that is just being started shares the opening.
    package borrowing func unlock() throws(Errno) { _ = try systemCall(.diskLock) { clinux_unlock_file(rawValue) } }

    /// `F_OFD_SETLK`, until this opening ends; false if another opening has it. The byte need not exist. `offset`: at most 2⁶³ − 2.
    package borrowing func tryLock(byteAt offset: Int) throws(Errno) -> Bool {
        try lockOutcome { clinux_lock_byte(rawValue, off_t(offset), 1) }
    }

    package borrowing func unlock(byteAt offset: Int) throws(Errno) {
        _ = try systemCall(.diskLock) { clinux_lock_byte(rawValue, off_t(offset), 0) }
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
