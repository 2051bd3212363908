import AssetLibrary
import HTTPMessage
import HTTPServer
import ImageEngine
import Parameters
import Reactor

extension Problem {
    /// An upload that cannot be stored, or an asset that cannot be changed; `id` as the request spelled it.
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
        case .tooLarge(let limit):
            self.init(RequestFailure.contentTooLarge(limit: limit))
        case .tooMany(let limit):
            self.init(
                .insufficientStorage, "library-full", "The library is full",
                detail: "The library has reached its limit of \(limit) assets. Delete some.")
        case .full(let limit):
            self.init(
                .insufficientStorage, "library-full", "The library is full",
                detail: "With this content the library would exceed its limit of \(limit) bytes. Delete some assets.")
        case .noRoom:
            self.init(RequestFailure.contentNotStored)
            log = "uploads: the file system is full"
        case .io(let errno) where Errno(code: errno).isDescriptorShortage: self.init(LibraryError.io(errno: errno))
        case .busy:
            self.init(
                .serviceUnavailable, "overloaded", "The service is busy",
                detail: "The library is in use. Try again in a few seconds.")
            retryAfterSeconds = 1
        case .inUse, .newerCatalogue, .damagedCatalogue, .catalogue, .io:
            self.init(
                .internalServerError, "library-failed", "The library cannot be read",
                detail: "The server logged the error. Try again later.")
            log = "uploads: \(error)"
        }
    }

    /// The asset is a file of the folder that is served as it is.
    static var assetReadOnly: Problem {
        Problem(
            .conflict, "asset-read-only", "The asset cannot be changed",
            detail: "The asset is a file of the read-only library folder. Choose another name.")
    }

    /// Form data that holds no file, or is none.
    static var formWithoutFile: Problem {
        Problem(
            .badRequest, "form-without-file", "The form has no file",
            detail: "Send multipart/form-data with one part that has a file name, or send the bytes of the image alone."
        )
    }

    /// A part of a representation, which cannot be put (RFC 9110 §14.5).
    static var partialPut: Problem {
        Problem(
            .badRequest, "partial-put", "Partial PUT is not supported",
            detail: "Send the whole content, without `Content-Range`.")
    }
}
