import Dispatch
import Foundation
import Synchronization

// Tests run on the threads of a shared pool, of which a machine with two processors has two. Work that a test waits for must
// not be queued there: it may never get a thread. These threads belong to the test (issue 15.0).

/// Runs `body` on `count` threads of their own, starts them together and waits for all.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let ready = DispatchGroup()
    let start = DispatchSemaphore(value: 0)
    let done = DispatchGroup()
    for index in 0..<count {
        ready.enter()
        done.enter()
        startThread {
            ready.leave()
            start.wait()
            body(index)
            done.leave()
        }
    }
    ready.wait()
    for _ in 0..<count { start.signal() }
    done.wait()
}

/// Repeats `body` on `count` threads of their own while `meanwhile` runs on this one; returns when all threads have ended.
///
/// `body` gets the index of its thread and how many rounds this thread has finished. Each thread has begun its first round
/// before `meanwhile` is called.
package func whileThreadsRepeat<Result>(
    _ count: Int = 1, _ body: @escaping @Sendable (_ thread: Int, _ round: Int) -> Void,
    meanwhile: () throws -> Result
) rethrows -> Result {
    let isOver = Atomic(false)
    let ready = DispatchGroup()
    let done = DispatchGroup()
    for index in 0..<count {
        ready.enter()
        done.enter()
        startThread {
            ready.leave()
            var round = 0
            while !isOver.load(ordering: .acquiring) {
                body(index, round)
                round += 1
            }
            done.leave()
        }
    }
    ready.wait()
    defer {
        isOver.store(true, ordering: .releasing)
        done.wait()
    }
    return try meanwhile()
}

private func startThread(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.stackSize = 2 << 20
    thread.start()
}
