import Bytes
import HTTPMessage
import ImageEngine
import ImagePlan
import Parameters

/// Why a picture cannot be made of its source.
extension Problem {
    /// As `init(_:)`; `source` is what could not be read.
    init(_ error: ImageError, source: SharedBytes) {
        guard error == .unsupportedFormat, let format = ImageEngine.announcedFormat(source) else {
            self.init(error)
            return
        }
        self.init(
            .unsupportedMediaType, "source-not-enabled", "Sources of this format are not read here",
            detail: """
                The source is \(format.rawValue.uppercased()), which this server reads only if its operator says so \
                (VEDUTA_FORMATS=\(format.rawValue)) and the libvips it runs on can.
                """)
    }

    /// Pages that cannot be listed; `source` is what could not be read.
    init(_ error: PageListError, source: SharedBytes) {
        guard let page = error.page, case .corrupt(let log) = error.error else {
            self.init(error.error, source: source)
            return
        }
        self.init(
            .unprocessableContent, "source-corrupt", "The source is damaged",
            detail: """
                Page \(page) of the source cannot be read. `limit` ends the list before it, and `after=\(page)` lists the pages \
                behind it.
                """)
        self.log = log
    }

    /// A picture that cannot be made from its source.
    init(_ error: ImageError) {
        switch error {
        case .unsupportedFormat:
            self.init(
                .unsupportedMediaType, "source-unsupported", "The source is not a picture that is read here",
                detail: "JPEG, PNG, WebP, GIF, AVIF, HEIC and TIFF are read.")
        case .sourceTooLong(_, let limit):
            self.init(
                .contentTooLarge, "source-too-large", "The source is too large",
                detail: "The source has more than \(limit) octets.")
        case .tooManyPixels(let width, let height, let pages, let limit):
            self.init(
                .contentTooLarge, "source-too-large", "The source is too large",
                detail: "The source has \(width)×\(height) pixels on \(pages) page(s); at most \(limit) are read.")
        case .tooManyScans(let limit):
            self.init(
                .contentTooLarge, "source-too-large", "The source is too large",
                detail: "The source is a progressive JPEG with more than \(limit) scans.")
        case .corrupt(let log):
            self.init(
                .unprocessableContent, "source-corrupt", "The source is damaged",
                detail: "The source begins like a picture but cannot be read.")
            self.log = log
        case .pagesDiffer:
            self.init(
                .unprocessableContent, "source-pages-differ", "The pages differ in size",
                detail: "Pages are put together only if all have one size. Ask for one page at a time with `page`.")
        case .unsupportedSampling(let log):
            self.init(
                .unsupportedMediaType, "source-subsampled", "TIFF with subsampled colour is not read here",
                detail: """
                    The source is a TIFF with subsampled colour (YCbCrSubSampling) that is not compressed as JPEG. Save it \
                    without subsampling, or as JPEG.
                    """)
            self.log = log
        case .tooLargeForDecoder(let width, let height):
            self.init(
                .contentTooLarge, "source-too-large", "The source is too large",
                detail:
                    "The source has \(width)×\(height) pixels; the decoder of its format does not read sides that long."
            )
        case .plan(let error): self.init(error)
        case .tooCostly(let microseconds, let byteCount):
            self = .tooCostly(NeededWork(microseconds: microseconds, byteCount: byteCount), [])
        case .tooComplex(let excess):
            self.init(
                .unprocessableContent, "source-too-complex", "The drawing is too complex", detail: Self.detail(excess))
        case .outOfMemory:
            self.init(
                .serviceUnavailable, "overloaded", "The service is busy",
                detail: "It is short of memory; try again shortly.")
            retryAfterSeconds = 5
            log = "out of memory"
        case .operationFailed(let log):
            self.init(
                .internalServerError, "render-failed", "The picture could not be made", detail: "The error was logged.")
            self.log = log
        case .encodeFailed(let log):
            self.init(
                .internalServerError, "encode-failed", "The picture could not be encoded",
                detail: "Another `format` or a smaller size may help.")
            self.log = log
        case .bytesUnreachable(let limit, let smallest): self = .bytesUnreachable(limit: limit, smallest: smallest)
        case .cancelled: self = .timedOut
        case .needsOriginal:
            // Who renders from a master renders from the original on this error.
            self.init(
                .internalServerError, "render-failed", "The picture could not be made", detail: "The error was logged.")
        case .startFailed(let log):
            self.init(
                .internalServerError, "render-failed", "The picture could not be made", detail: "The error was logged.")
            self.log = log
        }
    }

    private static func detail(_ excess: DrawingExcess) -> String {
        switch excess {
        case .byteCount(let limit): "The source is a drawing of more than \(limit) bytes."
        case .ratio(let limit): "The source is a drawing whose text is more than \(limit) times what it is packed in."
        case .elements(let limit):
            "The source has more than \(limit) elements to draw, those that are used again counted each time."
        case .nesting(let limit): "The source has elements more than \(limit) deep inside one another."
        case .styles: "The style sheets of the source have too many rules for so many elements."
        case .pictures(let limit): "The pictures inside the source have more than \(limit) pixels together."
        case .dashes(let limit): "The lines of the source have more than \(limit) dashes."
        case .objects(let limit): "The source is a document of more than some \(limit) objects."
        case .commands(let limit): "The source has more than \(limit) bytes of drawing commands once they are unpacked."
        case .expansion:
            "The source hides what there is to draw: in entities, in an unusual encoding, or packed more than once."
        }
    }

    /// A picture that would take more work than the server gives to one; `excesses` are the limits that it breaks.
    static func tooCostly(_ work: NeededWork, _ excesses: [LimitExcess]) -> Problem {
        let limits = excesses.map { excess in
            switch excess.setting {
            case .costLimit: "\(excess.limit) s of computing (its setting `cost-limit`)"
            case .renderTimeout: "\(excess.limit) s of computing (twice its setting `render-timeout`)"
            case .memoryLimit: "\(excess.limit / 1_000_000) MB of memory (its setting `memory-limit`)"
            }
        }
        let given = limits.isEmpty ? "less" : "at most " + limits.joined(separator: " and ")
        var problem = Problem(
            .unprocessableContent, "result-too-costly", "The picture would take too much work",
            detail: """
                The picture would take about \(work.seconds) s of computing and \
                \(work.byteCount / 1_000_000) MB of memory; this server gives \(given) to one. Fewer frames, a smaller size, less \
                `effort` or another `format` would do.
                """)
        problem.neededWork = work
        problem.excesses = excesses
        return problem
    }

    /// A valid request that does not fit its source.
    init(_ error: PlanError) {
        switch error {
        case .cropOutside(let width, let height):
            let allowed = "a region that overlaps the picture, which has \(width)×\(height) pixels"
            self.init(
                ParameterFaults([ParameterFault(parameter: "crop", value: "", reason: .outOfRange(allowed: allowed))]))
        case .outputTooLarge(let width, let height, let side, let area):
            self.init(
                .badRequest, "result-too-large", "The result would be too large",
                detail: """
                    The result would have \(width)×\(height) pixels; at most \(side) a side and \(area / 1_000_000) million in \
                    all are made in this format.
                    """)
        case .pageOutside(_, let pageCount):
            let allowed =
                pageCount == 1 ? "1: the source has one page" : "at most \(pageCount), the pages of the source"
            self.init(
                ParameterFaults([ParameterFault(parameter: "page", value: "", reason: .outOfRange(allowed: allowed))]))
        case .invalidSourceSize:
            self.init(
                .unprocessableContent, "source-corrupt", "The source is damaged",
                detail: "The source claims a size that no picture has.")
        }
    }
}
