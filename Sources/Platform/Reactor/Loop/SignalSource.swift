import CLinux
import Glibc

package enum Signal: Sendable, Equatable, CaseIterable {
    /// `SIGTERM`: drain and exit.
    case terminate
    /// `SIGINT`: the same, from a terminal.
    case interrupt
    /// `SIGHUP`: read the configuration again.
    case hangUp

    package var number: Int32 {
        switch self {
        case .terminate: SIGTERM
        case .interrupt: SIGINT
        case .hangUp: SIGHUP
        }
    }
}

/// Signals as values: they are blocked and read from a descriptor. Make it on main before any thread starts. The process ignores
/// `SIGPIPE`, and `SIGUSR1` and `SIGUSR2`, which mean something to other servers and would end this one.
package struct SignalSource: ~Copyable, Sendable {
    private let descriptor: FileDescriptor

    /// For this thread and those it starts. Errors: `EMFILE`, `ENFILE`, `ENOMEM`.
    package init(_ signals: [Signal] = Signal.allCases) throws(Errno) {
        let numbers = signals.map(\.number)
        for number in [SIGPIPE, SIGUSR1, SIGUSR2] { _ = Glibc.signal(number, SIG_IGN) }
        // Whoever started this process may have ignored it: the ends of processes could not be told then.
        _ = Glibc.signal(SIGCHLD, SIG_DFL)
        let code = unsafe clinux_block_signals(numbers, numbers.count)
        guard code == 0 else { throw Errno(code: code) }
        descriptor = FileDescriptor(adopting: try systemCall { unsafe clinux_signalfd(numbers, numbers.count) })
    }

    /// Whether one of these has come and was not read yet, where an instance blocks them. Any thread.
    package static func isPending(_ signals: [Signal]) -> Bool {
        var pending = sigset_t()
        guard unsafe sigpending(&pending) == 0 else { return false }
        return signals.contains { unsafe sigismember(&pending, $0.number) == 1 }
    }

    /// Nil when the time is over; without limit if `maximumWait` is nil.
    package borrowing func wait(maximumWait: Duration? = nil) throws(Errno) -> Signal? {
        if let signal = try next() { return signal }
        let nanoseconds = maximumWait?.saturatedNanoseconds ?? .max
        let milliseconds = nanoseconds == .max ? -1 : Int32(min(max(nanoseconds, 0) / 1_000_000, 86_400_000))
        var entry = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        repeat {
            _ = try systemCall { unsafe poll(&entry, 1, milliseconds) }
            if let signal = try next() { return signal }
        } while milliseconds < 0
        return nil
    }

    private borrowing func next() throws(Errno) -> Signal? {
        let number = try systemCall { clinux_signalfd_read(descriptor.rawValue) }
        return Signal.allCases.first { $0.number == number }
    }
}
