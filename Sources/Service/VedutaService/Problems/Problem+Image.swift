import HTTPMessage
import ImageEngine
import ImagePlan
import Parameters
import Renditions

extension Problem {
    /// The source begins like a file of `format`.
    init(_ error: ImageError, announced format: SourceFormat) {
        guard error == .unsupportedFormat else {
            self.init(error)
            return
        }
        self.init(
            .unsupportedMediaType, "source-not-enabled", "This server does not read this format",
            detail: """
                The source is \(format.rawValue.uppercased()). This server reads that format only if its operator sets \
                VEDUTA_FORMATS=\(format.rawValue) and its libvips supports it.
                """)
    }

    static func pageCorrupt(_ page: Int, log: String) -> Problem {
        var problem = Problem(
            .unprocessableContent, "source-corrupt", "The source is damaged",
            detail: """
                Page \(page) of the source cannot be read. Use `limit` to end the list before it, or `after=\(page)` to list the \
                pages after it.
                """)
        problem.log = log
        return problem
    }

    init(_ error: ImageError) {
        switch error {
        case .unsupportedFormat:
            self.init(
                .unsupportedMediaType, "source-unsupported", "The source is not a supported image",
                detail: "This server reads JPEG, PNG, WebP, GIF, AVIF, HEIC and TIFF.")
        case .sourceTooLong(_, let limit): self = .sourceTooLarge("The source is larger than \(limit.byteLimitText).")
        case .tooManyPixels(let width, let height, let pages, let limit):
            let place = pages == 1 ? "" : " on \(pages) pages"
            self = .sourceTooLarge("The source has \(width)×\(height) pixels\(place). The limit is \(limit) pixels.")
        case .tooManyScans(let limit):
            self = .sourceTooLarge("The source is a progressive JPEG with more than \(limit) scans.")
        case .tooManyPages(let limit): self = .sourceTooLarge("The source has more than \(limit) pages or frames.")
        case .tooManyParts(let limit):
            self = .sourceTooLarge("The source is put together from more than \(limit) images.")
        case .tooManyPartPixels(let limit):
            self = .sourceTooLarge(
                "The images that the source is put together from have more than \(limit) pixels in total.")
        case .corrupt(let log):
            self = .sourceDamaged("The source starts like an image but cannot be decoded.", log: log)
        case .pagesDiffer:
            self.init(
                .unprocessableContent, "source-pages-differ", "The pages differ in size",
                detail: "Pages can be combined only if all have the same size. Ask for one page at a time with `page`.")
        case .unsupportedSampling(let log):
            self.init(
                .unsupportedMediaType, "source-subsampled", "This server does not read TIFF with subsampled color",
                detail: """
                    The source is a TIFF with subsampled color (YCbCrSubSampling) and without JPEG compression. Save it \
                    without subsampling, or as JPEG.
                    """, log: log)
        case .tooLargeForDecoder(let width, let height):
            self = .sourceTooLarge(
                "The source has \(width)×\(height) pixels. The decoder of its format cannot read sides that long.")
        case .plan(let error): self.init(error)
        case .tooCostly(let microseconds, let byteCount):
            self = .tooCostly(NeededWork(microseconds: microseconds, byteCount: byteCount), [])
        case .tooComplex(let excess):
            self.init(
                .unprocessableContent, "source-too-complex", "The drawing is too complex", detail: Self.detail(excess))
        case .outOfMemory:
            self = .busy(
                "The server is short of memory. Try again in a few seconds.", retryAfter: 5, log: "out of memory")
        case .operationFailed(let log): self = .renderFailed(log: log)
        case .encodeFailed(let log):
            self.init(
                .internalServerError, "encode-failed", "The image could not be encoded",
                detail: "Try another `format` or a smaller size.", log: log)
        case .bytesUnreachable(let limit, let smallest): self = .bytesUnreachable(limit: limit, smallest: smallest)
        case .cancelled: self = .timedOut
        case .crashed(let log):
            self = .sourceDamaged("The source makes its decoder fail, so it cannot be decoded.", log: log)
        case .overMemory(let limit):
            self = .sourceTooLarge("Decoding the source takes more than \(limit.byteLimitText) of memory.")
        case .noWorker(let log):
            self = .busy(
                "The server cannot decode images at the moment. Try again in a few seconds.", retryAfter: 5, log: log)
        case .needsOriginal:
            // Who renders from a master renders from the original on this error.
            self = .renderFailed(log: nil)
        case .startFailed(let log): self = .renderFailed(log: log)
        }
    }

    private static func detail(_ excess: DrawingExcess) -> String {
        switch excess {
        case .byteCount(let limit): "The source is a vector drawing larger than \(limit.byteLimitText)."
        case .ratio(let limit): "The source is a compressed drawing that unpacks to more than \(limit) times its size."
        case .elements(let limit):
            "The source has more than \(limit) elements to draw. Each reuse of an element counts."
        case .nesting(let limit): "The source nests elements more than \(limit) levels deep."
        case .styles: "The style sheets of the source have too many rules for its number of elements."
        case .pictures(let limit): "The images embedded in the source have more than \(limit) pixels in total."
        case .pictureCount(let limit): "The source has more than \(limit) embedded images."
        case .dashes(let limit): "The lines of the source have more than \(limit) dashes."
        case .octaves(let limit): "A turbulence of the source has more than \(limit) octaves."
        case .objects(let limit): "The source is a document with more than about \(limit) objects."
        case .commands(let limit): "The source unpacks to more than \(limit.byteLimitText) of drawing commands."
        case .expansion:
            "The source hides its content: in entities, in an unusual encoding or in several layers of compression."
        }
    }

    /// `excesses` are the limits that it breaks.
    static func tooCostly(_ work: NeededWork, _ excesses: [LimitExcess]) -> Problem {
        let limits = excesses.map { excess in
            switch excess.setting {
            case .costLimit: "\(excess.limit) s of processor time (its setting `cost-limit`)"
            case .renderTimeout: "\(excess.limit) s of processor time (twice its setting `render-timeout`)"
            case .memoryLimit: "\(excess.limit.byteLimitText) of memory (its setting `memory-limit`)"
            }
        }
        let given = limits.isEmpty ? "less" : "at most " + limits.joined(separator: " and ")
        var problem = Problem(
            .unprocessableContent, "result-too-costly", "The image would take too much work",
            detail: """
                The image would take about \(work.seconds) s of processor time and \
                \(work.byteCount >> 20) MiB of memory. This server allows \(given) for one image. Ask for fewer frames, a \
                smaller size, less `effort` or another `format`.
                """)
        problem.excesses = excesses
        return problem
    }

    init(_ error: PlanError) {
        switch error {
        case .cropOutside(let width, let height):
            let allowed = "a region that overlaps the image, which has \(width)×\(height) pixels"
            self.init(
                ParameterFaults([ParameterFault(parameter: "crop", value: "", reason: .outOfRange(allowed: allowed))]))
        case .enlarges(let width, let height):
            let allowed = "at most the \(width)×\(height) pixels of the region, or have ^ before it"
            self.init(
                ParameterFaults([ParameterFault(parameter: "size", value: "", reason: .outOfRange(allowed: allowed))]))
        case .sideTooLong(let limit):
            let allowed = "small enough for sides of at most \(limit) pixels"
            self.init(
                ParameterFaults([ParameterFault(parameter: "size", value: "", reason: .outOfRange(allowed: allowed))]))
        case .outputTooLarge(let width, let height, let side, let area):
            self.init(
                .badRequest, "result-too-large", "The result would be too large",
                detail: """
                    The result would have \(width)×\(height) pixels. This format allows at most \(side) pixels a side and \
                    \(area / 1_000_000) million pixels in total.
                    """)
        case .sizeNotListed(let width, let height, let ofHeight, let listed):
            let allowed = """
                \(ParameterReader.list(listed.map(String.init))) pixels on this server, and the result would have \
                \(width)×\(height): ask for a larger part of the image, or for a size with `enlarge=1`
                """
            let (name, value) = ofHeight ? ("height", height) : ("width", width)
            self.init(
                ParameterFaults([
                    ParameterFault(parameter: name, value: "\(value)", reason: .outOfRange(allowed: allowed))
                ]))
        case .pageOutside(_, let pageCount):
            let allowed =
                pageCount == 1
                ? "1: the source has one page" : "at most \(pageCount), the number of pages in the source"
            self.init(
                ParameterFaults([ParameterFault(parameter: "page", value: "", reason: .outOfRange(allowed: allowed))]))
        case .invalidSourceSize: self = .sourceDamaged("The header of the source gives an impossible size.")
        }
    }
}
