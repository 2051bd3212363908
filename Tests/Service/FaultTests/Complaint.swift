import Glibc
import Testing

/// Ends the process of the test; the text says what was wrong.
func complain(_ text: String) -> Never {
    Issue.record("\(text)")
    exit(1)
}

/// How many descriptors this process has open.
func openDescriptorCount() -> Int {
    guard let folder = opendir("/proc/self/fd") else { return -1 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
}
