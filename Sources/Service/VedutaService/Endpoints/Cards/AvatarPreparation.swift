import HTTPServer
import Originals
import Reactor
import Renditions
import Synchronization

/// Has all pictures of an avatar fetched or read at the same time, and waits for them no longer than two seconds. One that cannot
/// be had is no reason to refuse, unless its file lost its place in line; one that is late is fetched on, for the next request.
struct AvatarPreparation: SourcePreparation {
    static let patience = Duration.seconds(2)

    let pictures: AssetPreparation
    let originals: Originals

    var count: Int { 1 }
    var isRead: Bool { pictures.isRead }
    func refresh() { pictures.refresh() }

    func begin(
        _ index: Int, for request: Request, of client: ClientNetwork?,
        done: @escaping @Sendable (RenditionError?) -> Void
    ) throws(RenditionError) -> (@Sendable () -> Void)? {
        let wait = PictureWait(done)
        for index in 0..<pictures.count {
            wait.expect()
            let leave: (@Sendable () -> Void)?
            do throws(RenditionError) {
                leave = try pictures.begin(index, for: request, of: client, done: wait.came)
            } catch {
                guard pictures.isSourceRead(at: index) else {
                    // Looking at it would read it on this thread.
                    wait.leave()
                    throw error
                }
                leave = nil
            }
            if let leave { wait.leaves(by: leave) } else { wait.came(nil) }
        }
        guard wait.begins() else {
            if let refusal = wait.refusal { throw refusal }
            return nil
        }
        originals.wake(after: Self.patience, wait.end)
        return wait.leave
    }
}

/// Waits until nothing is expected any more, time is over, or nobody waits.
private final class PictureWait: Sendable {
    private struct State {
        /// The one that is counted from the start is that all have begun.
        var expectedCount = 1
        var hasBegun = false
        /// nil: the wait is over.
        var done: (@Sendable (RenditionError?) -> Void)?
        var leaves: [@Sendable () -> Void] = []
        /// Why one was not made ready.
        var refusal: RenditionError?

        mutating func takeDone() -> (@Sendable () -> Void)? {
            defer { (done, leaves) = (nil, []) }
            guard let done else { return nil }
            let refusal = refusal
            return { done(refusal) }
        }
    }

    private let state: Mutex<State>

    init(_ done: @escaping @Sendable (RenditionError?) -> Void) { state = Mutex(State(done: done)) }

    var refusal: RenditionError? { state.withLock { $0.refusal } }

    func expect() { state.withLock { $0.expectedCount += 1 } }

    /// What ends the waiting for one of them.
    func leaves(by leave: @escaping @Sendable () -> Void) {
        state.withLock { if $0.done != nil { $0.leaves.append(leave) } }
    }

    @Sendable func came(_ refusal: RenditionError?) {
        let done = state.withLock { state -> (@Sendable () -> Void)? in
            state.expectedCount -= 1
            if let refusal { state.refusal = refusal }
            return state.expectedCount == 0 && state.hasBegun ? state.takeDone() : nil
        }
        done?()
    }

    /// All that was to begin has begun: whether there is something to wait for.
    func begins() -> Bool {
        state.withLock { state in
            state.hasBegun = true
            state.expectedCount -= 1
            if state.expectedCount == 0 { _ = state.takeDone() }
            return state.done != nil
        }
    }

    /// Goes on with what has come.
    @Sendable func end() { state.withLock { $0.takeDone() }?() }

    /// Nobody waits any more.
    @Sendable func leave() {
        let leaves = state.withLock { state in
            defer { _ = state.takeDone() }
            return state.leaves
        }
        for leave in leaves { leave() }
    }
}
