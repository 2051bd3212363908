import AssetLibrary
import ClientBudgets
import HTTPMessage
import HTTPServer
import ImagePlan
import MapRender
import MapTiles
import Origin
import OriginCache
import Originals
import Parameters
import Reactor
import Renditions
import URLSigning

@testable import ImageEngine
@testable import VedutaService

/// One sample of every problem that the service can answer with.
///
/// The samples of an error are a chain: each switch names the case that follows, without `default`. A new case does not
/// compile until it has a place in its chain.
enum ProblemSamples {
    static var all: [Problem] {
        parameters + library + uploads + resumable + images + plans + origins + maps + requests + writes + access + made
    }

    private static func chain<Value>(from first: Value, _ next: @escaping (Value) -> Value?) -> [Value] {
        Array(sequence(first: first, next: next))
    }

    private static var parameters: [Problem] {
        let reasons = chain(from: ParameterFault.Reason.unknown(suggestion: "width")) { reason in
            switch reason {
            case .unknown(.some): .unknown(suggestion: nil)
            case .unknown(nil): .notSupportedYet(allowed: "a or b")
            case .notSupportedYet(.some): .notSupportedYet(allowed: nil)
            case .notSupportedYet(nil): .repeated
            case .repeated: .malformed(allowed: "a whole number from 1 to 8192")
            case .malformed: .outOfRange(allowed: "at most 100 bytes long")
            case .outOfRange: .missing
            case .missing: .conflict(with: ["crop", "page"])
            case .conflict: .incomplete(without: ["height"])
            case .incomplete: .badEncoding
            case .badEncoding: .tooManyItems(limit: 64)
            case .tooManyItems: nil
            }
        }
        let faults = reasons.map { ParameterFault(parameter: "widht", value: "many", reason: $0) }
        return faults.map { Problem(ParameterFaults([$0])) } + [Problem(ParameterFaults(Array(faults.prefix(2))))]
    }

    private static var library: [Problem] {
        let ids = chain(from: IDFault.empty) { fault in
            switch fault {
            case .empty: .tooLong(limit: 1024)
            case .tooLong: .absolute
            case .absolute: .reservedPrefix
            case .reservedPrefix: .emptyComponent(offset: 1)
            case .emptyComponent: .dotComponent(offset: 1)
            case .dotComponent: .componentTooLong(offset: 1, limit: 255)
            case .componentTooLong: .forbiddenCharacter(offset: 1)
            case .forbiddenCharacter: nil
            }
        }
        let errors = chain(from: LibraryError.notFound) { error in
            switch error {
            case .notFound: .notRegularFile
            case .notRegularFile: .invalidID(.empty)
            case .invalidID: .accessDenied
            case .accessDenied: .tooLarge(limit: 67_108_864)
            case .tooLarge: .io(errno: 5)
            case .io(5): .io(errno: 24)
            case .io: .changedWhileReading
            case .changedWhileReading: .rootUnavailable(errno: 2)
            case .rootUnavailable: nil
            }
        }
        return ids.map { Problem(LibraryError.invalidID($0), id: "a") } + errors.map { Problem($0) }
    }

    private static var uploads: [Problem] {
        let errors = chain(from: UploadError.notFound) { error in
            switch error {
            case .notFound: .invalidID(.empty)
            case .invalidID: .preconditionFailed
            case .preconditionFailed: .nameTaken
            case .nameTaken: .unknownMedia
            case .unknownMedia: .tooLarge(limit: 67_108_864)
            case .tooLarge: .tooMany(limit: 1_000_000)
            case .tooMany: .tooManyFocalPoints(limit: 100_000)
            case .tooManyFocalPoints: .full(limit: 107_374_182_400)
            case .full: .noRoom
            case .noRoom: .inUse
            case .inUse: .newerCatalogue(version: 9)
            case .newerCatalogue: .damagedCatalogue
            case .damagedCatalogue: .busy
            case .busy: .catalogue(code: 1, log: "cause")
            case .catalogue: .io(errno: 5)
            case .io: nil
            }
        }
        return errors.map { Problem($0) }
    }

    private static var resumable: [Problem] {
        let errors = chain(from: ResumableError.notFound) { error in
            switch error {
            case .notFound: .wrongOffset(expected: 4096)
            case .wrongOffset: .busy
            case .busy: .tooLarge(limit: 67_108_864)
            case .tooLarge: .tooMany(limit: 1000)
            case .tooMany: .full(limit: 107_374_182_400)
            case .full: .noRoom
            case .noRoom: .io(errno: 5)
            case .io: nil
            }
        }
        return errors.map { Problem($0) }
    }

    private static var images: [Problem] {
        let excesses = chain(from: DrawingExcess.byteCount(limit: 16_777_216)) { excess in
            switch excess {
            case .byteCount: .ratio(limit: 100)
            case .ratio: .elements(limit: 500_000)
            case .elements: .nesting(limit: 256)
            case .nesting: .styles
            case .styles: .pictures(limit: 25_000_000)
            case .pictures: .pictureCount(limit: 1000)
            case .pictureCount: .dashes(limit: 2_000_000)
            case .dashes: .octaves(limit: 256)
            case .octaves: .commands(limit: 16_777_216)
            case .commands: .objects(limit: 500_000)
            case .objects: .expansion
            case .expansion: nil
            }
        }
        let errors = chain(from: ImageError.unsupportedFormat) { error in
            switch error {
            case .unsupportedFormat: .sourceTooLong(byteCount: 70_000_000, limit: 67_108_864)
            case .sourceTooLong: .tooManyPixels(widthPx: 20_000, heightPx: 20_000, pageCount: 1, limit: 100_000_000)
            case .tooManyPixels: .tooManyScans(limit: 100)
            case .tooManyScans: .tooManyPages(limit: 10_000)
            case .tooManyPages: .tooManyParts(limit: 1024)
            case .tooManyParts: .tooManyPartPixels(limit: 75_000_000)
            case .tooManyPartPixels: .corrupt(log: "cause")
            case .corrupt: .pagesDiffer
            case .pagesDiffer: .unsupportedSampling(log: "cause")
            case .unsupportedSampling: .tooLargeForDecoder(widthPx: 70_000, heightPx: 10)
            case .tooLargeForDecoder: .plan(.invalidSourceSize(widthPx: 0, heightPx: 1))
            case .plan: .tooCostly(microseconds: 7_500_000, byteCount: 2_000_000_000)
            case .tooCostly: .tooComplex(.styles)
            case .tooComplex: .outOfMemory
            case .outOfMemory: .operationFailed(log: "cause")
            case .operationFailed: .encodeFailed(log: "cause")
            case .encodeFailed: .bytesUnreachable(limit: 1000, smallest: 1234)
            case .bytesUnreachable: .needsOriginal
            case .needsOriginal: .cancelled
            case .cancelled: .startFailed(log: "cause")
            case .startFailed: .crashed(log: "cause")
            case .crashed: .overMemory(byteLimit: 2_684_354_560)
            case .overMemory: .noWorker(log: "cause")
            case .noWorker: nil
            }
        }
        return errors.map { Problem($0) } + excesses.map { Problem(ImageError.tooComplex($0)) }
            + [Problem(ImageError.unsupportedFormat, announced: .pdf), .pageCorrupt(3, log: "cause")]
    }

    private static var plans: [Problem] {
        let errors = chain(from: PlanError.cropOutside(widthPx: 640, heightPx: 480)) { error in
            switch error {
            case .cropOutside: .enlarges(widthPx: 640, heightPx: 480)
            case .enlarges: .sideTooLong(limitPx: 5000)
            case .sideTooLong:
                .outputTooLarge(widthPx: 20_000, heightPx: 10, sideLimitPx: 16_383, areaLimitPx: 100_000_000)
            case .outputTooLarge: .sizeNotListed(widthPx: 30, heightPx: 20, ofHeight: false, listedPx: [50, 100])
            case .sizeNotListed: .pageOutside(page: 4, pageCount: 3)
            case .pageOutside(_, 3): .pageOutside(page: 4, pageCount: 1)
            case .pageOutside: .invalidSourceSize(widthPx: 0, heightPx: 0)
            case .invalidSourceSize: nil
            }
        }
        let settings = chain(from: LimitExcess.Setting.costLimit) { setting in
            switch setting {
            case .costLimit: .memoryLimit
            case .memoryLimit: .renderTimeout
            case .renderTimeout: nil
            }
        }
        let work = NeededWork(microseconds: 7_500_000, byteCount: 2_000_000_000)
        let excesses = settings.map { LimitExcess(setting: $0, limit: $0 == .memoryLimit ? 1 << 30 : 5, needed: 8) }
        return errors.map { Problem($0) } + [.tooCostly(work, excesses), .tooCostly(work, [excesses[0]])]
    }

    private static var origins: [Problem] {
        let urls = chain(from: OriginURLFault.tooLong(limit: 4096)) { fault in
            switch fault {
            case .tooLong: .scheme
            case .scheme: .credentials
            case .credentials: .host
            case .host: .port
            case .port: .fragment
            case .fragment: .byte(offset: 9)
            case .byte: nil
            }
        }
        let objects = chain(from: S3LocationFault.scheme) { fault in
            switch fault {
            case .scheme: .bucket
            case .bucket: .key
            case .key: nil
            }
        }
        let errors = chain(from: OriginError.originNotAllowed) { error in
            switch error {
            case .originNotAllowed: .addressForbidden
            case .addressForbidden: .redirectInvalid(.scheme)
            case .redirectInvalid: .tooManyRedirects(limit: 5)
            case .tooManyRedirects: .nameUnknown
            case .nameUnknown: .unreachable
            case .unreachable: .tlsFailed
            case .tlsFailed: .timedOut
            case .timedOut: .busy
            case .busy: .broken
            case .broken: .notHTTP
            case .notHTTP: .headTooLarge
            case .headTooLarge: .contentCoded
            case .contentCoded: .tooLarge(limit: 67_108_864)
            case .tooLarge: .notFound
            case .notFound: .status(500)
            case .status: .resting(seconds: 30)
            case .resting: .credentialsUnusable
            case .credentialsUnusable: .cancelled
            case .cancelled: .noMemory
            case .noMemory: .notKept
            case .notKept: nil
            }
        }
        return urls.map { Problem(OriginalError.url($0, id: "a")) }
            + objects.map { Problem(OriginalError.object($0, id: "a")) } + errors.map { Problem($0) }
            + [
                .storeFailed(.timedOut), .storeFailed(.unreachable), Problem(FetchFailure.offline),
                Problem(FetchFailure.evicted), .loop,
            ]
    }

    private static var maps: [Problem] {
        let errors = chain(from: MapError.canvasOutOfRange(limit: 4096)) { error in
            switch error {
            case .canvasOutOfRange: .tooManyDashes
            case .tooManyDashes: .tilesTooLarge(byteLimit: 256 << 20)
            case .tilesTooLarge: .tooManyTiles(limit: 2048)
            case .tooManyTiles: .cancelled
            case .cancelled: nil
            }
        }
        let paths = chain(from: TilePathFault.malformed(allowed: "NAME/{z}/{x}/{y}.png")) { fault in
            switch fault {
            case .malformed: .noSuchTile
            case .noSuchTile: nil
            }
        }
        let resources = chain(from: ResourceError.failed("cause")) { error in
            switch error {
            case .failed: .unavailable("cause")
            case .unavailable: .cancelled
            case .cancelled: nil
            }
        }
        return errors.map { Problem($0) } + paths.map { Problem($0) } + resources.map { Problem($0) }
            + [
                .tileSetNotFound("style", ["dark", "light"]), .tileNotFound("The tile is missing."),
                Problem(
                    MediaFailure.notAPoll(
                        ParameterFaults([ParameterFault(parameter: "option", value: "", reason: .missing)]))),
                Problem(MediaFailure.styleGone), Problem(MediaFailure.iconAbsent),
                .tooManyRemotePictures("marker", limit: 16),
            ]
    }

    private static var requests: [Problem] {
        let heads: [RequestError] = [
            .invalidTarget(offset: 11), .invalidVersion(offset: 20), .targetTooLong(limit: 8192),
            .headTooLarge(limit: 32_768), .unsupportedVersion(major: 2), .unknownTransferCoding, .missingHost,
        ]
        let failures = chain(from: RequestFailure.unknownMethod) { failure in
            switch failure {
            case .unknownMethod: .timedOut
            case .timedOut: .unknownExpectation
            case .unknownExpectation: .answerTimedOut
            case .answerTimedOut: .tooManyConnections
            case .tooManyConnections: .tooManyConnectionsFromAddress
            case .tooManyConnectionsFromAddress: .lengthRequired
            case .lengthRequired: .contentTooLarge(limit: 67_108_864)
            case .contentTooLarge: .unsupportedMediaType
            case .unsupportedMediaType: .contentNotStored
            case .contentNotStored: .contentMemoryFull
            case .contentMemoryFull: .refused(.missingHost)
            case .refused: nil
            }
        }
        return heads.map { Problem(RequestFailure.refused($0)) } + failures.map { Problem($0) }
    }

    private static var writes: [Problem] {
        let refusals = chain(from: WriteGuard.Refusal.writesAreOff) { refusal in
            switch refusal {
            case .writesAreOff: .noToken
            case .noToken: .wrongToken
            case .wrongToken: nil
            }
        }
        return refusals.map { Problem($0) }
    }

    private static var access: [Problem] {
        let refusals = chain(from: URLSignature.Refusal.unsigned) { refusal in
            switch refusal {
            case .unsigned: .wrong
            case .wrong: .outsideSet
            case .outsideSet: .expired
            case .expired: nil
            }
        }
        let clock = HandMovedClock()
        let budgets = BudgetRate(refill: 1, depth: 60).map { ClientBudgets($0, clock: clock.clock) }
        let refused = budgets.flatMap { budgets -> BudgetRefusal? in
            let first = WorkBill(budgets, .local)
            _ = first.predict(microseconds: 50_000_000)
            let second = WorkBill(budgets, .local)
            _ = second.predict(microseconds: 25_000_000)
            return withExtendedLifetime(first) { second.refusal }
        }
        return refusals.map { Problem($0) } + Restricted.allCases.map { Problem($0) }
            + [Problem(EndpointError.misdirected)] + [refused].compactMap(\.self).map { Problem($0) }
    }

    /// Those that no error stands for. A forgotten one is found by `UserFacingTextsTests`, which reads the sources.
    private static var made: [Problem] {
        let errors: [EndpointError] = [
            .routeAbsent, .tusVersion, .tusMediaType, .checksumMismatch, .uploadsOff, .focalPointsOff, .formWithoutFile,
            .partialPut,
        ]
        return errors.map { Problem($0) }
            + [
                Problem(MediaFailure.overlayAbsent), Problem(OriginalError.readOnly), .overloaded, .notStored,
                .timedOut, .preconditionFailed, .methodNotAllowed(allow: "GET, HEAD, OPTIONS"),
                .rangeNotSatisfiable(byteCount: 1234), .uploadBusy, .tusField("Upload-Offset", "a number of bytes"),
            ]
    }
}
