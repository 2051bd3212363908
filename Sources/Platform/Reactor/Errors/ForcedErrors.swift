import Glibc
import Synchronization

package enum FaultableCall: Sendable, CaseIterable {
    case accept
    case receive
    case send
    case sendFile
    case wait
    case control
    case writeSpool
    case diskOpen
    case diskMakeFolder
    case diskRead
    case diskWrite
    case diskRename
    case diskUnlink
    case diskStat
    case diskList
    case diskLock
    case diskSync
    case diskLink

    /// Not only on the threads of loops.
    var countsOnEveryThread: Bool {
        switch self {
        case .accept, .receive, .send, .sendFile, .wait, .control: false
        case .writeSpool, .diskOpen, .diskMakeFolder, .diskRead, .diskWrite, .diskRename, .diskUnlink, .diskStat,
            .diskList, .diskLock, .diskSync, .diskLink:
            true
        }
    }
}

#if DEBUG
    /// Makes chosen system calls fail without making them, for fault tests. Calls on threads of running loops count;
    /// those on files on any thread. One plan at a time for the process, so a test that has one runs in a process of its own.
    package enum ForcedErrors {
        private struct Plan {
            var call: FaultableCall
            var code: Int32
            /// From 1 on.
            var failing: Range<Int>
            var outcome = Outcome()
        }

        package struct Outcome: Sendable, Equatable {
            package var askedCount = 0
            package var forcedCount = 0
        }

        private static let isArmed = Atomic<Bool>(false)
        private static let plan = Mutex<Plan?>(nil)
        private static let loopThreads = Mutex<Set<pthread_t>>([])

        /// Calls number `first` to `first + times - 1` fail with `code`.
        package static func arm(_ call: FaultableCall, first: Int, times: Int = 1, code: Int32) {
            plan.withLock { $0 = Plan(call: call, code: code, failing: first..<(first + times)) }
            isArmed.store(true, ordering: .releasing)
        }

        package static var outcome: Outcome { plan.withLock { $0?.outcome } ?? Outcome() }

        /// Ends the plan and says what became of it.
        @discardableResult package static func disarm() -> Outcome {
            isArmed.store(false, ordering: .releasing)
            return plan.withLock { plan in
                defer { plan = nil }
                return plan?.outcome ?? Outcome()
            }
        }

        static func counting<E: Error>(_ body: () throws(E) -> Void) throws(E) {
            let thread = pthread_self()
            loopThreads.withLock { _ = $0.insert(thread) }
            defer { loopThreads.withLock { _ = $0.remove(thread) } }
            try body()
        }

        static func next(_ call: FaultableCall) -> Errno? {
            guard isArmed.load(ordering: .acquiring) else { return nil }
            let thread = pthread_self()
            guard call.countsOnEveryThread || loopThreads.withLock({ $0.contains(thread) }) else { return nil }
            return plan.withLock { plan in
                guard plan?.call == call else { return nil }
                plan?.outcome.askedCount += 1
                guard let active = plan, active.failing.contains(active.outcome.askedCount) else { return nil }
                plan?.outcome.forcedCount += 1
                return Errno(code: active.code)
            }
        }
    }
#endif
