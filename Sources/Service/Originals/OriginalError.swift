package import HTTPMessage
package import AssetLibrary
package import Origin
package import OriginCache

/// Why an original is not available, or cannot be changed.
package enum OriginalError: Error, Equatable, Sendable {
    case absent
    case url(OriginURLFault, id: String)
    case object(S3LocationFault, id: String)
    /// The folder of the library, or that of uploads, cannot be read, or cannot have such an id.
    case library(LibraryError, id: String)
    case uploads(UploadError, id: String)
    /// A file of the folder, which is never changed.
    case readOnly
    /// Another server does not give it.
    case remote(FetchFailure)
    case bucket(OriginError)
    case busy

    init(_ error: LibraryError, id: String = "") { self = .library(error, id: id) }
    init(_ error: UploadError, id: String = "") { self = .uploads(error, id: id) }
    init(_ error: OriginURLFault, id: String) { self = .url(error, id: id) }
    init(_ error: S3LocationFault, id: String) { self = .object(error, id: id) }
    init(_ failure: FetchFailure) { self = failure == .origin(.notFound) ? .absent : .remote(failure) }

    /// Whether another server, or the way to it, is the cause, so that a substitute may be shown.
    package var isUnavailable: Bool {
        switch self {
        case .absent, .url, .object, .library, .uploads, .readOnly, .busy: false
        case .bucket: true
        case .remote(.origin(let error)):
            switch error {
            case .originNotAllowed, .addressForbidden, .tooLarge, .notFound, .notKept, .cancelled, .noMemory, .busy:
                false
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
