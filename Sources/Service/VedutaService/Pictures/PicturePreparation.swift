import HTTPServer
import OriginCache
import Synchronization

// Before the sources of a picture are looked at, those of other servers have to be here, and files of the library that have
// changed have to be read. Nobody waits for that but the client: no worker and no loop. The request goes on, from where it
// was, on the thread that got the original.

/// What has to be had before the sources of a picture can be looked at.
struct PicturePreparation: Sendable {
    private let ids: [String]
    private let originals: Originals

    /// Whether the last of them is wanted only where the first cannot be had.
    private let hasFallback: Bool

    /// Of the originals with `ids`, and of one that is shown where the first cannot be had; nil where there can be nothing to
    /// wait for.
    init?(_ ids: [String?], instead fallbackID: String? = nil, _ originals: Originals) {
        let all = (ids + [fallbackID]).compactMap(\.self)
        guard all.contains(where: { originals.mayBeRemote($0) || originals.mayBeRead($0) }) else { return nil }
        (self.ids, self.originals) = (all, originals)
        hasFallback = fallbackID != nil
    }

    /// Has what is held of the first looked at again, if its time has come; nobody waits.
    func refresh() {
        guard let source = source(0) else { return }
        _ = try? originals.remote?.prepare(source, .none, via: [], done: {})
    }

    /// Whether no file has to be read before the sources can be looked at.
    var isRead: Bool { ids.allSatisfy { originals.mayBeRemote($0) || originals.isFileKnown($0) } }

    /// How many originals there are to wait for.
    var count: Int { ids.count }

    /// Sees to the original at `index`; see `RemoteOriginals.prepare`. One that is wanted in place of the first is left alone
    /// while that one is there.
    func begin(
        _ index: Int, _ directives: RemoteDirectives, via: [String], done: @escaping @Sendable () -> Void
    ) throws(Problem) -> (@Sendable () -> Void)? {
        let isFallback = hasFallback && index == ids.count - 1
        if isFallback, (try? originals.state(of: ids[0])).flatMap(\.self) != nil { return nil }
        guard let source = source(index) else {
            guard try originals.readFile(ids[index], done: done) else { return nil }
            // It is read whoever waits.
            return {}
        }
        return try originals.remote?.prepare(source, directives, via: via, done: done)
    }

    private func source(_ index: Int) -> RemoteSource? { (try? originals.remoteSource(ids[index])) ?? nil }
}

/// A request that waits for originals, and then goes on or not, as its client is still there or not.
final class Wait: Sendable {
    private enum State: Sendable {
        case waiting(leave: (@Sendable () -> Void)?)
        case goesOn(PendingAnswer?)
        case isAbandoned(PendingAnswer?)
    }

    private let state = Mutex(State.waiting(leave: nil))

    /// `leave` ends the waiting.
    func began(_ leave: @escaping @Sendable () -> Void) {
        let isAbandoned = state.withLock { state in
            switch state {
            case .waiting: state = .waiting(leave: leave)
            case .goesOn: break
            case .isAbandoned: return true
            }
            return false
        }
        if isAbandoned { leave() }
    }

    /// Whether the request goes on.
    func ended() -> Bool {
        state.withLock { state in
            guard case .waiting = state else { return false }
            state = .goesOn(nil)
            return true
        }
    }

    /// What it does now, `pending` has a say in.
    func goesOn(_ pending: PendingAnswer) {
        let isAbandoned = state.withLock { state in
            if case .isAbandoned = state { return true }
            state = .goesOn(pending)
            return false
        }
        if isAbandoned { pending.onAbandon() }
    }

    /// What the connection is told.
    var answer: PendingAnswer { PendingAnswer(onAbandon: abandon, whenLate: late) }

    private func abandon() {
        let end: (@Sendable () -> Void)? = state.withLock { state in
            switch state {
            case .waiting(let leave):
                state = .isAbandoned(nil)
                return leave
            case .goesOn(let pending):
                state = .isAbandoned(pending)
                return pending?.onAbandon
            case .isAbandoned: return nil
            }
        }
        end?()
    }

    private func late() -> Response? {
        let pending: PendingAnswer? = state.withLock { state in
            if case .isAbandoned(let pending) = state { pending } else { nil }
        }
        return pending?.whenLate?()
    }
}
