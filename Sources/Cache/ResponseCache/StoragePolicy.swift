/// Where a response may be stored. Operator, response and request each allow one of these; the least holds.
package enum StoragePolicy: String, CaseIterable, Comparable, Sendable {
    case off, memory, all

    var rank: Int {
        switch self {
        case .off: 0
        case .memory: 1
        case .all: 2
        }
    }

    init(rank: Int) { self = rank <= 0 ? .off : rank == 1 ? .memory : .all }
    package static func < (left: StoragePolicy, right: StoragePolicy) -> Bool { left.rank < right.rank }
}
