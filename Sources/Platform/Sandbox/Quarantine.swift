import Bytes
import Digest
import Reactor

/// Jobs that crashed their process: after the second time they are refused for a while. A pure table; time is passed in.
struct Quarantine {
    private struct Entry {
        let byteCount: Int
        let digest: Digest256
        var crashCount: Int
        var end: MonotonicInstant
    }

    static let duration = Duration.seconds(600)
    static let capacity = 1024
    private static let crashLimit = 2

    /// The oldest first.
    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Whether a job of this length is known, so that its digest is worth computing.
    func mayHave(byteCount: Int) -> Bool { entries.contains { $0.byteCount == byteCount } }

    /// Whether the job is refused at `now`.
    mutating func refuses(_ digest: Digest256, at now: MonotonicInstant) -> Bool {
        entries.removeAll { $0.end < now }
        return entries.contains { $0.digest == digest && $0.crashCount >= Self.crashLimit }
    }

    mutating func crashed(_ digest: Digest256, byteCount: Int, at now: MonotonicInstant) {
        let index = entries.firstIndex { $0.digest == digest }
        let count = index.map { entries.remove(at: $0).crashCount } ?? 0
        if entries.count >= Self.capacity { entries.removeFirst() }
        entries.append(Entry(byteCount: byteCount, digest: digest, crashCount: count + 1, end: now + Self.duration))
    }
}

extension SandboxJob {
    var byteCount: Int { sources.reduce(name.count) { $0 + $1.count } }

    /// Of the operation and the sources.
    var digest: Digest256 {
        var hash = SHA256()
        hash.update(name)
        for source in sources { hash.update(SHA256.digest(of: source).bytes) }
        return hash.digest()
    }
}
