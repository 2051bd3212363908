import Glibc
import Reactor

/// What log lines are written to: standard output, or a file that they are added to.
enum LogFile {
    /// A descriptor of its own for the file at `path`, which is made if it is missing (for owner and group, mode 640);
    /// without a path, for standard output.
    static func open(_ path: String?) throws(Errno) -> FileDescriptor {
        guard let path else {
            let copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else { throw Errno(code: errno) }
            return FileDescriptor(adopting: copy)
        }
        // A pipe that nobody reads is refused instead of waited for; once it is open, writing to it may wait.
        let number = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o640)
        guard number >= 0 else { throw Errno(code: errno) }
        let file = FileDescriptor(adopting: number)
        guard fcntl(number, F_SETFL, O_APPEND) == 0 else { throw Errno(code: errno) }
        return file
    }

    /// Writes `bytes` as far as that works, and waits for a reader where it must; how many were written.
    static func write(_ bytes: [UInt8], to number: Int32) -> Int {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(number, $0.baseAddress.map { $0 + written }, $0.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                // Somebody who shares standard output has made it non-blocking.
                Processors.pause(.milliseconds(10))
            } else if errno != EINTR {
                return written
            }
        }
        return written
    }
}
