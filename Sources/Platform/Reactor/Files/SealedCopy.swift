package import Bytes
import CLinux
import Glibc

extension FileDescriptor {
    /// The whole file, of `byteCount` bytes, in memory that another process can map without another copy
    /// (`SharedBytes.sealedFile`). Errors: `ENODATA` where the file has more or less, `EINVAL` where its file system cannot.
    package borrowing func sealedCopy(byteCount: Int) throws(Errno) -> SharedBytes {
        let number = rawValue
        let copy = try systemCall { clinux_sealed_copy(number, byteCount) }
        guard byteCount > 0, let memory = unsafe clinux_map(copy, byteCount) else {
            let code = byteCount > 0 ? errno : EINVAL
            _ = close(copy)
            throw Errno(code: code)
        }
        return unsafe SharedBytes(
            adopting: memory, count: byteCount, sealedFile: copy,
            release: { memory in
                unsafe clinux_unmap(memory, byteCount)
                _ = close(copy)
            })
    }
}
