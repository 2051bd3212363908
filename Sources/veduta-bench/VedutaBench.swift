import Glibc
import Reactor

// Counts what the steps of an answer cost: heap allocations exactly, instructions where it runs under a profiler that
// writes its counts at `cmeasure_mark` (`scripts/bench counts` sees to that), and time, which only informs.

/// `veduta-bench LIBRARY`: measures every subject and writes a line of JSON for each to standard output. LIBRARY is the
/// folder of sample pictures.
@main
enum VedutaBench {
    static func main() {
        guard CommandLine.arguments.count == 2 else {
            writeError("usage: veduta-bench LIBRARY (the folder that `veduta sample` wrote)")
            exit(64)
        }
        do {
            // The main thread is the client of what is measured; what it does is not counted.
            Meter.setThisThreadApart()
            try HeadParseSubject.run()
            try ConnectionSubject.run()
            try ServiceSubject.run(library: CommandLine.arguments[1])
        } catch {
            writeError("veduta-bench: \(error)")
            exit(1)
        }
    }

    private static func writeError(_ text: String) {
        let octets = Array((text + "\n").utf8)
        _ = octets.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// Why nothing could be measured.
enum BenchError: Error {
    /// The server under measurement closed the connection, or sent what is no answer.
    case connectionLost
    /// The answer was not what the subject is about.
    case unexpectedStatus(Int)
    /// Input of our own making was refused.
    case refusedInput
    case system(Errno)
}
