package import Reactor
import Synchronization

/// The right to write to an upload and to make an asset of it; ends when it is given up or released.
package final class UploadAppender: Sendable {
    private let uploads: ResumableUploads
    /// The upload when the right was given.
    package let start: ResumableState
    /// Opened once it is needed, by one thread at a time.
    private let file = Mutex<SharedFile?>(nil)
    private let isGivenUp = Atomic(false)
    /// Whether the files are there. Held while they are made, which two threads may want at once.
    private let isMade: Mutex<Bool>

    init(_ uploads: ResumableUploads, _ start: ResumableState, isMade: Bool = true) {
        self.uploads = uploads
        self.start = start
        self.isMade = Mutex(isMade)
    }

    deinit { giveUp() }

    /// Lets others have the right at once; what is done with this object afterwards fails.
    package func giveUp() {
        guard !isGivenUp.exchange(true, ordering: .acquiringAndReleasing) else { return }
        if isMade.withLock({ $0 }) { uploads.released(start.token) } else { uploads.forgotten(start.token) }
    }

    /// Makes the files of a new upload unless they are there. Waits for the disk.
    package func make() throws(Errno) {
        try isMade.withLock { isMade throws(Errno) in
            guard !isMade else { return }
            guard !isGivenUp.load(ordering: .acquiring) else { throw .invalidArgument }
            try uploads.folder.make(start.token, ResumableRecord(of: start))
            isMade = true
        }
    }

    /// Writes `bytes` at `distance` from where it began. When it throws, some of them may be there. Waits for the disk.
    package func write(_ bytes: [UInt8], at distance: Int) throws(Errno) {
        let file = try open()
        let (offset, overflows) = start.offset.addingReportingOverflow(distance)
        guard !overflows, bytes.count <= start.length - offset else { throw .invalidArgument }
        do throws(Errno) {
            try file.write(bytes, at: offset)
        } catch {
            if let count = try? uploads.folder.byteCount(of: start.token) { uploads.advanced(start.token, to: count) }
            throw error
        }
        uploads.advanced(start.token, to: offset + bytes.count)
    }

    /// Waits for the disk.
    package func content() throws(Errno) -> SharedFile {
        let file = try open()
        return file.resized(to: try uploads.folder.byteCount(of: start.token))
    }

    private func open() throws(Errno) -> SharedFile {
        guard !isGivenUp.load(ordering: .acquiring) else { throw .invalidArgument }
        if let open = file.withLock({ $0 }) { return open }
        try make()
        let opened = try uploads.folder.open(start.token)
        // Somebody else changed the folder.
        guard opened.byteCount == start.offset else { throw .fileTooShort }
        file.withLock { $0 = opened }
        return opened
    }

    /// The bytes are not needed any more. Waits for the disk.
    package func finish(as assetID: String, byteCount: Int) {
        let record = ResumableRecord(length: byteCount, metadata: start.metadata, assetID: assetID)
        do throws(Errno) {
            try uploads.folder.write(record, of: start.token)
            uploads.folder.removeData(of: start.token)
        } catch {
            // After a restart the bytes make the same asset again.
        }
        uploads.finished(start.token, as: assetID, byteCount: byteCount)
    }

    /// Waits for the disk.
    package func discard() { uploads.discarded(start.token) }
}
