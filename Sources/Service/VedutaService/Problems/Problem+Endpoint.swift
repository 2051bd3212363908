import AssetLibrary
import HTTPMessage
import ImageEngine
import MapRender
import MapTiles
import Originals
import Parameters
import Renditions

extension Problem {
    init(_ error: EndpointError) {
        switch error {
        case .parameters(let faults): self.init(faults)
        case .unauthorized(let refusal): self.init(refusal)
        case .original(let error): self.init(error)
        case .library(let error, let id): self.init(error, id: id)
        case .upload(let error, let id): self.init(error, id: id)
        case .resumable(let error): self.init(error)
        case .rendition(let error): self.init(error)
        case .mapSource(let error): self.init(error)
        case .tilePath(let fault): self.init(fault)
        case .wrongTileExtension(let right): self = .tileNotFound("The tile paths of this source end in `.\(right)`.")
        case .zoomOutside(let zooms):
            self = .tileNotFound("The source has the zoom levels \(zooms.lowerBound) to \(zooms.upperBound).")
        case .styleAbsent(let names): self = .tileSetNotFound("style", names)
        case .sourceAbsent(let names): self = .tileSetNotFound("source", names)
        case .tooManyRemotePictures(let parameter, let limit): self = .tooManyRemotePictures(parameter, limit: limit)
        case .routeAbsent:
            self.init(
                .notFound, "route-not-found", "Nothing exists at this path", detail: "See /openapi.yaml for all paths.")
        case .misdirected:
            self.init(
                .misdirectedRequest, "host-not-served", "This server does not have this host name",
                detail: "The host of the request is not one of `--hosts`.")
        case .disabled(let restricted): self.init(restricted)
        case .signature(let refusal): self.init(refusal)
        case .overBudget(let refusal): self.init(refusal)
        case .methodNotAllowed(let allow): self = .methodNotAllowed(allow: allow)
        case .loop: self = .loop
        case .busy: self = .overloaded
        case .preconditionFailed: self = .preconditionFailed
        case .rangeNotSatisfiable(let byteCount): self = .rangeNotSatisfiable(byteCount: byteCount)
        case .uploadsOff:
            self.init(
                .forbidden, "uploads-off", "Uploads are disabled",
                detail: "This server has no folder for uploads. Its operator can set VEDUTA_UPLOADS.")
        case .focalPointsOff:
            self.init(
                .forbidden, "focal-points-off", "Focal points cannot be stored",
                detail:
                    "Focal points are kept with uploads in a folder, which this server does not have. Its operator can set VEDUTA_UPLOADS."
            )
        case .partialPut:
            self.init(
                .badRequest, "partial-put", "Partial PUT is not supported",
                detail: "Send the whole content, without `Content-Range`.")
        case .formWithoutFile:
            self.init(
                .badRequest, "form-without-file", "The form has no file",
                detail:
                    "Send multipart/form-data with one part that has a file name, or send the bytes of the image alone."
            )
        case .uploadBusy: self = .uploadBusy
        case .checksumMismatch:
            self.init(
                .checksumMismatch, "checksum-mismatch", "The content was damaged in transit",
                detail: "The content does not match `Upload-Checksum` and was discarded. Send it again.")
        case .tusVersion:
            self.init(
                .preconditionFailed, "tus-version", "The tus version is not supported",
                detail: "Send `Tus-Resumable: \(Tus.version)`.")
        case .tusMediaType:
            self.init(
                .unsupportedMediaType, "unsupported-media-type", "The media type of the content is not supported",
                detail: "Send the content as `\(Tus.mediaType)`, without `Content-Encoding`.")
        case .tusField(let name, let allowed): self = .tusField(name, allowed)
        }
    }
}

extension ParameterFault {
    /// What is wrong with an id in `parameter` that can name nothing; nil where the id is not the reason.
    init?(_ error: OriginalError, of parameter: String = "id") {
        let (id, allowed): (String, String)
        switch error {
        case .url(let fault, let text): (id, allowed) = (text, Problem.allowedURL(fault))
        case .object(let fault, let text): (id, allowed) = (text, Problem.allowedObject(fault))
        case .library(.invalidID(let fault), let text), .uploads(.invalidID(let fault), let text):
            (id, allowed) = (text, Problem.allowedID(fault))
        case .absent, .library, .uploads, .readOnly, .remote, .bucket, .busy: return nil
        }
        self.init(parameter: parameter, value: id, reason: .malformed(allowed: allowed))
    }
}

extension Problem {
    init(_ fault: TilePathFault) {
        switch fault {
        case .malformed(let allowed):
            self.init(.badRequest, "bad-tile-address", "The tile address is not valid", detail: "Allowed: \(allowed).")
        case .noSuchTile: self = .tileNotFound("There is no such zoom level, position or range of characters.")
        }
    }

    static func tileNotFound(_ detail: String) -> Problem {
        Problem(.notFound, "tile-not-found", "The tile does not exist", detail: detail)
    }

    /// `names` are those there are.
    static func tileSetNotFound(_ kind: String, _ names: [String]) -> Problem {
        Problem(
            .notFound, "tile-set-not-found", "The \(kind) does not exist",
            detail: "Available: \(names.prefix(32).joined(separator: ", ")).")
    }

    init(_ error: ResourceError) {
        self.init(
            .badGateway, "map-source-failed", "The map source cannot be read",
            detail: "The server logged the error. Try again later.", retryAfter: 5)
        switch error {
        case .failed(let cause), .unavailable(let cause): log = "map source: \(cause)"
        case .cancelled: log = "map source: cancelled"
        }
    }
}

extension Problem {
    init(_ error: RenditionError) {
        switch error {
        case .failed(let failure):
            // Sources of this service have no other failures.
            self = (failure as? MediaFailure).map(Problem.init) ?? Problem(ImageError.needsOriginal)
        case .tooCostly(let work, let excesses): self = .tooCostly(work, excesses)
        case .timedOut: self = .timedOut
        case .busy: self = .overloaded
        case .notStored: self = .notStored
        case .overBudget(let refusal): self.init(refusal)
        }
    }

    init(_ failure: MediaFailure) {
        switch failure {
        case .original(let error): self.init(error)
        case .library(let error, let id): self.init(error, id: id)
        case .overlayAbsent:
            self.init(
                .notFound, "overlay-not-found", "The overlay does not exist",
                detail: "The library has no image with the id in `overlay`.")
        case .iconAbsent:
            self.init(
                .notFound, "icon-not-found", "The icon does not exist",
                detail: "No image has the id or the address that a `marker` gives as `icon`.")
        case .image(let error, let format?): self.init(error, announced: format)
        case .image(let error, nil): self.init(error)
        case .page(let page, let log): self = .pageCorrupt(page, log: log)
        case .map(let error): self.init(error)
        case .notAPoll(let faults):
            self.init(
                .unprocessableContent, "source-not-a-poll", "The source is not a poll",
                detail: "The JSON that `data` names cannot be drawn as a poll. \(faults.faults.first?.message ?? "")")
        case .styleGone:
            self.init(
                .notFound, "map-style-gone", "The style no longer exists",
                detail: "The server's map configuration changed during the request. Leave out `style`, or try again.")
        }
    }
}
