import Bytes
import Foundation
import Glibc
import Reactor
import Sandbox
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)), .serialized) struct SandboxPoolTests {
    private static func pool(
        _ workerCount: Int = 1, clock: Clock = .system, _ adjust: (inout SandboxSettings) -> Void = { _ in },
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> SandboxPool {
        var settings = SandboxSettings(arguments: [], workerCount: workerCount)
        settings.executable = Bundle.main.bundleURL.appending(path: "SandboxDriver").path
        settings.environment = ["SWIFT_BACKTRACE=enable=no"]
        settings.setup = [1]
        adjust(&settings)
        return try SandboxPool(settings, clock: clock, log: log)
    }

    private static func job(_ text: String, _ sources: [[UInt8]] = []) -> SandboxJob {
        SandboxJob(head: Array(text.utf8), sources: sources.map { SharedBytes($0) })
    }

    private static func run(
        _ pool: SandboxPool, _ text: String, _ sources: [[UInt8]] = []
    ) -> Result<String, SandboxFailure> {
        Result { () throws(SandboxFailure) in
            let reply = try pool.run(job(text, sources), shouldStop: { false })
            return String(decoding: reply.head, as: UTF8.self)
        }
    }

    private static func bytes(_ shared: SharedBytes) -> [UInt8] { shared.withUnsafeBytes { Array($0) } }

    @Test func bytes_comeBackAsTheyWere_ofAnyLength() throws {
        let pool = try Self.pool()
        defer { pool.close() }
        for lengths in [[], [0], [1], [15, 0, 17], [4096], [100_000, 3, 5_000_000]] {
            let sources = lengths.enumerated().map { index, length in
                [UInt8](repeating: UInt8(index + 1), count: length)
            }
            let reply = try pool.run(Self.job("ehead", sources), shouldStop: { false })
            #expect(reply.head == Array("head".utf8))
            #expect(Self.bytes(reply.content) == sources.flatMap(\.self))
        }
        #expect(pool.counts.starts <= 2 && pool.counts.jobs == 6)
    }

    @Test func questions_areAnsweredByThePool() throws {
        let pool = try Self.pool()
        defer { pool.close() }
        let reply = try pool.run(Self.job("aquestion"), answer: { $0.reversed() }, shouldStop: { false })
        #expect(reply.head == Array("noitseuq".utf8))
    }

    @Test func aCrash_costsOneJob_andTheSecondOneOfTheSameIsRefused() throws {
        let pool = try Self.pool()
        defer { pool.close() }
        #expect(Self.run(pool, "c", [[1]]) == .failure(.crashed(signal: SIGSEGV)))
        #expect(Self.run(pool, "e1") == .success("1"))
        #expect(Self.run(pool, "x", [[1]]) == .failure(.crashed(signal: 0)))
        #expect(Self.run(pool, "c", [[1]]) == .failure(.crashed(signal: SIGSEGV)))
        #expect(Self.run(pool, "c", [[1]]) == .failure(.quarantined))
        // Another operation, another source.
        #expect(Self.run(pool, "e", [[1]]) == .success(""))
        #expect(Self.run(pool, "c", [[2]]) == .failure(.crashed(signal: SIGSEGV)))
        // Two of the jobs met a process that had done another one, and were tried again.
        #expect(pool.counts.crashes == 6 && pool.counts.quarantined == 1)
    }

    /// #17: whoever came after a job that had damaged its process was refused in its place, and twice so for ten minutes.
    @Test(arguments: ["i", "o"]) func aCrashAfterAnotherJob_isNoneOfTheNextOne(_ culprit: String) throws {
        let pool = try Self.pool()
        defer { pool.close() }
        for round in 1...3 {
            #expect(Self.run(pool, culprit, [[UInt8(round)]]) == .success("done"))
            if culprit == "i" { usleep(200_000) }
            #expect(Self.run(pool, "e1") == .success("1"))
        }
        #expect(pool.counts.quarantined == 0)
    }

    /// #17: it was taken for killed from outside, and its image tried twice more and never quarantined.
    @Test func aProcessThatClosesItsSocket_hasBrokenOff() throws {
        let pool = try Self.pool()
        defer { pool.close() }
        for _ in 0..<2 {
            #expect(Self.run(pool, "z") == .failure(.crashed(signal: 0)))
        }
        #expect(Self.run(pool, "z") == .failure(.quarantined))
        #expect(Self.run(pool, "e1") == .success("1"))
        #expect(pool.counts.crashes == 2)
    }

    /// #17: the only process that was there hung while it started, and jobs waited for it as long as they might.
    @Test func aProcessThatHangsWhileItStarts_isReplaced() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "veduta-alone-\(UUID().uuidString)")
        let clock = HandMovedClock()
        let pool = try Self.pool(clock: clock.clock) { $0.arguments = ["alone", folder.path] }
        defer {
            pool.close()
            try? FileManager.default.removeItem(at: folder)
        }
        #expect(Self.run(pool, "c") == .failure(.crashed(signal: SIGSEGV)))
        while pool.counts.starts < 3 { usleep(1000) }
        for process in Self.children.compactMap({ pid_t($0) }) { kill(process, SIGSTOP) }
        try FileManager.default.removeItem(at: folder)
        clock.advance(by: .seconds(31))
        #expect(Self.run(pool, "e1") == .success("1"))
    }

    @Test func quarantine_endsAfterTenMinutes() throws {
        let now = Mutex(MonotonicInstant(nanoseconds: 0))
        let clock = Clock(monotonic: { now.withLock { $0 } }, unixSeconds: { 0 })
        let pool = try Self.pool(clock: clock)
        defer { pool.close() }
        for _ in 0..<2 { #expect(Self.run(pool, "c") == .failure(.crashed(signal: SIGSEGV))) }
        now.withLock { $0 = $0 + .seconds(599) }
        #expect(Self.run(pool, "c") == .failure(.quarantined))
        now.withLock { $0 = $0 + .seconds(2) }
        #expect(Self.run(pool, "c") == .failure(.crashed(signal: SIGSEGV)))
    }

    @Test func whoStopsOrHangs_isKilled_andNotQuarantined() throws {
        let clock = HandMovedClock()
        let pool = try Self.pool(clock: clock.clock)
        defer { pool.close() }
        for ending in [SandboxFailure.stopped, .overTime, .overTime, .overTime] {
            // Whoever ends the job before, while a process starts, kills none.
            let hangs = Mutex(false)
            #expect(throws: ending) {
                try pool.run(
                    Self.job("h"),
                    answer: {
                        hangs.withLock { $0 = true }; return $0
                    },
                    shouldStop: {
                        guard hangs.withLock(\.self) else { return false }
                        if ending == .overTime { clock.advance(by: .seconds(61)) }
                        return ending == .stopped
                    })
            }
        }
        #expect(Self.run(pool, "e1") == .success("1"))
        #expect(pool.counts.kills == 4 && pool.counts.crashes == 0)
    }

    /// A process costs more than what is left of a short job.
    @Test func aShortJobThatNobodyWants_isNotKilled() throws {
        let pool = try Self.pool()
        defer { pool.close() }
        for _ in 0..<20 {
            let asked = Mutex(false)
            let reply = try pool.run(
                Self.job("aquestion"),
                answer: {
                    asked.withLock { $0 = true }; return $0
                },
                shouldStop: {
                    guard asked.withLock(\.self) else { return false }
                    // However busy the machine is, the reply is there when this is asked again.
                    Processors.pause(.seconds(1))
                    return true
                })
            #expect(reply.head == Array("question".utf8))
        }
        #expect(pool.counts.kills == 0 && pool.counts.starts <= 2)
    }

    @Test func memory_isLimited_andNotQuarantined() throws {
        let pool = try Self.pool { $0.memoryByteLimit = 256 << 20 }
        defer { pool.close() }
        for _ in 0..<3 { #expect(Self.run(pool, "m") == .failure(.overMemory(byteLimit: 256 << 20))) }
        // #17: memory that it had written, and could only read from then on, did not count.
        #expect(Self.run(pool, "y") == .failure(.overMemory(byteLimit: 256 << 20)))
        #expect(Self.run(pool, "e1") == .success("1"))
    }

    /// #17: exec keeps the peak of the memory that it leaves, which was the server's.
    @Test func memoryOfTheServer_isNotThatOfItsProcesses() throws {
        let size = 200 << 20
        let memory = try #require(malloc(size))
        memset(memory, 1, size)
        let pool = try Self.pool { $0.memoryByteLimit = 128 << 20 }
        free(memory)
        defer { pool.close() }
        #expect(Self.run(pool, "c") == .failure(.crashed(signal: SIGSEGV)))
        #expect(Self.run(pool, "m") == .failure(.overMemory(byteLimit: 128 << 20)))
        #expect(Self.run(pool, "e1") == .success("1"))
    }

    /// #17: this process has had more memory than its decoding processes take, which hides how much that was.
    @Test func anAbortWithLittleMemory_isACrash() throws {
        let pool = try Self.pool { $0.memoryByteLimit = 64 << 30 }
        defer { pool.close() }
        for _ in 0..<2 { #expect(Self.run(pool, "k") == .failure(.crashed(signal: SIGABRT))) }
        #expect(Self.run(pool, "k") == .failure(.quarantined))
    }

    @Test func results_areLimited() throws {
        let pool = try Self.pool { $0.resultByteLimit = 1 << 20 }
        defer { pool.close() }
        #expect(Self.run(pool, "r") == .failure(.crashed(signal: 0)))
        #expect(Self.run(pool, "e1", [[UInt8](repeating: 1, count: 1 << 20)]) == .success("1"))
    }

    /// A result may take no more than its job was admitted for, whatever others may.
    @Test func aLongerResultThanItsJobMayHave_costsThisJob() throws {
        let pool = try Self.pool()
        defer { pool.close() }
        func count(limit: Int) -> Result<Int, SandboxFailure> {
            Result { () throws(SandboxFailure) in
                let job = Self.job("e", [[UInt8](repeating: 1, count: 1000)])
                return try pool.run(job, contentLimit: { limit }, shouldStop: { false }).content.count
            }
        }
        #expect(count(limit: 1000) == .success(1000))
        #expect(count(limit: 999) == .failure(.crashed(signal: 0)))
        #expect(count(limit: 1000) == .success(1000))
        // It was tried again in another process.
        #expect(pool.counts.crashes == 2)
    }

    /// #17: where the server was short of memory, a picture was refused for ten minutes as one that crashes.
    @Test func aResultThatTheServerHasNoMemoryFor_isNoCrash() throws {
        let pool = try Self.pool { $0.resultByteLimit = 1 << 48 }
        defer { pool.close() }
        for _ in 0..<3 { #expect(Self.run(pool, "v") == .failure(.unavailable(code: ENOMEM))) }
        #expect(Self.run(pool, "e1") == .success("1"))
        #expect(pool.counts.crashes == 0 && pool.counts.kills == 3)
    }

    /// No limit of its memory counts what it writes to the file for its results.
    @Test func whatAProcessWritesBesideItsResult_isNotKept() throws {
        let pool = try Self.pool()
        defer { pool.close() }
        #expect(Self.run(pool, "g") == .success("done"))
        let folder = "/proc/self/fd/"
        let sizes = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name -> Int? in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + name)
            var status = stat()
            guard target?.hasPrefix("/memfd:result") == true, stat(folder + name, &status) == 0 else { return nil }
            return Int(status.st_blocks) * 512
        }
        #expect(!sizes.isEmpty && sizes.allSatisfy { $0 <= 1 << 20 }, "\(sizes)")
    }

    /// #17: what one process alone has of its program and libraries is its own memory. After each second without a job it has
    /// no more of it than it needs to wait, and the next job finds what it needs.
    @Test func anIdleProcess_keepsFewPagesOfItsFiles() throws {
        let pool = try Self.pool()
        defer { pool.close() }
        for _ in 0..<2 {
            let found = Mutex<(process: String, pageCount: Int, readCount: Int)?>(nil)
            let reply = try pool.run(
                Self.job("p"),
                answer: { question in
                    guard let process = Self.children.first else { return [] }
                    let readCount = Int(String(decoding: question, as: UTF8.self)) ?? 0
                    found.withLock { $0 = (process, Self.filePageCount(process), readCount) }
                    return question
                },
                shouldStop: { false })
            let seen = found.withLock { $0 }
            let (process, pageCount, readCount) = try #require(seen)
            #expect(String(decoding: reply.head, as: UTF8.self) == "\(readCount)")
            // The system counts them in steps.
            #expect(readCount > 500 && pageCount > readCount * 3 / 4, "\(pageCount) of \(readCount) pages")
            let end = ContinuousClock.now + .seconds(120)
            while Self.filePageCount(process) > readCount / 2, ContinuousClock.now < end { usleep(10_000) }
            #expect((1...readCount / 2).contains(Self.filePageCount(process)))
        }
        #expect(Self.run(pool, "e1") == .success("1"))
        #expect(pool.counts.starts == 1 && pool.counts.crashes == 0)
    }

    /// Pages of files that a process has mapped: `shared` of proc_pid_statm(5), which, unlike smaps, all users may read. 0 where
    /// it is gone.
    private static func filePageCount(_ process: String) -> Int {
        let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)
        let numbers = (text ?? "").split(separator: " ").compactMap { Int($0) }
        return numbers.count > 2 ? numbers[2] : 0
    }

    @Test func aHostileProcess_getsNothingThrough() throws {
        let pool = try Self.pool()
        defer { pool.close() }
        let attempts = try Self.run(pool, "s").get()
        #expect(attempts.hasSuffix("tried; "), "\(attempts)")
        #expect((Int(attempts.prefix { $0.isNumber }) ?? 0) >= 40)
        #expect(Self.run(pool, "t") == .success("done"))
        #expect(Self.run(pool, "u") == .success("false"))
        #expect(Self.run(pool, "w") == .failure(.overMemory(byteLimit: 1 << 30)))
    }

    /// It may find out whether files exist, and copy its own descriptors. Without Landlock, which tells fonts from other files, it
    /// opens none.
    @Test func aHostileProcessThatMayReadFonts_getsNothingElseThrough() throws {
        let lines = Mutex<[String]>([])
        let pool = try Self.pool(1, { $0.mayReadFonts = true }, log: { line in lines.withLock { $0.append(line) } })
        defer { pool.close() }
        let attempts = try Self.run(pool, "s").get()
        let isConfinedLess = lines.withLock { $0.contains { $0.contains("Landlock") } }
        let through = "openat: \(EACCES), newfstatat: 0, readlinkat: 0, getdents64: \(ENOTDIR), fcntl: 0"
        #expect(attempts.hasSuffix("tried; " + (isConfinedLess ? "" : through)), "\(attempts)")
        #expect(Self.run(pool, "u") == .success("\(!isConfinedLess)"))
    }

    /// Old kernels, and containers that refuse the calls.
    @Test func whatTheSystemLacks_isLoggedOnce_andJobsAreDone() throws {
        let lines = Mutex<[String]>([])
        let pool = try Self.pool(
            2, { $0.arguments = ["old-kernel"] }, log: { line in lines.withLock { $0.append(line) } })
        defer { pool.close() }
        #expect(Self.run(pool, "e1") == .success("1"))
        #expect(Self.run(pool, "c") == .failure(.crashed(signal: SIGSEGV)))
        #expect(Self.run(pool, "e2") == .success("2"))
        #expect(lines.withLock { $0.filter { $0.contains("no seccomp and no Landlock") }.count } == 1)
    }

    @Test func aProcessThatLies_isEnded() throws {
        let pool = try Self.pool()
        defer { pool.close() }
        #expect(Self.run(pool, "l") == .failure(.crashed(signal: 0)))
        #expect(Self.run(pool, "e1") == .success("1"))
    }

    /// Neither its questions nor answers that it does not read keep the thread that waits for it.
    @Test func aProcessThatAsksWithoutEnd_isEnded() throws {
        let clock = HandMovedClock()
        let pool = try Self.pool(clock: clock.clock)
        defer { pool.close() }
        #expect(throws: SandboxFailure.overTime) {
            try pool.run(
                Self.job("q"),
                answer: {
                    clock.advance(by: .seconds(1)); return $0
                },
                shouldStop: { false })
        }
        let asked = Mutex(false)
        #expect(throws: SandboxFailure.stopped) {
            try pool.run(
                Self.job("q"),
                answer: {
                    asked.withLock { $0 = true }; return $0
                },
                shouldStop: { asked.withLock(\.self) })
        }
        #expect(Self.run(pool, "d") == .failure(.crashed(signal: 0)))
        #expect(Self.run(pool, "e1") == .success("1"))
        #expect(pool.counts.kills == 2 && pool.counts.crashes == 1)
    }

    /// An image may have taken it over.
    @Test func aProcessThatWorksWithoutAJob_isEnded() throws {
        let lines = Mutex<[String]>([])
        let pool = try Self.pool(log: { line in lines.withLock { $0.append(line) } })
        defer { pool.close() }
        #expect(Self.run(pool, "b") == .success("done"))
        while !lines.withLock({ $0.contains { $0.contains("without a job") } }) { usleep(10_000) }
        #expect(Self.run(pool, "e1") == .success("1"))
        #expect(pool.counts.crashes == 0)
    }

    @Test func processes_areReplacedAfterTheirShareOfJobs() throws {
        let pool = try Self.pool { $0.jobLimit = 3 }
        defer { pool.close() }
        for _ in 0..<12 { #expect(Self.run(pool, "e1") == .success("1")) }
        #expect(pool.counts.recycled >= 3 && pool.counts.crashes == 0)
    }

    /// Those that a quiet server keeps would take memory for nothing.
    @Test func processes_startWhenJobsMeet_andEndWhenNoneNeedsThem() throws {
        let clock = HandMovedClock()
        let pool = try Self.pool(3, clock: clock.clock)
        defer { pool.close() }
        for _ in 0..<5 { #expect(Self.run(pool, "e1") == .success("1")) }
        #expect(pool.counts.starts == 1 && Self.children.count == 1)
        for round in 1...2 {
            Self.meet(pool, 3)
            #expect(pool.counts.starts == 1 + 2 * round && Self.children.count == 3)
            clock.advance(by: .seconds(61))
            while Self.children.count > 1 { usleep(10_000) }
            #expect(Self.run(pool, "e1") == .success("1"))
        }
        #expect(pool.counts.starts == 5 && pool.counts.kills == 0 && pool.counts.crashes == 0)
    }

    /// Runs so many jobs, none of which ends before all have begun.
    private static func meet(_ pool: SandboxPool, _ count: Int) {
        let begun = Mutex(0)
        let threads = (0..<count).map { _ in
            Thread {
                _ = try? pool.run(
                    Self.job("aquestion"),
                    answer: { question in
                        begun.withLock { $0 += 1 }
                        while begun.withLock(\.self) < count { usleep(1000) }
                        return question
                    },
                    shouldStop: { false })
            }
        }
        for thread in threads { thread.start() }
        while threads.contains(where: { !$0.isFinished }) { usleep(5000) }
    }

    /// The next one that is lost delays no job.
    @Test func theLossOfAProcess_hasOneMoreKept() throws {
        let clock = HandMovedClock()
        let pool = try Self.pool(clock: clock.clock)
        defer { pool.close() }
        #expect(Self.run(pool, "c") == .failure(.crashed(signal: SIGSEGV)))
        while pool.counts.idle < 2 { usleep(10_000) }
        #expect(pool.counts.starts == 3)
        clock.advance(by: .seconds(61))
        while pool.counts.idle > 1 { usleep(10_000) }
        #expect(Self.run(pool, "e1") == .success("1"))
        #expect(pool.counts.starts == 3)
    }

    /// A start takes longer than most jobs.
    @Test func aJobThatWaits_takesTheProcessThatIsFreeFirst() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "veduta-alone-\(UUID().uuidString)")
        let pool = try Self.pool { $0.arguments = ["alone", folder.path] }
        defer {
            pool.close()
            try? FileManager.default.removeItem(at: folder)
        }
        let found = Mutex<Result<String, SandboxFailure>?>(nil)
        let other = Thread {
            let result = Self.run(pool, "e1")
            found.withLock { $0 = result }
        }
        _ = try pool.run(
            Self.job("aquestion"),
            answer: {
                other.start()
                while pool.counts.starts < 2 { usleep(1000) }
                return $0
            },
            shouldStop: { false })
        while !other.isFinished { usleep(1000) }
        #expect(found.withLock { $0 } == .success("1"))
        #expect(pool.counts.jobs == 2)
    }

    @Test func aProcessThatCannotBeStarted_isToldAtOnce() throws {
        let pool = try Self.pool { $0.executable = "/nonexistent" }
        #expect(Self.run(pool, "e1") == .failure(.unavailable(code: ENOENT)))
        pool.close()
        let unprepared = try Self.pool { $0.setup = [0] }
        guard case .failure(.unavailable) = Self.run(unprepared, "e1") else {
            Issue.record("it worked")
            return
        }
        unprepared.close()
    }

    @Test func filesThatAProcessSends_areClosed() throws {
        let pool = try Self.pool()
        defer { pool.close() }
        #expect(Self.run(pool, "e1") == .success("1"))
        let before = Self.files.count
        #expect(Self.run(pool, "f") == .success("done"))
        #expect(Self.files.count == before)
    }

    /// Nothing is left of a pool: no descriptor and no child, dead or alive.
    @Test func nothingIsLeft() throws {
        let pool = try Self.pool(2)
        let threads = (0..<4).map { index in
            Thread {
                for round in 0..<30 {
                    _ = Self.run(pool, round % 5 == 0 ? "c" : "e", [[UInt8(index), UInt8(round)]])
                }
            }
        }
        for thread in threads { thread.start() }
        while threads.contains(where: { !$0.isFinished }) { usleep(5000) }
        // Those whose process had done other jobs before are tried again.
        let repeats = pool.counts.crashes - 24
        #expect((0...48).contains(repeats) && pool.counts.jobs == 120 + repeats)
        pool.close()
        #expect(Self.files.isEmpty && Self.children.isEmpty)
    }

    /// The files in memory that this process has open. Other suites open no such files, but they run meanwhile.
    private static var files: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0) }
            .filter { $0.hasPrefix("/memfd:result") || $0.hasPrefix("/memfd:source") }
    }

    /// The numbers of the processes of pools, dead ones too.
    private static var children: [String] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let numbers = threads.flatMap { thread in
            let list = try? String(contentsOfFile: "/proc/self/task/\(thread)/children", encoding: .utf8)
            return (list ?? "").split(separator: " ").map { String($0) }
        }
        return numbers.filter { number in
            let name = try? String(contentsOfFile: "/proc/\(number)/comm", encoding: .utf8)
            return name?.hasPrefix("SandboxDriver") == true
        }
    }
}
