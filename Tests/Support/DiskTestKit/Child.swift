import Glibc

/// A writer in a process of its own, whose lines are kept.
package final class Child {
    private var pid: pid_t = 0
    private var output: Int32 = -1
    package private(set) var lines: [UInt8] = []

    package init(_ executable: String, _ arguments: [String]) throws(Complaint) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Complaint("no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        output = ends[0]
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        var texts = ([executable] + arguments).map { strdup($0) } + [nil]
        defer { for text in texts { free(text) } }
        let code = posix_spawn(&pid, executable, &actions, nil, &texts, environ)
        close(ends[1])
        guard code == 0 else { throw Complaint("\(executable) does not start: \(code)") }
    }

    deinit {
        kill()
        close(output)
    }

    /// Takes lines for so many microseconds; ends early when the child has.
    package func listen(microseconds: Int) {
        let end = Self.now + microseconds
        while true {
            let left = end - Self.now
            guard left > 0 else { return }
            if left < 1000 {
                usleep(UInt32(left))
                continue
            }
            var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            if poll(&waiting, 1, Int32(left / 1000)) > 0, !takePiece() { return }
        }
    }

    /// Waits until the child has said something or has ended.
    package func listenForWord() {
        if lines.isEmpty { _ = takePiece() }
    }

    /// Kills it without warning and takes what is left of its lines. Once only; whether it still ran.
    @discardableResult
    package func kill() -> Bool {
        guard pid > 0 else { return false }
        Glibc.kill(pid, SIGKILL)
        while takePiece() {}
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        pid = 0
        return status & 0x7f == SIGKILL
    }

    private func takePiece() -> Bool {
        var piece = [UInt8](repeating: 0, count: 65536)
        let count = read(output, &piece, piece.count)
        guard count > 0 else { return false }
        lines += piece[..<count]
        return true
    }

    private static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
    }
}
