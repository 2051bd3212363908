import Reactor

/// Writes content that is too much for memory to files without a name, or lets keepers write it, on a thread of its own.
final class ContentSpooler: Sendable {
    private let folder: String
    private let pool: WorkerPool

    init(folder: String, queueLimit: Int) throws(Errno) {
        self.folder = folder
        pool = try WorkerPool(name: "spool", threadCount: 1, queueLimit: queueLimit, stackByteCount: 1 << 20)
    }

    /// Writes `part` and tells `done` the file, if it went to one; false when too much waits.
    func write(_ part: ContentIntake.Part, done: @escaping @Sendable (Result<SharedFile?, Errno>) -> Void) -> Bool {
        let folder = folder
        return pool.submit { done(Self.write(part, in: folder)) }
    }

    private static func write(_ part: ContentIntake.Part, in folder: String) -> Result<SharedFile?, Errno> {
        do throws(Errno) {
            if let keeper = part.keeper {
                try keeper.write(part.bytes, at: part.offset)
                return .success(nil)
            }
            let file: SharedFile
            if let begun = part.file {
                file = begun
            } else {
                file = SharedFile(adopting: try FileDescriptor.openSpool(in: folder), byteCount: 0)
            }
            try file.write(part.bytes, at: part.offset)
            return .success(file)
        } catch {
            return .failure(error)
        }
    }

    /// Writes what waits and ends the thread.
    func shutdown() { pool.shutdown() }
}
