import AssetLibrary
import Reactor
import ServiceConfiguration

extension Service {
    /// The uploads that may be resumed, in a folder within that of uploads, which this process has for itself when it is
    /// called; nil where there is none.
    static func openResumable(_ configuration: Configuration, _ clock: Clock) throws(ServiceError) -> ResumableUploads?
    {
        guard let folder = configuration.uploadFolder else { return nil }
        let path = folder + "/resumable"
        do {
            return try ResumableUploads(
                ResumableSettings(
                    path: path, byteLimit: configuration.uploadLimit, totalByteLimit: configuration.uploadTotal,
                    lifetimeSeconds: configuration.uploadExpiry, clock: clock))
        } catch {
            throw .uploads(path: path, cause: StartCause.text(error))
        }
    }
}
