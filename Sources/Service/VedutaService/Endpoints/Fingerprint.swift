import Digest
import ImageEngine
import ImagePlan
import Renditions

extension RenditionFingerprint {
    /// Raised when code that draws, decodes or encodes makes other bytes of the same request and source.
    private static let pipelineVersion = "9"

    /// Of this version on these libraries: the same on every replica and after every restart. Computed on first use,
    /// which must come after `ImageEngine.start`.
    static let service = RenditionFingerprint(
        pipelineVersion: pipelineVersion, engineVersion: ImageEngine.version, libraries: ImageEngine.libraries,
        encoderSettings: encoderSettings)

    convenience init(pipelineVersion: String, engineVersion: String, libraries: [String], encoderSettings: [String]) {
        self.init([pipelineVersion, engineVersion], lists: [libraries, encoderSettings])
    }

    /// Eight characters for the log: processes with the same name give equal entity tags to equal renditions.
    var name: String { digest().base64URL(byteCount: 6) }

    /// Defaults of the encoders. A setting that becomes configurable belongs here.
    private static let encoderSettings = OutputFormat.allCases.map { format in
        "\(format.rawValue) \(format.defaultQuality.map(String.init) ?? "lossless")"
    }
}
