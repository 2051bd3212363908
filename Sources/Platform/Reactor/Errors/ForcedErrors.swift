import Glibc
import Synchronization

/// A system call whose failure fault tests can force.
package enum FaultableCall: Sendable, CaseIterable {
    case accept
    case receive
    case send
    case sendFile
    case wait
    /// Registering a descriptor for events or changing what is watched.
    case control
    case writeSpool
    /// Opening or making a file of the disk tier.
    case diskOpen
    /// Making a folder of the disk tier.
    case diskMakeFolder
    case diskRead
    case diskWrite
    case diskRename
    case diskUnlink
    case diskStat
    /// Listing a folder of the disk tier.
    case diskList
    /// Locking a file or a byte of one.
    case diskLock
    /// Bringing a file or a folder to the disk for good.
    case diskSync
    /// Giving a name to a file that has none.
    case diskLink

    /// Whether calls on any thread count, not only those on the threads of loops.
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
    /// Lets the N-th system call of a kind fail with a chosen `errno`, without making the call; for fault tests. Only
    /// calls on the threads of running loops count, so a test's own client is left alone; files are used on any thread.
    /// One plan for the process at a time, and none of it is in release builds.
    package enum ForcedErrors {
        private struct Plan {
            var call: FaultableCall
            var code: Int32
            /// The numbers of the calls that fail, from 1 on.
            var failing: Range<Int>
            var outcome = Outcome()
        }

        package struct Outcome: Sendable, Equatable {
            /// How many calls of the kind were asked for.
            package var askedCount = 0
            /// How many of them were made to fail.
            package var forcedCount = 0
        }

        private static let isArmed = Atomic<Bool>(false)
        private static let plan = Mutex<Plan?>(nil)
        private static let loopThreads = Mutex<Set<pthread_t>>([])

        /// From now on, the calls of the kind `call` with numbers from `first` on fail with `code`, `times` of them.
        package static func arm(_ call: FaultableCall, first: Int, times: Int = 1, code: Int32) {
            plan.withLock { $0 = Plan(call: call, code: code, failing: first..<(first + times)) }
            isArmed.store(true, ordering: .releasing)
        }

        /// What has become of the plan so far.
        package static var outcome: Outcome { plan.withLock { $0?.outcome } ?? Outcome() }

        /// Ends the plan and says what became of it.
        @discardableResult
        package static func disarm() -> Outcome {
            isArmed.store(false, ordering: .releasing)
            return plan.withLock { plan in
                defer { plan = nil }
                return plan?.outcome ?? Outcome()
            }
        }

        /// Runs `body`, whose system calls on this thread count.
        static func counting<E: Error>(_ body: () throws(E) -> Void) throws(E) {
            let thread = pthread_self()
            loopThreads.withLock { _ = $0.insert(thread) }
            defer { loopThreads.withLock { _ = $0.remove(thread) } }
            try body()
        }

        /// The error to report instead of making this call.
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
