import AssetLibrary
import HTTPMessage
import HTTPServer

// What can be wrong with an upload that may be resumed. Numbers are those that the tus protocol wants.
extension Problem {
    init(_ error: ResumableError) {
        switch error {
        case .notFound:
            self.init(
                .notFound, "upload-not-found", "The upload does not exist",
                detail: "The upload was never created, was deleted or has expired. Create a new one at /uploads.")
        case .wrongOffset(let expected):
            self.init(
                .conflict, "wrong-offset", "The upload offset is wrong",
                detail: "The upload has \(expected) bytes, so `Upload-Offset` must be \(expected).")
        case .busy: self = .uploadBusy
        case .tooLarge(let limit): self.init(.contentTooLarge(limit: limit))
        case .tooMany(let limit):
            self.init(
                .insufficientStorage, "too-many-uploads", "Too many uploads are incomplete",
                detail: "The limit is \(limit) incomplete uploads. Complete or delete one, or try again later.")
            retryAfterSeconds = 60
        case .full(let limit):
            self.init(
                .insufficientStorage, "too-many-uploads", "Too many uploads are incomplete",
                detail:
                    "The limit for all incomplete uploads together is \(limit) bytes. Delete one, or try again later.")
            retryAfterSeconds = 60
        case .noRoom: self.init(.contentNotStored)
        case .io(let errno):
            self.init(.contentNotStored)
            log = "errno \(errno)"
        }
    }

    /// Another request writes to the upload or ends it.
    static var uploadBusy: Problem {
        var problem = Problem(
            .locked, "upload-busy", "The upload is in use",
            detail: "Another request is writing to the upload. Try again when that request has ended or stalled.")
        problem.retryAfterSeconds = 2
        return problem
    }

    /// A version of the protocol that is not spoken.
    static var tusVersion: Problem {
        Problem(
            .preconditionFailed, "tus-version", "The tus version is not supported",
            detail: "Send `Tus-Resumable: \(Tus.version)`.")
    }

    /// A field that is missing, is there twice or cannot be read.
    static func tusField(_ name: String, _ allowed: String) -> Problem {
        Problem(
            .badRequest, "malformed-upload", "A field of the upload is invalid",
            detail: "`\(name)` must be \(allowed).")
    }

    /// Content of another media type.
    static var tusMediaType: Problem {
        Problem(
            .unsupportedMediaType, "unsupported-media-type", "The media type of the content is not supported",
            detail: "Send the content as `\(Tus.mediaType)`, without `Content-Encoding`.")
    }

    /// The content is not what its sender says.
    static var checksumMismatch: Problem {
        Problem(
            .checksumMismatch, "checksum-mismatch", "The content was damaged in transit",
            detail: "The content does not match `Upload-Checksum` and was discarded. Send it again.")
    }

    /// There is no place for uploads.
    static var uploadsAreOff: Problem {
        Problem(
            .forbidden, "uploads-off", "Uploads are disabled",
            detail: "This server has no folder for uploads. Its operator can set VEDUTA_UPLOADS.")
    }
}
