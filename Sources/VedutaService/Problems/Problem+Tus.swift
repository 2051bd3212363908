import AssetLibrary
import HTTPMessage
import HTTPServer

// What can be wrong with an upload that may be resumed. Numbers are those that the tus protocol wants.
extension Problem {
    init(_ error: ResumableError) {
        switch error {
        case .notFound:
            self.init(
                .notFound, "upload-not-found", "There is no such upload",
                detail: "It never was, was ended, or has expired. Begin another one at /uploads.")
        case .wrongOffset(let expected):
            self.init(
                .conflict, "wrong-offset", "The upload goes on elsewhere",
                detail: "It has \(expected) octets; `Upload-Offset` must say so.")
        case .busy: self = .uploadBusy
        case .tooLarge(let limit): self.init(.contentTooLarge(limit: limit))
        case .tooMany(let limit):
            self.init(
                .insufficientStorage, "too-many-uploads", "Too many uploads are not complete",
                detail: "At most \(limit) may be; go on with one, end one, or try again later.")
            retryAfterSeconds = 60
        case .full(let limit):
            self.init(
                .insufficientStorage, "too-many-uploads", "Too many uploads are not complete",
                detail: "Together they may have \(limit) octets; end one, or try again later.")
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
            .locked, "upload-busy", "Another request is at work on the upload",
            detail: "Try again when it is done, or has been silent for a while.")
        problem.retryAfterSeconds = 2
        return problem
    }

    /// A version of the protocol that is not spoken.
    static var tusVersion: Problem {
        Problem(
            .preconditionFailed, "tus-version", "The version of the tus protocol is not spoken here",
            detail: "Send `Tus-Resumable: \(Tus.version)`.")
    }

    /// A field that is missing, is there twice or cannot be read.
    static func tusField(_ name: String, _ allowed: String) -> Problem {
        Problem(
            .badRequest, "malformed-upload", "A field of the upload cannot be read",
            detail: "`\(name)` must be \(allowed).")
    }

    /// Content of another media type.
    static var tusMediaType: Problem {
        Problem(
            .unsupportedMediaType, "unsupported-media-type", "The content is of a kind that is not taken here",
            detail: "Send it as `\(Tus.mediaType)`, without a content coding.")
    }

    /// The content is not what its sender says.
    static var checksumMismatch: Problem {
        Problem(
            .checksumMismatch, "checksum-mismatch", "The content was damaged on its way",
            detail: "It does not come to `Upload-Checksum` and was dropped; send it again.")
    }

    /// There is no place for uploads.
    static var uploadsAreOff: Problem {
        Problem(
            .forbidden, "uploads-off", "Uploads are off",
            detail: "This server has no folder for uploads; its operator can set VEDUTA_UPLOADS.")
    }
}
