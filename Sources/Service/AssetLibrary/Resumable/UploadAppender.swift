package import Reactor
import Synchronization

/// The right to write to an upload and to make an asset of it; others may when it is given up or let go of.
package final class UploadAppender: Sendable {
    private let uploads: ResumableUploads
    /// What was known of the upload when the right was given.
    package let start: ResumableState
    /// The bytes, once they were written to or asked for. One thread at a time does either.
    private let file = Mutex<SharedFile?>(nil)
    private let isGivenUp = Atomic(false)

    init(_ uploads: ResumableUploads, _ start: ResumableState) {
        self.uploads = uploads
        self.start = start
    }

    deinit { giveUp() }

    /// Lets others have the right at once, whoever still holds this object. What is done with it afterwards fails.
    package func giveUp() {
        if !isGivenUp.exchange(true, ordering: .acquiringAndReleasing) { uploads.released(start.token) }
    }

    /// Writes `bytes` so many bytes behind the place where it began. Waits for the disk.
    ///
    /// When it throws, the upload has as many bytes as could be written.
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

    /// The bytes that are there, for reading. Waits for the disk.
    package func content() throws(Errno) -> SharedFile {
        let file = try open()
        return file.resized(to: try uploads.folder.byteCount(of: start.token))
    }

    private func open() throws(Errno) -> SharedFile {
        guard !isGivenUp.load(ordering: .acquiring) else { throw .invalidArgument }
        if let open = file.withLock({ $0 }) { return open }
        let opened = try uploads.folder.open(start.token)
        // Somebody else has the folder in hand.
        guard opened.byteCount == start.offset else { throw .fileTooShort }
        file.withLock { $0 = opened }
        return opened
    }

    /// The upload has become the asset `assetID`: its bytes are not needed any more. Waits for the disk.
    package func finish(as assetID: String) {
        let record = ResumableRecord(length: start.length, metadata: start.metadata, assetID: assetID)
        do throws(Errno) {
            try uploads.folder.write(record, of: start.token)
            uploads.folder.removeData(of: start.token)
        } catch {
            // After a restart the bytes make the same asset again, and only its id is told.
        }
        uploads.finished(start.token, as: assetID)
    }

    /// Removes the upload, of which nothing can be made. Waits for the disk.
    package func discard() { uploads.discarded(start.token) }
}
