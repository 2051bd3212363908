/// What threads did with one key of a single flight and when, and whether single flight in one thread could have done the
/// same: linearisability (Herlihy and Wing 1990), decided by the search of Wing and Gong (1993).
struct FlightHistory {
    /// A call and what came of it. Waiters have numbers; a flight has that of the waiter that leads it.
    enum Action {
        /// `epoch` is how many purges the waiter has seen.
        case enter(waiter: Int, leads: Bool, isForced: Bool = false, epoch: Int = 0)
        case leave(waiter: Int, isOut: Bool)
        /// `called` are the waiters that were called from within, in order.
        case finish(flight: Int, called: [Int])
        /// A reference to the flight was let go of, perhaps the last.
        case release(flight: Int, called: [Int])
        case ask(flight: Int, isAbandoned: Bool)
        case purge
    }

    /// An action that took effect at some moment between two numbers of one counter.
    struct Operation {
        let action: Action
        let began: Int
        let ended: Int
    }

    private let operations: [Operation]

    /// At most 128 operations, as the search keeps the set of those done in one word.
    init(_ operations: [Operation]) {
        // A reference that was not the last explains itself.
        self.operations = operations.filter { if case .release(_, called: []) = $0.action { false } else { true } }
            .sorted { $0.began < $1.began }
    }

    /// Whether there is an order, in which no operation comes before one that had ended when it began, that a table without
    /// threads follows; and whether in the end nobody waits.
    var isExplained: Bool {
        guard operations.count <= 128 else { return false }
        var search = Search(operations)
        return search.finds(Table(), done: 0)
    }

    /// Single flight for one key, without threads: what the real one is held against.
    struct Table: Hashable {
        private struct Running: Hashable {
            var waiters: [Int]
            let isForced: Bool
            let epoch: Int
        }

        private var running: [Int: Running] = [:]
        /// The flights that can be joined, by whether they are forced; a later one takes the place of one that was purged.
        private var open: [Bool: Int] = [:]
        private var abandoned: Set<Int> = []
        private var purgeCount = 0

        var isEmpty: Bool { running.isEmpty }

        /// Does `action` and says whether that comes to what was observed.
        mutating func follows(_ action: Action) -> Bool {
            switch action {
            case .enter(let waiter, let leads, let isForced, let epoch):
                for kind in isForced ? [true] : [true, false] {
                    guard let flight = open[kind], running[flight].map({ $0.epoch >= purgeCount }) ?? false else {
                        continue
                    }
                    running[flight]?.waiters.append(waiter)
                    return !leads
                }
                running[waiter] = Running(waiters: [waiter], isForced: isForced, epoch: epoch)
                open[isForced] = waiter
                return leads
            case .leave(let waiter, let isOut):
                let flight = running.first { $0.value.waiters.contains(waiter) }?.key
                guard let flight else { return !isOut }
                running[flight]?.waiters.removeAll { $0 == waiter }
                if running[flight]?.waiters.isEmpty ?? false {
                    abandoned.insert(flight)
                    end(flight)
                }
                return isOut
            case .finish(let flight, let called): return finishes(flight, called)
            case .release(let flight, let called): return finishes(flight, called)
            case .ask(let asked, let isAbandoned): return abandoned.contains(asked) == isAbandoned
            case .purge:
                purgeCount += 1
                return true
            }
        }

        private mutating func finishes(_ flight: Int, _ called: [Int]) -> Bool {
            guard called == running[flight]?.waiters ?? [] else { return false }
            end(flight)
            return true
        }

        private mutating func end(_ flight: Int) {
            guard let ended = running.removeValue(forKey: flight) else { return }
            if open[ended.isForced] == flight { open[ended.isForced] = nil }
        }
    }

    private struct Search {
        private struct Place: Hashable {
            let done: UInt128
            let table: Table
        }

        private let operations: [Operation]
        private var deadEnds: Set<Place> = []

        init(_ operations: [Operation]) { self.operations = operations }

        mutating func finds(_ table: Table, done: UInt128) -> Bool {
            let open = operations.indices.filter { done & (1 << $0) == 0 }
            guard let firstEnd = open.map({ operations[$0].ended }).min() else { return table.isEmpty }
            let place = Place(done: done, table: table)
            guard !deadEnds.contains(place) else { return false }
            for index in open where operations[index].began < firstEnd {
                var next = table
                if next.follows(operations[index].action), finds(next, done: done | 1 << index) { return true }
            }
            deadEnds.insert(place)
            return false
        }
    }
}
