import AssetLibrary
import Bytes
import ImageEngine
import ImagePlan
import MapRender
import Origin
import OriginCache
import Originals
import Parameters
import Reactor
import Renditions

/// Why an image, a map or a description cannot be made.
enum MediaFailure: RenditionFailure {
    case original(OriginalError)
    /// The original cannot be read to its end.
    case library(LibraryError, id: String)
    /// There is no image to lay over another, or to mark a place with.
    case overlayAbsent, iconAbsent
    /// The source, which begins like a file of `announced`, is of no use.
    case image(ImageError, announced: SourceFormat?)
    case page(Int, log: String)
    case map(MapError)
    /// The file that has the content of a poll has none.
    case notAPoll(ParameterFaults)
    /// The style has left the configuration since the request.
    case styleGone

    var kind: RenditionFailureKind { disposition.kind }
    var secondsRemembered: Int? { disposition.seconds }

    private typealias Disposition = (kind: RenditionFailureKind, seconds: Int?)
    private static let absent: Disposition = (.absent, 60)
    private static let refused: Disposition = (.refused, 60)
    /// A valid request that does not fit its source: cheap to find out again.
    private static let unfitting: Disposition = (.refused, nil)
    /// Something broke; see the log.
    private static let broken: Disposition = (.unavailable, 5)
    /// Waits for room, or for another program.
    private static let busy: Disposition = (.unavailable, nil)

    private var disposition: Disposition {
        switch self {
        case .original(let error): Self.disposition(error)
        case .library(let error, _): Self.disposition(error)
        case .overlayAbsent, .iconAbsent, .styleGone: Self.absent
        case .image(let error, _): Self.disposition(error)
        case .page, .notAPoll: Self.refused
        case .map(let error): Self.disposition(error)
        }
    }

    private static func disposition(_ error: ImageError) -> Disposition {
        switch error {
        case .unsupportedFormat, .sourceTooLong, .tooManyPixels, .tooManyScans, .tooManyPages, .tooManyParts,
            .tooManyPartPixels, .corrupt, .pagesDiffer, .unsupportedSampling, .tooLargeForDecoder, .tooCostly,
            .tooComplex, .bytesUnreachable, .plan(.invalidSourceSize), .crashed, .overMemory:
            refused
        case .plan(.cropOutside), .plan(.enlarges), .plan(.sideTooLong), .plan(.outputTooLarge), .plan(.sizeNotListed),
            .plan(.pageOutside):
            unfitting
        case .operationFailed, .encodeFailed, .needsOriginal, .startFailed: broken
        case .outOfMemory, .cancelled, .noWorker: busy
        }
    }

    private static func disposition(_ error: MapError) -> Disposition {
        switch error {
        case .canvasOutOfRange: unfitting
        case .tooManyDashes, .tilesTooLarge, .tooManyTiles: refused
        case .cancelled: busy
        }
    }

    private static func disposition(_ error: LibraryError) -> Disposition {
        switch error {
        case .notFound, .notRegularFile: absent
        case .invalidID, .accessDenied: unfitting
        case .tooLarge: refused
        case .io(let errno): Errno(code: errno).isDescriptorShortage ? busy : broken
        case .changedWhileReading, .rootUnavailable: busy
        }
    }

    private static func disposition(_ error: OriginalError) -> Disposition {
        switch error {
        case .absent: absent
        case .url, .object, .readOnly: unfitting
        case .library(let error, _): disposition(error)
        case .uploads(let error, _): disposition(error)
        case .remote(let failure): disposition(failure)
        case .bucket: broken
        case .busy: busy
        }
    }

    private static func disposition(_ error: UploadError) -> Disposition {
        switch error {
        case .notFound: absent
        case .invalidID, .preconditionFailed, .nameTaken: unfitting
        case .unknownMedia, .tooLarge: refused
        case .tooMany, .tooManyFocalPoints, .full, .noRoom, .busy: busy
        case .io(let errno): Errno(code: errno).isDescriptorShortage ? busy : broken
        case .inUse, .newerCatalogue, .damagedCatalogue, .catalogue: broken
        }
    }

    private static func disposition(_ failure: FetchFailure) -> Disposition {
        switch failure {
        case .origin(.notFound): absent
        case .origin(.originNotAllowed), .origin(.addressForbidden): unfitting
        case .origin(.tooLarge): refused
        case .origin(.notKept), .origin(.cancelled), .origin(.noMemory), .origin(.busy), .notHeld, .loop, .busy,
            .cancelled:
            busy
        case .origin, .tooSlow, .backingOff, .replaced, .unusable, .notCached, .offline: broken
        case .evicted: (.evicted, nil)
        }
    }
}

extension RenditionError {
    /// `source` is what `ImageEngine` was given.
    init(_ error: ImageError, source: SharedBytes? = nil) {
        switch error {
        case .cancelled: self = .timedOut()
        case .tooCostly(let microseconds, let byteCount):
            self = .tooCostly(NeededWork(microseconds: microseconds, byteCount: byteCount), [])
        case .unsupportedFormat:
            // A HEIF file of an unknown codec is of a format that is read.
            let announced = source.flatMap(ImageEngine.announcedFormat).flatMap { ImageEngine.canRead($0) ? nil : $0 }
            self = .failed(MediaFailure.image(error, announced: announced))
        default: self = .failed(MediaFailure.image(error, announced: nil))
        }
    }

    init(_ error: PageListError, source: SharedBytes) {
        if let page = error.page, case .corrupt(let log) = error.error {
            self = .failed(MediaFailure.page(page, log: log))
        } else {
            self.init(error.error, source: source)
        }
    }

    init(_ error: MapError) { self = error == .cancelled ? .timedOut() : .failed(MediaFailure.map(error)) }

    init(_ failure: MediaFailure) { self = .failed(failure) }

    /// The original is on no server and in no folder.
    var isAbsence: Bool { if case .failed(let failure) = self { failure.kind == .absent } else { false } }
}
