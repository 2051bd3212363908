import Origin

/// What an ``OriginCache`` has done since it was made.
package struct FetchCounts: Sendable {
    package enum End: String, CaseIterable, Sendable {
        case fetched
        case notModified = "not_modified"
        case absent, refused
        case timedOut = "timed_out"
        case failed, abandoned

        init(_ result: Result<Fetched, OriginError>) {
            self =
                switch result {
                case .success(let fetched): fetched.isNotModified ? .notModified : .fetched
                case .failure(.notFound): .absent
                case .failure(.originNotAllowed), .failure(.addressForbidden): .refused
                case .failure(.timedOut): .timedOut
                case .failure(.cancelled): .abandoned
                case .failure: .failed
                }
        }
    }

    /// Items used without waiting for their origin, and those of them from the disk.
    package internal(set) var hits = 0
    package internal(set) var diskHits = 0
    /// Items that a request had to wait for.
    package internal(set) var misses = 0
    package internal(set) var running = 0
    package internal(set) var byteCount = 0
    /// Bytes held outside the disk tier.
    package internal(set) var heldByteCount = 0
    private var ends = [Int](repeating: 0, count: End.allCases.count)

    package internal(set) subscript(end: End) -> Int {
        get { End.allCases.firstIndex(of: end).map { ends[$0] } ?? 0 }
        set { if let index = End.allCases.firstIndex(of: end) { ends[index] = newValue } }
    }

    /// `looks`: whether an assignment is looked up on disk first.
    mutating func count(_ finding: FetchTable.Finding, looks: (Assignment) -> Bool) {
        switch finding {
        case .known(.found), .known(.absent), .refresh: hits += 1
        case .known(.failed): break
        case .assigned(let assignment) where looks(assignment): break
        case .joined, .assigned: misses += 1
        }
    }

    mutating func countLook(isUsable: Bool) {
        if isUsable {
            hits += 1
            diskHits += 1
        } else {
            misses += 1
        }
    }
}
