/// How S3 gets the content of a file.
package struct S3PartRules: Sendable {
    /// Content of up to so many bytes is one request.
    package var singleByteCount = 16 << 20
    /// Of a part, at least. S3 takes none below 5 MiB except the last.
    package var partByteCount = 16 << 20
    /// S3 takes no more; the parts of larger content are larger.
    package var partLimit = 10_000
    /// Of each request, the first included.
    package var attempts = 3
    /// Of all requests of an upload: attempts that may fail.
    package var failureLimit = 10
    /// The wait before the second attempt, doubled for each further one.
    package var pause = Duration.milliseconds(250)
    /// S3 puts the parts together before it answers.
    package var completionPatience = Duration.seconds(240)

    package init() {}

    /// The most bytes of an object.
    static let objectLimit = 5 << 40

    func ranges(of byteCount: Int) -> [Range<Int>] {
        let least = (byteCount + partLimit - 1) / partLimit
        let step = max(partByteCount, least, 1)
        return stride(from: 0, to: byteCount, by: step).map { $0..<min($0 + step, byteCount) }
    }
}
