import CLinux
import Glibc

extension FileDescriptor {
    /// A new regular file in `folder` for reading and writing that has no name, so that its space is free again when the
    /// last descriptor closes, also after a crash. Readable by this user alone (mode 0600), close-on-exec.
    ///
    /// File systems without `O_TMPFILE` give it a name for a moment. Errors: `ENOENT`, `EACCES`, `EROFS`, `ENOSPC`, …
    package static func openSpool(in folder: String) throws(Errno) -> FileDescriptor {
        FileDescriptor(adopting: try systemCall { unsafe clinux_open_spool(folder) })
    }

    /// Writes all of `buffer` to the file from `offset` on, whatever the position of the descriptor is.
    ///
    /// One system call in the usual case; it may wait for the disk. Errors: `ENOSPC`, `EDQUOT`, `EFBIG`, `EIO`; some of
    /// the bytes may have been written then.
    package borrowing func write(all buffer: UnsafeRawBufferPointer, at offset: Int) throws(Errno) {
        var written = 0
        let number = rawValue
        while written < buffer.count, let base = buffer.baseAddress {
            let count = try systemCall(.writeSpool) {
                unsafe pwrite(number, base + written, buffer.count - written, offset + written)
            }
            // No file answers so; the loop must end all the same.
            if count == 0 { throw Errno(code: EIO) }
            written += count
        }
    }
}
