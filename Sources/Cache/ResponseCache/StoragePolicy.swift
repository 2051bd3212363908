/// Where an answer may be kept. What the operator allows, what the response says and what a request wishes are three of
/// these; the least holds.
package enum StoragePolicy: String, CaseIterable, Comparable, Sendable {
    case off
    case memory
    case all

    var rank: Int {
        switch self {
        case .off: 0
        case .memory: 1
        case .all: 2
        }
    }

    init(rank: Int) {
        self = rank <= 0 ? .off : rank == 1 ? .memory : .all
    }

    package static func < (left: StoragePolicy, right: StoragePolicy) -> Bool { left.rank < right.rank }
}
