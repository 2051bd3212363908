import Bytes
import CSandbox
import Glibc
import Reactor

/// A sandboxed process, seen from the pool that started it.
@safe final class SandboxWorker: @unchecked Sendable {
    // Proof for `@unchecked Sendable`: one thread at a time has the worker, because the pool gives each out once; what changes
    // is changed by that thread alone.
    private let process: pid_t
    private let socket: Int32
    private let result: Int32
    private let buffer: UnsafeMutableRawPointer
    private let settings: SandboxSettings
    /// nil before it is ready.
    private var missing: MissingConfinement?
    private var isReaped = false
    private let inheritedPeakByteCount: Int
    private(set) var jobCount = 0
    private(set) var residentByteCount = 0
    /// `processorTime` at the end of the last job.
    private var timeAtRest: Int?

    /// Why a job ended without a reply.
    enum Ending: Error, Equatable {
        case stopped
        case overTime
        /// The process is gone.
        case lost
        /// It spoke as it should not.
        case nonsense
        /// The server has no memory for its result.
        case shortage
    }

    /// How the process ended.
    struct End: Equatable {
        let signal: Int32
        /// Its most resident memory, or that of the server when it started the process, which hides a lesser one.
        let peakByteCount: Int
        let isPeakOwn: Bool
        /// Whether it had begun to take jobs.
        let wasReady: Bool
    }

    /// Call it on a thread that lives as long as the process is to live.
    static func start(_ settings: SandboxSettings) throws(Errno) -> SandboxWorker {
        var pair: [Int32] = [-1, -1]
        guard unsafe csandbox_socket_pair(&pair) == 0 else { throw Errno(code: errno) }
        defer { _ = close(pair[1]) }
        let result = csandbox_result_file(settings.resultByteLimit)
        guard result >= 0 else {
            let code = errno
            _ = close(pair[0])
            throw Errno(code: code)
        }
        var process: pid_t = 0
        let code = unsafe withCStrings([settings.executable] + settings.arguments) { arguments in
            unsafe withCStrings(settings.environment) { environment in
                unsafe csandbox_spawn(settings.executable, arguments, environment, pair[1], result, &process) == 0
                    ? 0 : errno
            }
        }
        guard code == 0 else {
            _ = close(pair[0])
            _ = close(result)
            throw Errno(code: code)
        }
        let worker = SandboxWorker(process, socket: pair[0], result: result, settings)
        let limits = [
            Int(getpid()), settings.memoryByteLimit, settings.resultByteLimit, settings.mayReadFonts ? 1 : 0,
        ]
        // Where it fails, the process never gets ready.
        try? worker.send(SandboxMessage.bytes(.setup, limits, settings.setup), passing: -1)
        return worker
    }

    private init(_ process: pid_t, socket: Int32, result: Int32, _ settings: SandboxSettings) {
        (self.process, self.socket, self.result, self.settings) = (process, socket, result, settings)
        inheritedPeakByteCount = csandbox_peak()
        unsafe buffer = .allocate(byteCount: SandboxMessage.byteLimit, alignment: 16)
    }

    deinit {
        _ = close(socket)
        _ = close(result)
        unsafe buffer.deallocate()
    }

    /// Microseconds that it has used.
    var processorTime: Int { Int(csandbox_processor_time(process)) }

    /// Whether the process has ended, though nobody ended it.
    var isGone: Bool { csandbox_is_closed(socket) != 0 }

    /// Whether it has worked on after a job. It may be out of hand.
    var isBusyAtRest: Bool { timeAtRest.map { processorTime - $0 > Self.restLimit } ?? false }

    /// Microseconds; giving memory back takes some.
    private static let restLimit = 500_000

    /// Call it when a job is over.
    func rest() { timeAtRest = processorTime }

    func kill() { csandbox_kill(process) }

    /// Whether the process has ended, or is about to. One that has closed its socket alone lives on.
    var isEnding: Bool { csandbox_ends(process, Self.endMilliseconds) != 0 }

    private static let endMilliseconds: Int32 = 1000

    /// Kills it where it still lives, and waits for its end.
    func reap() -> End {
        guard !isReaped else {
            return End(signal: 0, peakByteCount: 0, isPeakOwn: true, wasReady: missing != nil)
        }
        isReaped = true
        csandbox_kill(process)
        var (signal, peak): (Int32, Int) = (0, 0)
        _ = unsafe csandbox_reap(process, &signal, &peak)
        return End(
            signal: signal, peakByteCount: peak, isPeakOwn: peak > inheritedPeakByteCount, wasReady: missing != nil)
    }

    // MARK: Jobs

    /// Whether it takes jobs; also when it has ended before.
    var isReady: Bool { missing != nil || csandbox_wait(socket, 0) != 0 }

    /// Waits until it takes jobs. Returns what the system lacks to confine it.
    func awaitReady(_ ending: () -> Ending?) throws(Ending) -> MissingConfinement {
        if let missing { return missing }
        let message = try receive(ending)
        guard message.kind == .ready, message.numbers.count == 1 else { throw .nonsense }
        let missing = MissingConfinement(rawValue: message.numbers[0])
        self.missing = missing
        return missing
    }

    /// `source`: a file that holds `job.sources`, or -1. `ending` is asked some fifty times a second.
    func perform(
        _ job: SandboxJob, source: Int32, answer: ([UInt8]) -> [UInt8], contentLimit: () -> Int,
        ending: () -> Ending?
    ) throws(Ending) -> SandboxReply {
        _ = try awaitReady(ending)
        jobCount += 1
        let message = SandboxMessage.bytes(.job, job.sources.map(\.count), job.head)
        try send(message, passing: source)
        var nextLook = Clock.system.monotonic() + .milliseconds(Self.checkMilliseconds)
        while true {
            let message = try receive(ending)
            switch message.kind {
            case .question:
                // Where one follows the other, `receive` never waits, and so never looks.
                let now = Clock.system.monotonic()
                if now >= nextLook {
                    if let ending = ending() { throw ending }
                    nextLook = now + .milliseconds(Self.checkMilliseconds)
                }
                try send(SandboxMessage.bytes(.answer, [], answer(Array(message.body))), passing: -1)
            case .reply:
                guard message.numbers.count == 2 else { throw .nonsense }
                residentByteCount = message.numbers[1]
                let bytes = try content(message.numbers[0], limit: min(contentLimit(), settings.resultByteLimit))
                return SandboxReply(head: Array(message.body), content: bytes)
            default: throw .nonsense
            }
        }
    }

    /// A copy, so that the process cannot change it any more.
    private func content(_ count: Int, limit: Int) throws(Ending) -> SharedBytes {
        // Whatever the length that it tells, it may have written elsewhere in the file.
        defer { _ = csandbox_discard(result, Self.keptByteCount) }
        guard count > 0 else { return SharedBytes([]) }
        guard count <= limit else { throw .nonsense }
        guard let memory = unsafe malloc(count) else { throw .shortage }
        guard unsafe csandbox_read(result, memory, count) == count else {
            unsafe free(memory)
            throw .nonsense
        }
        return unsafe SharedBytes(
            adopting: memory, count: count, release: { unsafe free(UnsafeMutableRawPointer(mutating: $0)) })
    }

    /// Of a result whose memory is left for the next one.
    private static let keptByteCount = 1 << 20

    /// Never waits: a process that does its work has read everything before it is told more, and one that reads nothing would
    /// hold this thread for good.
    private func send(_ bytes: [UInt8], passing descriptor: Int32) throws(Ending) {
        guard bytes.count <= SandboxMessage.byteLimit else { throw .lost }
        let sent = unsafe bytes.withUnsafeBytes {
            unsafe csandbox_send(socket, $0.baseAddress, $0.count, descriptor, 0)
        }
        guard sent != bytes.count else { return }
        throw errno == EAGAIN ? Ending.nonsense : .lost
    }

    private func receive(_ ending: () -> Ending?) throws(Ending) -> SandboxMessage.Received {
        var waited = csandbox_wait(socket, Self.firstCheckMilliseconds)
        while waited == 0 {
            if let ending = ending() { throw ending }
            waited = csandbox_wait(socket, Self.checkMilliseconds)
        }
        guard waited > 0 else { throw .lost }
        var passed: Int32 = -1
        let count = unsafe csandbox_receive(socket, buffer, SandboxMessage.byteLimit, &passed)
        // It has no business to send any.
        if passed >= 0 { _ = close(passed) }
        guard count > 0 else { throw .lost }
        guard count <= SandboxMessage.byteLimit else { throw .nonsense }
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: buffer, count: count))
        guard let message = SandboxMessage.read(bytes) else { throw .nonsense }
        return message
    }

    private static let firstCheckMilliseconds: Int32 = 5
    private static let checkMilliseconds: Int32 = 20
}

/// Calls `body` with a list of C strings that ends with NULL.
private func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var copies = unsafe texts.map { unsafe strdup($0) } + [nil]
    defer { for index in 0...texts.count { unsafe free(copies[index]) } }
    return unsafe copies.withUnsafeMutableBufferPointer { list in
        // It has at least the NULL.
        guard let first = list.baseAddress else { preconditionFailure() }
        return unsafe body(first)
    }
}

/// The sources of a job in a file in memory that nobody can change.
@safe struct SourceFile: ~Copyable {
    /// -1: there is nothing in it.
    let descriptor: Int32
    /// nil: the file was made here. Otherwise it is the only source's own.
    private let owner: SharedBytes?

    init(_ sources: [SharedBytes]) throws(Errno) {
        let filled = sources.filter { $0.count > 0 }
        if let only = filled.first, filled.count == 1, let file = only.sealedFile {
            (descriptor, owner) = (file, only)
            return
        }
        owner = nil
        guard !filled.isEmpty else {
            descriptor = -1
            return
        }
        let pieces = unsafe sources.map { source in
            unsafe source.withUnsafeBytes { unsafe csandbox_piece(bytes: $0.baseAddress, count: $0.count) }
        }
        let made = withExtendedLifetime(sources) { unsafe csandbox_source_file(pieces, pieces.count) }
        guard made >= 0 else { throw Errno(code: errno) }
        descriptor = made
    }

    deinit { if descriptor >= 0, owner == nil { _ = close(descriptor) } }
}
