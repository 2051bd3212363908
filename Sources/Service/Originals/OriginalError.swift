package import AssetLibrary
package import Origin
package import OriginCache

/// Why an original is not available, or cannot be changed.
package enum OriginalError: Error, Equatable, Sendable {
    /// No original has the id.
    case absent
    /// The id is an address that cannot be fetched.
    case url(OriginURLFault, id: String)
    /// The id is no object of a bucket.
    case object(S3LocationFault, id: String)
    /// The folder of the library, or that of uploads, cannot be read; or the id cannot be one of its files.
    case library(LibraryError, id: String)
    case uploads(UploadError, id: String)
    /// It is a file of the folder, which is never changed.
    case readOnly
    /// Another server has it, and does not give it.
    case remote(FetchFailure)
    /// The bucket for uploads failed.
    case bucket(OriginError)
    /// Too many files wait to be read.
    case busy

    init(_ error: LibraryError, id: String = "") { self = .library(error, id: id) }
    init(_ error: UploadError, id: String = "") { self = .uploads(error, id: id) }
    init(_ error: OriginURLFault, id: String) { self = .url(error, id: id) }
    init(_ error: S3LocationFault, id: String) { self = .object(error, id: id) }
    init(_ failure: FetchFailure) { self = failure == .origin(.notFound) ? .absent : .remote(failure) }

    /// Whether another server, or the way to it, is the cause: a substitute may be shown meanwhile.
    package var isUnavailable: Bool {
        switch self {
        case .absent, .url, .object, .library, .uploads, .readOnly, .busy: false
        case .bucket: true
        case .remote(.origin(let error)):
            switch error {
            case .originNotAllowed, .addressForbidden, .tooLarge, .notFound, .notKept, .cancelled, .noMemory: false
            case .redirectInvalid, .tooManyRedirects, .nameUnknown, .unreachable, .tlsFailed, .timedOut, .broken,
                .notHTTP, .headTooLarge, .contentCoded, .status, .resting, .credentialsUnusable:
                true
            }
        case .remote(let failure):
            switch failure {
            case .origin, .tooSlow, .backingOff, .replaced, .unusable, .notCached, .offline: true
            case .busy, .evicted, .loop, .notHeld, .cancelled: false
            }
        }
    }
}
