import CLinux

package enum MemoryLimit {
    /// What the cgroup (v2) of this process, or one around it, allows in bytes; nil without a limit.
    package static func ofCgroup(root: String = "/sys/fs/cgroup", own: String = "/proc/self/cgroup") -> Int? {
        let limit = unsafe clinux_memory_limit(root, own)
        return limit > 0 ? Int(limit) : nil
    }
}
