import Reactor

/// Lets purges win over what began before them: an entry gets its name only if nothing was purged since, and a purge lists
/// files only after those that were let through have their names.
final class PurgeFence: Sendable {
    /// The state of purging when some work began; see ``EntryStore/store(_:begunAt:)``.
    struct Epoch: Sendable, Equatable {
        fileprivate let whole: UInt64
        fileprivate let group: UInt64
    }

    private struct State {
        var whole: UInt64 = 0
        /// Purges so far by tag, many tags to a number: at worst an entry is not kept that could have been.
        var groups = [UInt64](repeating: 0, count: groupCount)
        /// How many entries are being given their names.
        var naming = [Int32](repeating: 0, count: groupCount)
        var namingCount = 0
        /// How many purges wait for them.
        var waiting = [Int32](repeating: 0, count: groupCount)
        var wholeWaiting = 0
    }

    private static let groupCount = 1024
    private let state = Monitor(State())

    private static func group(_ tag: UInt64) -> Int { Int(tag % UInt64(groupCount)) }

    /// What holds for `tag` now.
    func epoch(_ tag: UInt64) -> Epoch {
        let group = Self.group(tag)
        return state.withLock { Epoch(whole: $0.whole, group: $0.groups[group]) }
    }

    /// Whether an entry that was begun at `epoch` may get its name now; then ``leave(_:)`` must follow. While a purge waits,
    /// nothing may, so that it need not wait for ever.
    func enter(_ tag: UInt64, begunAt epoch: Epoch) -> Bool {
        let group = Self.group(tag)
        return state.withLock { state in
            guard state.whole == epoch.whole, state.groups[group] == epoch.group, state.waiting[group] == 0,
                state.wholeWaiting == 0
            else { return false }
            state.naming[group] += 1
            state.namingCount += 1
            return true
        }
    }

    func leave(_ tag: UInt64) {
        let group = Self.group(tag)
        state.withLock { state in
            state.naming[group] -= 1
            state.namingCount -= 1
        }
        state.broadcast()
    }

    /// From here on nothing with `tag` that was begun before gets a name; returns when what was at it has one.
    func purge(_ tag: UInt64) {
        let group = Self.group(tag)
        state.withLock { state in
            state.groups[group] += 1
            state.waiting[group] += 1
        }
        state.wait { state -> Void? in
            guard state.naming[group] == 0 else { return nil }
            state.waiting[group] -= 1
            return ()
        }
    }

    func purgeAll() {
        state.withLock { state in
            state.whole += 1
            state.wholeWaiting += 1
        }
        state.wait { state -> Void? in
            guard state.namingCount == 0 else { return nil }
            state.wholeWaiting -= 1
            return ()
        }
    }
}
