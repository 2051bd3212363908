import CLinux

/// The program and its libraries, as they are mapped from their files.
package enum LoadedCode {
    /// Unmaps what is only read. Most of it was needed once, to start, and a process that does not share it holds it alone. What
    /// is needed again comes back from the page cache by page faults. Takes about a millisecond. Threads may run meanwhile.
    package static func giveBack() { clinux_give_back_code() }
}
