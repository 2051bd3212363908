import ArgumentParser
import Glibc
import Reactor

enum StandardStream: Int32 {
    case output = 1
    case error = 2

    /// As far as its reader takes it.
    func write(_ bytes: [UInt8]) { WholeWrite.write(bytes, to: rawValue) }
}

enum OutputFile {
    /// Replaces `path` in one step, so that nobody sees half of it.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let part = path + ".part-\(getpid())"
        let number = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard number >= 0 else { throw refusal(path) }
        let file = FileDescriptor(adopting: number)
        guard WholeWrite.write(bytes, to: file.rawValue) == bytes.count, rename(part, path) == 0 else {
            defer { unlink(part) }
            throw refusal(path)
        }
    }

    private static func refusal(_ path: String) -> ValidationError {
        ValidationError("cannot write \(path): \(Errno(code: errno))")
    }
}

/// A line on standard error that tells how far something is; nothing where that is no terminal.
struct ProgressLine {
    private static let width = 30
    private let isShown = isatty(STDERR_FILENO) == 1
    private var lastPercent = -1

    /// `done` of `all`; `words` follow the bar.
    mutating func show(_ done: Int, of all: Int, _ words: String) {
        let percent = all > 0 ? min(100, done * 100 / all) : 0
        guard isShown, percent != lastPercent else { return }
        lastPercent = percent
        let filled = percent * Self.width / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        StandardStream.error.write(Array("\r[\(bar)] \(percent) % \(words)\u{1B}[K".utf8))
    }

    mutating func end() {
        if isShown, lastPercent >= 0 { StandardStream.error.write([UInt8(ascii: "\n")]) }
        lastPercent = -1
    }
}
