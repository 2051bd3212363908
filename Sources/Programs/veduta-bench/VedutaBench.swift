import Glibc

// Counts what the steps of an answer cost: heap allocations exactly, instructions where it runs under a profiler that
// writes its counts at `cmeasure_mark` (`scripts/bench counts` sees to that), and time, which only informs.

/// Writes a line of JSON for each subject to standard output.
///
/// - `veduta-bench LIBRARY`: the steps of an answer. LIBRARY is the folder of sample pictures.
/// - `veduta-bench traces [TRACE]`: how often caches of several policies hit.
/// - `veduta-bench hits [LARGEST]`: what a look-up in the memory tier costs, with more and more entries.
/// - `veduta-bench memory small|typical|mixed|changing`: what the memory tier takes beside its bound.
/// - `veduta-bench quality [efforts|chroma|jpeg] PHOTO…`: bytes and likeness of every quality of every format.
/// - `veduta-bench costs PHOTO…`: processor time of every encoder at every effort, of decoding and of scoring.
/// - `veduta-bench maps PICTURE…`: bytes and time of the ways to write drawn pictures, which are PNGs, as PNG.
@main
enum VedutaBench {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        do {
            switch (arguments.first, arguments.count) {
            case ("traces", 1...2): try TraceSubject.run(only: arguments.dropFirst().first)
            case ("hits", 1...2): try HitSubject.run(largest: Int(arguments.dropFirst().first ?? "") ?? .max)
            case ("memory", 2): try MemorySubject.run(arguments.dropFirst().first ?? "")
            case ("quality", 2...): try QualitySubject.run(Array(arguments.dropFirst()))
            case ("costs", 2...): try CostSubject.run(Array(arguments.dropFirst()))
            case ("maps", 2...): try MapEncodingSubject.run(Array(arguments.dropFirst()))
            case (let library?, 1): try measureAnswers(library: library)
            default:
                writeError(
                    "usage: veduta-bench LIBRARY | traces [TRACE] | hits [LARGEST] | memory CONTENTS"
                        + " | quality [efforts|chroma|jpeg] PHOTO… | costs PHOTO… | maps PICTURE…")
                exit(64)
            }
        } catch {
            writeError("veduta-bench: \(error)")
            exit(1)
        }
    }

    private static func measureAnswers(library: String) throws {
        // The main thread is the client of what is measured; what it does is not counted.
        Meter.setThisThreadApart()
        try HeadParseSubject.run()
        try ConnectionSubject.run()
        try ServiceSubject.run(library: library)
    }

    private static func writeError(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
