import Glibc
import Reactor

// A purge in one process leaves entries in the memory of others. So each purge appends a record to the file `purges` of
// the folder, and every process looks for new records about once a second. Writers lock the file in turn. A full file
// is replaced by a new one whose head names it: a reader that cannot tell that a file follows the one it knows takes
// everything for purged. So the file is small and no purge is ever missed.

/// Tells other processes of purges. Any thread; waits for the disk.
struct PurgeLogWriter: Sendable {
    static let path = RelativePath("purges")
    private static let newPath = RelativePath("purges-new")
    /// About two thousand records; then the file is replaced.
    static let byteLimit = 128 << 10
    /// Attempts to lock, ten milliseconds apart.
    private static let attemptLimit = 100

    let name: UInt64

    /// Errors: `EAGAIN` if the file stays locked for a second; those of files.
    func append(_ purge: SharedPurge, in root: borrowing FileDescriptor) throws(Errno) {
        let record = PurgeLogRecord(.purge(purge, writer: name)).bytes
        var attempts = 0
        while try !add(record, in: root) {
            attempts += 1
            guard attempts < Self.attemptLimit else { throw Errno(code: EAGAIN) }
            Processors.pause(.milliseconds(10))
        }
    }

    /// False if it was not this store's turn.
    private func add(_ record: [UInt8], in root: borrowing FileDescriptor) throws(Errno) -> Bool {
        let file = try root.openOrMakeFile(Self.path)
        do throws(Errno) {
            guard try file.tryLock() else { return false }
        } catch {
            // A file system without locks: simultaneous records may be lost.
            guard [ENOLCK, ENOSYS, EOPNOTSUPP, EINVAL].contains(error.code) else { throw error }
        }
        let state = try file.state()
        // Another writer may have replaced the file before it was locked.
        guard try root.state(of: Self.path).fileNumber == state.fileNumber else { return false }
        // Overwrites a dead writer's partial record.
        let end = PurgeLogRecord.wholeByteCount(state.byteCount)
        let head = PurgeLogHead(of: file)
        if head != nil, end < Self.byteLimit {
            try file.write(record, at: end)
        } else {
            // Also without a head, or with a damaged one.
            try replace(in: root, previous: head?.file ?? 0, record)
        }
        return true
    }

    private func replace(in root: borrowing FileDescriptor, previous: UInt64, _ record: [UInt8]) throws(Errno) {
        do throws(Errno) { try root.removeFile(Self.newPath) } catch { if error != .noSuchEntry { throw error } }
        let file = try root.makeFile(Self.newPath)
        let head = PurgeLogRecord(.head(file: UInt64.random(in: 1...(.max)), previous: previous))
        do throws(Errno) {
            try file.write(head.bytes + record, at: 0)
            try root.rename(Self.newPath, to: Self.path)
        } catch {
            // If this fails too, the next writer does it.
            try? root.removeFile(Self.newPath)
            throw error
        }
    }
}

/// Reads the purges that other processes log from now on. Confined to one thread; waits for the disk.
struct PurgeLogReader: ~Copyable {
    private struct Opened: ~Copyable {
        let file: FileDescriptor
        let fileNumber: UInt64
        var offset: Int
    }

    private let ownName: UInt64
    private var opened: Opened?
    /// The name of the last file read; 0 before there is one, nil if unknown.
    private var known: UInt64? = 0
    /// Whether the last reading got everything.
    private(set) var hasReadAll = false

    /// Skips what is there already and what the store `ownName` appends.
    init(ownName: UInt64, root: borrowing FileDescriptor) {
        self.ownName = ownName
        do throws(Errno) {
            let file = try root.openFile(PurgeLogWriter.path)
            let state = try file.state()
            // A file without a whole record never had one: its writer died.
            known = state.byteCount < PurgeLogRecord.byteCount ? 0 : PurgeLogHead(of: file)?.file
            opened = Opened(
                file: file, fileNumber: state.fileNumber, offset: PurgeLogRecord.wholeByteCount(state.byteCount))
        } catch {
            if error != .noSuchEntry { known = nil }
        }
    }

    /// New purges in order. One system call if there is none; after errors the next call tries again.
    mutating func readNew(in root: borrowing FileDescriptor) -> [SharedPurge] {
        var purges: [SharedPurge] = []
        hasReadAll = true
        do throws(Errno) {
            let state = try root.state(of: PurgeLogWriter.path)
            // A file that is being made is empty.
            guard state.kind == .file, state.byteCount >= PurgeLogRecord.byteCount else { return [] }
            if opened?.fileNumber != state.fileNumber {
                try readOn(&purges)
                try openNext(in: root, &purges)
            }
            try readOn(&purges)
        } catch {
            hasReadAll = error == .noSuchEntry
        }
        return purges
    }

    /// Opens the current file after the last one was read to its end.
    private mutating func openNext(in root: borrowing FileDescriptor, _ purges: inout [SharedPurge]) throws(Errno) {
        let file = try root.openFile(PurgeLogWriter.path)
        let state = try file.state()
        guard state.byteCount >= PurgeLogRecord.byteCount else { return }
        let head = PurgeLogHead(of: file)
        if head == nil || head?.previous != known { purges.append(.whole) }
        known = head?.file
        opened = Opened(file: file, fileNumber: state.fileNumber, offset: PurgeLogRecord.byteCount)
    }

    private mutating func readOn(_ purges: inout [SharedPurge]) throws(Errno) {
        guard let offset = opened?.offset, let end = try opened?.file.state().byteCount else { return }
        let byteCount = PurgeLogRecord.wholeByteCount(end - offset)
        guard byteCount > 0 else { return }
        guard byteCount <= PurgeLogWriter.byteLimit else {
            // No writer of ours lets it grow so far.
            purges.append(.whole)
            opened?.offset = offset + byteCount
            return
        }
        let bytes = try opened?.file.read(byteCount: byteCount, at: offset) ?? []
        for start in stride(from: 0, to: PurgeLogRecord.wholeByteCount(bytes.count), by: PurgeLogRecord.byteCount) {
            switch PurgeLogRecord(bytes[start..<(start + PurgeLogRecord.byteCount)])?.body {
            case .purge(let purge, let writer): if writer != ownName { purges.append(purge) }
            case .head, nil: purges.append(.whole)
            }
        }
        opened?.offset = offset + PurgeLogRecord.wholeByteCount(bytes.count)
    }
}

/// The names of a log file and of the one that it replaced.
struct PurgeLogHead: Equatable {
    let file: UInt64
    let previous: UInt64

    /// Nil without a readable head.
    init?(of file: borrowing FileDescriptor) {
        guard let bytes = try? file.read(byteCount: PurgeLogRecord.byteCount, at: 0),
            case .head(let name, let previous)? = PurgeLogRecord(bytes[...])?.body
        else { return nil }
        self.file = name
        self.previous = previous
    }
}
