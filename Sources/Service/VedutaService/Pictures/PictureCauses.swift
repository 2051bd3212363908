import Digest
import ImageEngine
import ImagePlan

/// What decides the bytes of every picture beside its request and its source, the same for the life of the process.
enum PictureCauses {
    /// A hash that has taken in all of it: every key and entity tag begins here.
    ///
    /// The same on every replica that runs this version on the same libraries, after every restart, and whatever else is
    /// loaded. Worked out on first use, which has to be after `ImageEngine.start`.
    static let hash = hash(
        pipelineVersion: PicturePlan.pipelineVersion, engineVersion: ImageEngine.version,
        libraries: ImageEngine.libraries, encoderSettings: encoderSettings)

    /// Eight characters for the log: processes of one name give equal entity tags to equal pictures.
    static var name: String { hash.digest().base64URL(byteCount: 6) }

    /// What encoders are told where the request does not say it. A setting that becomes configurable belongs here.
    private static let encoderSettings = OutputFormat.allCases.map { format in
        "\(format.rawValue) \(format.defaultQuality.map(String.init) ?? "lossless")"
    }

    /// A hash that has taken in these causes; each one changes it.
    static func hash(
        pipelineVersion: String, engineVersion: String, libraries: [String], encoderSettings: [String]
    ) -> SHA256 {
        var hash = SHA256()
        hash.update(field: pipelineVersion)
        hash.update(field: engineVersion)
        for list in [libraries, encoderSettings] {
            hash.update(UInt64(list.count))
            for line in list { hash.update(field: line) }
        }
        return hash
    }
}
