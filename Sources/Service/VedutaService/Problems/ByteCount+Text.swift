extension Int {
    /// A limit in bytes, in the largest unit of the settings that divides it: `--source-bytes 64m` is `64 MiB`.
    var byteLimitText: String {
        guard self > 0, self % 1024 == 0 else { return "\(self) bytes" }
        if self % (1 << 30) == 0 { return "\(self >> 30) GiB" }
        return self % (1 << 20) == 0 ? "\(self >> 20) MiB" : "\(self >> 10) KiB"
    }
}
