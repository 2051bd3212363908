import Bytes
import CHostile
import Glibc
import Sandbox

/// A sandboxed process for tests of the pool: the first byte of a job's head says what it does.
@main
enum Driver {
    /// Only the thread of the jobs has it.
    nonisolated(unsafe) private static var crashWithNextJob = false

    static func main() {
        if CommandLine.arguments.contains("old-kernel"), chostile_refuse_confinement() != 0 { _exit(5) }
        let prepare: ([UInt8]) -> Bool = {
            awaitTurn()
            return $0 != [0]
        }
        SandboxedProcess.run(prepare: prepare) { job, ask in
            if crashWithNextJob { chostile_crash() }
            switch job.head.first.map({ Character(Unicode.Scalar($0)) }) {
            case "e":
                let bytes = job.sources.flatMap { source in source.withUnsafeBytes { Array($0) } }
                return (Array(job.head.dropFirst()), SharedBytes(bytes))
            case "a": return (ask(Array(job.head.dropFirst())), SharedBytes([]))
            case "c": chostile_crash()
            case "k": abort()
            case "x": _exit(3)
            case "h":
                _ = ask([1])
                while true {}
            case "m": allocate()
            case "y": hide()
            case "i": return crashLater()
            case "o": crashWithNextJob = true
            case "z":
                close(3)
                while true { sleep(1) }
            case "s": return (attempts(), SharedBytes([]))
            case "t": threads()
            case "u": return (Array("\(open("/usr", O_RDONLY) >= 0)".utf8), SharedBytes([]))
            case "b": keepBusy()
            case "w": writeBeyond()
            case "g": writeUntold()
            case "p": return (ask(Array("\(chostile_read_code())".utf8)), SharedBytes([]))
            case "l": lie(lengthByte: 5)
            case "v": lie(lengthByte: 6)
            case "q": while true { _ = ask([1]) }
            case "d": askWithoutReading()
            case "f": guard chostile_ask_with_files(3, 4) == 0 else { _exit(4) }
            case "r": return ([], SharedBytes([UInt8](repeating: 1, count: 64 << 20)))
            default: break
            }
            return (Array("done".utf8), SharedBytes([]))
        }
    }

    /// With the arguments "alone" and a path, only the process that makes the folder there ever takes jobs.
    private static func awaitTurn() {
        let words = CommandLine.arguments
        guard words.count == 3, words[1] == "alone" else { return }
        while mkdir(words[2], 0o700) != 0 { sleep(1) }
    }

    /// The names of the calls that were let through, or failed otherwise than by the filter.
    private static func attempts() -> [UInt8] {
        var through: [String] = []
        for index in 0..<chostile_count() {
            let code = chostile_try(index)
            guard code != EPERM, let name = chostile_name(index).map({ String(cString: $0) }) else { continue }
            // The C library starts its threads by clone where the system has no clone3.
            if name != "clone3" || code != ENOSYS { through.append("\(name): \(code)") }
        }
        return Array("\(chostile_count()) tried; \(through.joined(separator: ", "))".utf8)
    }

    /// Until the limit of memory ends it.
    private static func allocate() {
        while true {
            guard let memory = malloc(16 << 20) else { abort() }
            memset(memory, 1, 16 << 20)
        }
    }

    /// Memory that can be read alone, which no limit counts.
    private static func hide() {
        for _ in 0..<32 {
            let size = 16 << 20
            let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            guard let memory, memory != MAP_FAILED else { abort() }
            memset(memory, 1, size)
            mprotect(memory, size, PROT_READ)
        }
    }

    /// When the job has its reply.
    private static func crashLater() -> ([UInt8], SharedBytes) {
        var thread = pthread_t()
        let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
            usleep(50_000)
            chostile_crash()
            return nil
        }
        guard pthread_create(&thread, nil, body, nil) == 0 else { _exit(4) }
        return (Array("done".utf8), SharedBytes([]))
    }

    /// Libraries may start threads.
    private static func threads() {
        var thread = pthread_t()
        guard pthread_create(&thread, nil, { _ in nil }, nil) == 0 else { _exit(4) }
        pthread_join(thread, nil)
    }

    /// Works on when the job has its reply.
    private static func keepBusy() {
        var thread = pthread_t()
        guard pthread_create(&thread, nil, { _ in while true {} }, nil) == 0 else { _exit(4) }
    }

    /// Past the end of the file for the result.
    private static func writeBeyond() {
        var byte: UInt8 = 0
        _ = pwrite(4, &byte, 1, 1 << 40)
    }

    /// Of which the reply says nothing.
    private static func writeUntold() {
        let bytes = [UInt8](repeating: 1, count: 64 << 20)
        _ = pwrite(4, bytes, bytes.count, 1 << 20)
    }

    /// Questions without end, whose answers nobody reads.
    private static func askWithoutReading() {
        let question: [UInt8] = [5, 0]
        while true { _ = write(3, question, question.count) }
    }

    /// A reply with a length that its file does not have: all bytes of it but one, counted from the lowest, are 0.
    private static func lie(lengthByte: Int) {
        let bytes: [UInt8] = [6, 2] + (0..<8).map { $0 == lengthByte ? 1 : 0 } + [UInt8](repeating: 0, count: 8)
        _ = write(3, bytes, bytes.count)
        while true { sleep(1) }
    }
}
