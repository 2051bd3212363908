import Reactor

/// Writes content that is too much for memory to files without a name, on a thread of its own; it starts with the first.
final class ContentSpooler: Sendable {
    private let folder: String
    private let pool: WorkerPool

    /// Starts the thread.
    init(folder: String, queueLimit: Int) throws(Errno) {
        self.folder = folder
        pool = try WorkerPool(name: "spool", threadCount: 1, queueLimit: queueLimit, stackByteCount: 1 << 20)
    }

    /// Writes `octets` at `offset` of `file`, which is made if there is none, and tells `done`; false when too much waits.
    func write(
        _ octets: [UInt8], at offset: Int, of file: SharedFile?,
        done: @escaping @Sendable (Result<SharedFile, Errno>) -> Void
    ) -> Bool {
        let folder = folder
        return pool.submit {
            do throws(Errno) {
                let open = try Self.open(file, in: folder)
                try open.write(octets, at: offset)
                done(.success(open))
            } catch {
                done(.failure(error))
            }
        }
    }

    private static func open(_ file: SharedFile?, in folder: String) throws(Errno) -> SharedFile {
        if let file { return file }
        return SharedFile(adopting: try FileDescriptor.openSpool(in: folder), byteCount: 0)
    }

    /// Writes what waits and ends the thread.
    func shutdown() { pool.shutdown() }
}
