import CLinux

/// How urgent the work of a thread is for the scheduler of Linux. Where no other thread wants the processor, nothing changes.
package enum ThreadPriority {
    /// Makes this thread, and those that it starts from now on, give way to the other threads of the process: its nice value
    /// grows by `steps`, 0 to 19, and it interrupts nobody when it wakes. It cannot be undone.
    package static func lower(steps: Int32) {
        clinux_lower_thread_priority(steps)
    }

    /// Lets this thread run soon after it wakes: the shorter its own turns, the sooner it may interrupt the turn of another
    /// (1.4 ms and more, told by a tick of 4 ms in many kernels). For threads that wait most of the time; Linux 6.12 and later.
    static func runSoonAfterWaking() {
        clinux_shorten_thread_turns(100_000)
    }
}
