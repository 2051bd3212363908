import CLinux
import Glibc

package enum Processors {
    /// `wanted`, or when that is 0 one for each processor that the affinity mask and the cgroup's quota leave.
    package static func count(_ wanted: Int = 0) -> Int {
        if wanted > 0 { return wanted }
        let allowed = Int(clinux_allowed_processors())
        let quota = Int(clinux_processor_quota())
        return max(1, quota > 0 ? min(allowed, quota) : allowed)
    }

    package static func pause(_ duration: Duration) {
        _ = usleep(UInt32(clamping: duration.saturatedNanoseconds / 1000))
    }
}
