import Bytes
import ImageEngine
import ImagePlan

/// What a process is to do with its sources: the image, its master, empty where there is none, and overlays.
struct ImageTask: Codable {
    enum Operation: Codable {
        case render
        /// The pixels of `request`, in place of a file.
        case renderPixels
        /// `request` in the formats of `others`, too.
        case renderEncodings
        /// `countsMaster`: with that of the master that it wants.
        case predictedCost(countsMaster: Bool)
        case costOfWantedMaster, makeMaster, makeRegionCopy, describe
        case makeRegionPlanes(sizes: [Int])
        case describePages(after: Int, limit: Int)
        case pixels
    }

    var operation: Operation
    var options: RenderOptions
    var request: ImageRequest
    var others: [ImageRequest] = []
    var acceptance: Acceptance
    var hasMaster = false
    var hasTexts = false
    var hasMemo = false
    var analysis: AnalysisResults = [:]

    init(
        _ operation: Operation, _ options: RenderOptions, request: ImageRequest = ImageRequest(id: ""),
        accepting acceptance: Acceptance = Acceptance(only: .png)
    ) {
        (self.operation, self.options, self.acceptance) = (operation, options, acceptance)
        self.request = Self.bare(request)
    }

    /// `requests` has at least one.
    init(encodings requests: [ImageRequest], _ options: RenderOptions) {
        self.init(.renderEncodings, options, request: requests[0])
        others = requests.dropFirst().map(Self.bare)
    }

    /// What the process reads of `master`; empty without one.
    func needed(of master: SharedBytes?) -> SharedBytes {
        guard let master else { return SharedBytes([]) }
        return others.isEmpty
            ? ImageEngine.reducedMaster(master, for: request, accepting: acceptance, options: options) : master
    }

    /// What does not concern the pixels is none of the process's business, and a URL may hold a secret.
    private static func bare(_ request: ImageRequest) -> ImageRequest {
        var request = request
        request.id = ""
        request.fallbackID = nil
        request.downloadName = nil
        for index in request.overlays.indices { request.overlays[index].replaceID(with: "") }
        return request
    }
}

enum ImageQuestion: Codable {
    case admission(PredictedCost)
    case quality(cause: String)
    case keepQuality(cause: String, QualityStart)
    /// To draw a text: the overlay with this index on an image of this size.
    case text(index: Int, on: PixelSize)
    /// For the pixels of the last text from this byte on, at most ``ImageAnswer/textPartLimit`` of them. They come as they are,
    /// premultiplied RGBA.
    case textPart(from: Int)
}

enum ImageAnswer: Codable {
    case admission(Admission)
    case quality(QualityStart)
    case text(PixelSize)
    case failure(ImageError)
    case nothing

    /// Below what one message may have.
    static let textPartLimit = 1 << 16
}

/// What a process replies, beside the bytes of the result.
enum ImageReply: Codable {
    case image(ImageFacts)
    /// In the order of the requests; their contents follow each other.
    case images([ImageOutcome])
    case cost(PredictedCost)
    /// A master, a region copy, or samples for one.
    case bytes
    case description(ImageDescription)
    case pages(PageList)
    case pixels(PixelSize, AnalysisResults)
    /// No such thing is wanted or worth making.
    case nothing
    case failure(ImageError)
    case pageFailure(PageListError)
}

/// One image of several.
enum ImageOutcome: Codable {
    case image(ImageFacts, byteCount: Int)
    case failure(ImageError)
}

/// A `RenderedImage` without its bytes.
struct ImageFacts: Codable {
    private var size: PixelSize
    private var format: OutputFormat
    private var quality: Int?
    private var score: Double?
    private var frameCount: Int
    private var omission: PageOmission?
    private var isOriginal: Bool
    private var report: RenderReport
    private var durations: [Duration]

    init(_ image: RenderedImage) {
        size = PixelSize(widthPx: image.widthPx, heightPx: image.heightPx)
        (format, quality, score) = (image.format, image.quality, image.score)
        (frameCount, omission, isOriginal) = (image.frameCount, image.omission, image.isOriginal)
        report = image.report
        durations = [image.openDuration, image.decodeDuration, image.encodeDuration]
    }

    /// The image with `content`; nil where these facts cannot be true.
    func image(_ content: SharedBytes) -> RenderedImage? {
        guard durations.count == 3, content.count > 0, size.isPlausible, report.plan.source.isPlausible,
            report.header.size.isPlausible, report.steps.allSatisfy({ $0.size.isPlausible })
        else { return nil }
        // Durations are added up.
        let plausible = durations.map { min(max($0, .zero), .seconds(3600)) }
        return RenderedImage(
            content: content, widthPx: size.widthPx, heightPx: size.heightPx, format: format, quality: quality,
            score: score, frameCount: frameCount, omission: omission, isOriginal: isOriginal, report: report,
            openDuration: plausible[0], decodeDuration: plausible[1], encodeDuration: plausible[2])
    }
}

extension PixelSize {
    /// More than any decoder reads.
    private static let sideLimit = 1 << 30

    var isPlausible: Bool { (1...Self.sideLimit).contains(widthPx) && (1...Self.sideLimit).contains(heightPx) }
}

/// What a process needs to know before its first job.
struct ImageSetup: Codable {
    var program: String
    /// Formats that are read besides those that always are.
    var formats: [SourceFormat]
}
