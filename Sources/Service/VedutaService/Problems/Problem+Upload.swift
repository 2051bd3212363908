import AssetLibrary
import HTTPMessage
import HTTPServer
import ImageEngine
import Reactor

extension Problem {
    /// `id` as the request spelled it.
    init(_ error: UploadError, id: String = "") {
        switch error {
        case .notFound: self = .assetNotFound
        case .invalidID(let fault): self.init(LibraryError.invalidID(fault), id: id)
        case .preconditionFailed: self = .preconditionFailed
        case .nameTaken:
            self.init(
                .conflict, "name-taken", "The name is taken",
                detail:
                    "A part of the name is the name of an asset, or the whole is the name of a folder. Choose another name."
            )
        case .unknownMedia: self.init(ImageError.unsupportedFormat)
        case .tooLarge(let limit): self.init(RequestFailure.contentTooLarge(limit: limit))
        case .tooMany(let limit):
            self.init(
                .insufficientStorage, "library-full", "The library is full",
                detail: "The library has reached its limit of \(limit) assets. Delete some.")
        case .tooManyFocalPoints(let limit):
            self.init(
                .insufficientStorage, "library-full", "The library is full",
                detail: "The library has reached its limit of \(limit) focal points. Remove some.")
        case .full(let limit):
            self.init(
                .insufficientStorage, "library-full", "The library is full",
                detail:
                    "With this content the library would exceed its limit of \(limit.byteLimitText). Delete some assets."
            )
        case .noRoom:
            self.init(RequestFailure.contentNotStored)
            log = "uploads: the file system is full"
        case .io(let errno) where Errno(code: errno).isDescriptorShortage: self.init(LibraryError.io(errno: errno))
        case .busy: self = .busy("The library is in use. Try again in a few seconds.", retryAfter: 1)
        case .inUse, .newerCatalogue, .damagedCatalogue, .catalogue, .io:
            self = .libraryFailed(log: "uploads: \(error)")
        }
    }
}

// Resumable uploads. Statuses are those of the tus protocol.
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
                detail: "The limit is \(limit) incomplete uploads. Complete or delete one, or try again later.",
                retryAfter: 60)
        case .full(let limit):
            self.init(
                .insufficientStorage, "too-many-uploads", "Too many uploads are incomplete",
                detail:
                    "The limit for all incomplete uploads together is \(limit.byteLimitText). Delete one, or try again later.",
                retryAfter: 60)
        case .noRoom: self.init(.contentNotStored)
        case .io(let errno):
            self.init(.contentNotStored)
            log = "errno \(errno)"
        }
    }

    static var uploadBusy: Problem {
        Problem(
            .locked, "upload-busy", "The upload is in use",
            detail: "Another request is writing to the upload. Try again when that request has ended or stalled.",
            retryAfter: 2)
    }

    static func tusField(_ name: String, _ allowed: String) -> Problem {
        Problem(
            .badRequest, "malformed-upload", "A field of the upload is invalid",
            detail: "`\(name)` must be \(allowed).")
    }
}
