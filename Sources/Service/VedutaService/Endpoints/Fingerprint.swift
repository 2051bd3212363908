import Digest
import ImageEngine
import ImagePlan
import Renditions

extension RenditionFingerprint {
    /// Bumped when the same request and source give other bytes: code that draws, decodes or encodes has changed.
    private static let pipelineVersion = "5"

    /// Of this version on these libraries: the same on every replica, after every restart, and whatever else is loaded. Worked
    /// out on first use, which has to be after `ImageEngine.start`.
    static let service = RenditionFingerprint(
        pipelineVersion: pipelineVersion, engineVersion: ImageEngine.version, libraries: ImageEngine.libraries,
        encoderSettings: encoderSettings)

    convenience init(
        pipelineVersion: String, engineVersion: String, libraries: [String], encoderSettings: [String]
    ) {
        self.init([pipelineVersion, engineVersion], lists: [libraries, encoderSettings])
    }

    /// Eight characters for the log: processes of one name give equal entity tags to equal renditions.
    var name: String { digest().base64URL(byteCount: 6) }

    /// What encoders are told where the request does not say it. A setting that becomes configurable belongs here.
    private static let encoderSettings = OutputFormat.allCases.map { format in
        "\(format.rawValue) \(format.defaultQuality.map(String.init) ?? "lossless")"
    }
}
