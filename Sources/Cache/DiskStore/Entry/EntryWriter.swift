import Bytes
import Digest
import Glibc
import Reactor
import Synchronization

/// Writes files that get their name only when they are whole.
struct EntryWriter {
    /// The trailer of `record`'s file.
    static func trailer(_ record: EntryRecord) -> [UInt8] {
        var checksum = Checksum()
        unsafe record.content.withUnsafeBytes { unsafe checksum.update($0) }
        let (seconds, attoseconds) = record.cost.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let microseconds = overflow ? (seconds < 0 ? 0 : Int64.max) : whole &+ attoseconds / 1_000_000_000_000
        return EntryFooter(
            status: record.status, contentByteCount: record.content.count, fieldsByteCount: record.fields.count,
            contentChecksum: checksum.value, storedUnixSeconds: record.storedUnixSeconds,
            costMicroseconds: UInt64(clamping: microseconds), tag: record.tag, key: record.key
        ).trailer(fields: record.fields)
    }

    /// Makes a file in `tmp/`, locked so that nobody takes it for one that a dead process left, writes `content` and `trailer`
    /// and calls `finish` with its path, which gives it a name or removes it. On errors nothing is left behind.
    static func write(
        _ content: SharedBytes, _ trailer: [UInt8], in folder: borrowing FileDescriptor,
        finish: (borrowing FileDescriptor, RelativePath) throws(Errno) -> Bool
    ) throws(Errno) -> Bool {
        let path = RelativePath("tmp/" + newName())
        let file = try folder.makeFile(path)
        do throws(Errno) {
            lock(file)
            let outcome: Result<Void, Errno> = unsafe content.withUnsafeBytes { first in
                unsafe trailer.withUnsafeBytes { second in
                    do throws(Errno) {
                        return .success(try unsafe file.write(first: first, second: second))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            try outcome.get()
            return try finish(folder, path)
        } catch {
            do throws(Errno) {
                try folder.removeFile(path)
            } catch {
                // The next start finds it.
            }
            throw error
        }
    }

    /// If somebody has the lock, they took the file for an orphan and remove it; that shows when it is to be renamed. Where
    /// files cannot be locked, nobody finds orphans either.
    private static func lock(_ file: borrowing FileDescriptor) {
        do throws(Errno) {
            _ = try file.tryLock()
        } catch {
            // See above.
        }
    }

    /// Removes the file at `path`, which was only just written; another process may have taken it for an orphan.
    static func removeWritten(_ path: RelativePath, in folder: borrowing FileDescriptor) throws(Errno) {
        do throws(Errno) { try folder.removeFile(path) } catch { if error != .noSuchEntry { throw error } }
    }

    private static let firstName = UInt64.random(in: 0...(.max))
    private static let nameCount = Atomic<UInt64>(0)

    /// Sixteen hexadecimal digits that this process has not used, nor any other but by chance.
    static func newName() -> String {
        let count = nameCount.wrappingAdd(1, ordering: .relaxed).newValue
        let digits = String(firstName &+ count &* 0x9e37_79b9_7f4a_7c15, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
