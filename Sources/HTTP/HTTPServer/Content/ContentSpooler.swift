import Reactor

/// Writes content that is too large for memory to nameless files, or through keepers, on a thread of its own.
final class ContentSpooler: Sendable {
    private let folder: String
    private let pool: WorkerPool

    init(folder: String, queueLimit: Int) throws(Errno) {
        self.folder = folder
        pool = try WorkerPool(name: "spool", threadCount: 1, queueLimit: queueLimit, stackByteCount: 1 << 20)
    }

    /// Tells `done` the file, if `part` went to one; false when too much waits.
    func write(_ part: ContentIntake.Part, done: @escaping @Sendable (Result<SharedFile?, Errno>) -> Void) -> Bool {
        let folder = folder
        return pool.submit { done(Self.write(part, in: folder)) }
    }

    private static func write(_ part: ContentIntake.Part, in folder: String) -> Result<SharedFile?, Errno> {
        Result { () throws(Errno) in
            if let keeper = part.keeper {
                try keeper.write(part.bytes, at: part.offset)
                return nil
            }
            var file = part.file
            if file == nil { file = SharedFile(adopting: try FileDescriptor.openSpool(in: folder), byteCount: 0) }
            try file?.write(part.bytes, at: part.offset)
            return file
        }
    }

    func shutdown() { pool.shutdown() }
}
