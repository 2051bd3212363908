import Bytes
import Glibc
import Reactor
import Synchronization

/// Writes files that get their name only when they are whole.
struct EntryWriter {
    static func trailer(_ record: EntryRecord) -> [UInt8] {
        var checksum = Checksum()
        unsafe record.content.withUnsafeBytes { unsafe checksum.update($0) }
        return EntryFooter(
            status: record.status, contentByteCount: record.content.count, fieldsByteCount: record.fields.count,
            contentChecksum: checksum.value, storedUnixSeconds: record.storedUnixSeconds,
            costMicroseconds: record.cost.wholeMicroseconds, tag: record.tag, key: record.key
        ).trailer(fields: record.fields)
    }

    /// `finish` names or removes the locked file in `tmp/`. On errors nothing is left behind.
    static func write(
        _ content: SharedBytes, _ trailer: [UInt8], in folder: borrowing FileDescriptor,
        finish: (borrowing FileDescriptor, RelativePath) throws(Errno) -> Bool
    ) throws(Errno) -> Bool {
        let path = RelativePath("tmp/" + newName())
        let file = try folder.makeFile(path)
        do throws(Errno) {
            // A lock held by another means that the file was taken for an orphan, which shows when it is renamed. Where
            // files cannot be locked, nobody finds orphans either.
            _ = try? file.tryLock()
            let outcome = unsafe content.withUnsafeBytes { first in
                unsafe trailer.withUnsafeBytes { second in
                    Result { () throws(Errno) in try unsafe file.write(first: first, second: second) }
                }
            }
            try outcome.get()
            return try finish(folder, path)
        } catch {
            // If this fails too, the next start finds the file.
            try? folder.removeFile(path)
            throw error
        }
    }

    /// Removes a file that was only just written, unless another process took it for an orphan.
    static func removeWritten(_ path: RelativePath, in folder: borrowing FileDescriptor) throws(Errno) {
        do throws(Errno) { try folder.removeFile(path) } catch { if error != .noSuchEntry { throw error } }
    }

    private static let firstName = UInt64.random(in: 0...(.max))
    private static let nameCount = Atomic<UInt64>(0)

    static func newName() -> String {
        let count = nameCount.wrappingAdd(1, ordering: .relaxed).newValue
        let digits = String(firstName &+ count &* 0x9e37_79b9_7f4a_7c15, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
