import Glibc
import Reactor

// What one process purges, the others still have in memory. So each purge appends a record to the file `purges` of the folder,
// and every process looks about once a second for records that it has not read. Writers take turns by a lock of the file. A
// full file is replaced by a new one whose head names it: a reader that finds another file and cannot tell that it follows
// the one it knows has to take everything for purged. So the file is small and no purge is ever missed.

/// Tells other processes of purges. Any thread; waits for the disk.
struct PurgeLogWriter: Sendable {
    static let path = RelativePath("purges")
    private static let newPath = RelativePath("purges-new")
    /// A file of this size is full: about two thousand records.
    static let byteLimit = 128 << 10
    /// How often the lock is tried, ten milliseconds apart.
    private static let attemptLimit = 100

    let name: UInt64

    /// Appends `purge` to the log in the folder `root`. Errors: `EAGAIN` if somebody has the lock for a second; those of files.
    func append(_ purge: SharedPurge, in root: borrowing FileDescriptor) throws(Errno) {
        let record = PurgeLogRecord(.purge(purge, writer: name)).bytes
        var attempts = 0
        while try !add(record, in: root) {
            attempts += 1
            guard attempts < Self.attemptLimit else { throw Errno(code: EAGAIN) }
            Processors.pause(.milliseconds(10))
        }
    }

    /// Whether it was this store's turn, and the record is there.
    private func add(_ record: [UInt8], in root: borrowing FileDescriptor) throws(Errno) -> Bool {
        let file = try root.openOrMakeFile(Self.path)
        do throws(Errno) {
            guard try file.tryLock() else { return false }
        } catch {
            // A file system that has no locks: records of one moment may be lost.
            guard [ENOLCK, ENOSYS, EOPNOTSUPP, EINVAL].contains(error.code) else { throw error }
        }
        let state = try file.state()
        // Another one may have put a new file in its place before this one was locked.
        guard try root.state(of: Self.path).fileNumber == state.fileNumber else { return false }
        // What a dead writer left of a record is written over.
        let end = PurgeLogRecord.wholeByteCount(state.byteCount)
        let head = PurgeLogHead(of: file)
        if head != nil, end < Self.byteLimit {
            try file.write(record, at: end)
        } else {
            // Also where there is no head yet, or it is damaged.
            try replace(in: root, previous: head?.file ?? 0, record)
        }
        return true
    }

    private func replace(
        in root: borrowing FileDescriptor, previous: UInt64, _ record: [UInt8]
    ) throws(Errno) {
        do throws(Errno) { try root.removeFile(Self.newPath) } catch { if error != .noSuchEntry { throw error } }
        let file = try root.makeFile(Self.newPath)
        let head = PurgeLogRecord(.head(file: UInt64.random(in: 1...(.max)), previous: previous))
        do throws(Errno) {
            try file.write(head.bytes + record, at: 0)
            try root.rename(Self.newPath, to: Self.path)
        } catch {
            do throws(Errno) { try root.removeFile(Self.newPath) } catch { /* The next writer does it. */  }
            throw error
        }
    }
}

/// Reads the purges that other processes log from now on. Confined to one thread; waits for the disk.
struct PurgeLogReader: ~Copyable {
    private struct Opened: ~Copyable {
        let file: FileDescriptor
        let fileNumber: UInt64
        /// How much of it has been read.
        var offset: Int
    }

    private let ownName: UInt64
    private var opened: Opened?
    /// What the file that was read last calls itself; 0 before there is one, nil where it cannot be known.
    private var known: UInt64? = 0
    /// Whether the last time nothing kept it from reading all that was there.
    private(set) var hasReadAll = false

    /// A reader that skips what is there already and what the store `ownName` appends.
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

    /// What was appended since the last time, in order. One system call if there is nothing; on errors it is tried again next
    /// time.
    mutating func readNew(in root: borrowing FileDescriptor) -> [SharedPurge] {
        var purges: [SharedPurge] = []
        hasReadAll = true
        do throws(Errno) {
            let state = try root.state(of: PurgeLogWriter.path)
            // One that is just being made is empty.
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

    /// Opens the file that is there now, in place of the one that was read to its end.
    private mutating func openNext(in root: borrowing FileDescriptor, _ purges: inout [SharedPurge]) throws(Errno) {
        let file = try root.openFile(PurgeLogWriter.path)
        let state = try file.state()
        guard state.byteCount >= PurgeLogRecord.byteCount else { return }
        let head = PurgeLogHead(of: file)
        if head == nil || head?.previous != known { purges.append(.whole) }
        known = head?.file
        opened = Opened(file: file, fileNumber: state.fileNumber, offset: PurgeLogRecord.byteCount)
    }

    /// Takes in what the open file has beyond what was read.
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

/// How a log file calls itself and the one whose place it took.
struct PurgeLogHead: Equatable {
    let file: UInt64
    let previous: UInt64

    /// The head of `file`, or nil if it has none that can be read.
    init?(of file: borrowing FileDescriptor) {
        do throws(Errno) {
            let bytes = try file.read(byteCount: PurgeLogRecord.byteCount, at: 0)
            guard case .head(let name, let previous)? = PurgeLogRecord(bytes[...])?.body else { return nil }
            self.file = name
            self.previous = previous
        } catch {
            return nil
        }
    }
}
