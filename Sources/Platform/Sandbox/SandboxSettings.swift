package import Bytes

/// What a pool of sandboxed processes runs, and its limits.
package struct SandboxSettings: Sendable {
    /// The program and its arguments; by default this program.
    package var executable = "/proc/self/exe"
    package var arguments: [String]
    /// Lines `NAME=value`: all of the environment, so that no secret of this process is there.
    package var environment: [String] = []
    /// What each process gets before its first job.
    package var setup: [UInt8] = []
    /// Whether the processes may read the system's fonts. Where the kernel has no Landlock they may not.
    package var mayReadFonts = false
    /// Processes that may work at once; one more may be ready to follow one that ends.
    package var workerCount: Int
    /// Of each process: memory that it may allocate, and bytes of a result.
    package var memoryByteLimit = 1 << 30
    package var resultByteLimit = 256 << 20
    /// A process is replaced after this many jobs, or when more than this stays resident between jobs.
    package var jobLimit = 1000
    package var residentByteLimit = 256 << 20
    /// All but one end when no job has needed them for so long.
    package var idleTimeLimit = Duration.seconds(60)
    /// The longest job.
    package var timeLimit = Duration.seconds(60)

    package init(arguments: [String], workerCount: Int) {
        self.arguments = arguments
        self.workerCount = max(1, workerCount)
    }
}

/// What the system has not, or refuses.
struct MissingConfinement: OptionSet {
    let rawValue: Int

    static let filter = MissingConfinement(rawValue: 1)
    static let landlock = MissingConfinement(rawValue: 2)

    /// nil where nothing is missing.
    var text: String? {
        let names = (contains(.filter) ? ["seccomp"] : []) + (contains(.landlock) ? ["Landlock"] : [])
        guard !names.isEmpty else { return nil }
        let missing = names.joined(separator: " and no ")
        return "this system lets decoding processes have no \(missing), so they are confined less"
    }
}

package struct SandboxJob: Sendable {
    /// What is to be done, for the process.
    package var head: [UInt8]
    /// Together with `sources` it names the job in the quarantine.
    package var name: [UInt8]
    package var sources: [SharedBytes]

    /// `name`: `head` without what is only there to save work.
    package init(head: [UInt8], name: [UInt8]? = nil, sources: [SharedBytes]) {
        (self.head, self.name, self.sources) = (head, name ?? head, sources)
    }
}

/// What came back from a process that may have been taken over by its input: data, not more.
package struct SandboxReply: Sendable {
    package let head: [UInt8]
    package let content: SharedBytes
}

package enum SandboxFailure: Error, Equatable, Sendable {
    /// Nobody wants the result any more.
    case stopped
    case overTime
    /// By this signal; 0 if the process ended or spoke otherwise than it should.
    case crashed(signal: Int32)
    case overMemory(byteLimit: Int)
    /// The same job crashed its process twice not long ago.
    case quarantined
    /// No process could be started, or the server has no memory for the result.
    case unavailable(code: Int32)
}

/// Since the start of the pool, and what there is now.
package struct SandboxCounts: Equatable, Sendable {
    package var jobs = 0
    package var crashes = 0
    /// Processes that were killed because nobody waited for them any more, for the time limit, or as there was no room for their
    /// result.
    package var kills = 0
    /// Processes started, and those of them that replaced one after its share of jobs or memory.
    package var starts = 0
    package var recycled = 0
    /// Jobs refused because they had crashed twice.
    package var quarantined = 0
    package var idle = 0

    package init() {}
}
