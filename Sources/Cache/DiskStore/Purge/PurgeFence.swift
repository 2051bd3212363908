import Reactor

/// Purges win: an entry is named only if nothing was purged since it began; purges list files after that.
final class PurgeFence: Sendable {
    struct Epoch: Sendable, Equatable {
        fileprivate let whole: UInt64
        fileprivate let group: UInt64
    }

    private struct State {
        var whole: UInt64 = 0
        /// Purges by group of tags: at worst an entry is not kept that could have been.
        var groups = [UInt64](repeating: 0, count: groupCount)
        var naming = [Int32](repeating: 0, count: groupCount)
        var namingCount = 0
        /// Purges that wait for them.
        var waiting = [Int32](repeating: 0, count: groupCount)
        var wholeWaiting = 0
    }

    private static let groupCount = 1024
    private let state = Monitor(State())

    private static func group(_ tag: UInt64) -> Int { Int(tag % UInt64(groupCount)) }

    func epoch(_ tag: UInt64) -> Epoch {
        let group = Self.group(tag)
        return state.withLock { Epoch(whole: $0.whole, group: $0.groups[group]) }
    }

    /// Then call ``leave(_:)``. False while a purge waits, so that it does not wait for ever.
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

    /// From now on nothing with `tag` that was begun before is named; returns when entries being named have their names.
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
