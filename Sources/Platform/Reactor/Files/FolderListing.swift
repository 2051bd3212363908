import CLinux
import Glibc

/// In no order. An entry that is added or removed meanwhile may or may not be listed.
@safe package struct FolderListing: ~Copyable {
    private let folder: OpaquePointer

    /// Errors: `ENOTDIR`, `ENOMEM`.
    package init(adopting descriptor: consuming FileDescriptor) throws(Errno) {
        let number = descriptor.release()
        guard let opened = unsafe clinux_folder_open(number) else { throw Errno(code: errno) }
        unsafe folder = opened
    }

    deinit { unsafe clinux_folder_close(folder) }

    /// Nil after the last. One system call for some hundred names. Errors: `EIO`, `ENOENT`.
    package mutating func next() throws(Errno) -> FileName? {
        var name: UnsafePointer<CChar>?
        var isFolder: Int32 = 0
        let found = try systemCall(.diskList) { unsafe clinux_folder_next(folder, &name, &isFolder) }
        guard found > 0, let name = unsafe name else { return nil }
        let bytes = unsafe UnsafeBufferPointer(start: name, count: strlen(name)).map { UInt8(bitPattern: $0) }
        return FileName(bytes: bytes, isFolder: isFolder != 0)
    }
}
