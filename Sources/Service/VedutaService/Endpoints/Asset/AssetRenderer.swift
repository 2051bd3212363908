import AssetLibrary
import Bytes
import ImageEngine
import ImagePlan
import ImageWorkers
import Originals
import Renditions
import TextEngine

/// Makes the image of one request from its originals, or from their masters where those will do.
struct AssetRenderer: RenditionRenderer {
    let reader: AssetReader
    let request: ImageRequest
    let acceptance: Acceptance
    let options: RenderOptions
    /// nil: images are made from originals alone.
    let masters: MasterStore?
    var fonts = FontSet()
    /// nil: regions are always made from the whole original.
    var regions: RegionStore?

    enum MasterOrigin: String, Sendable {
        case kept
        case made
    }

    /// An image, what it was made from, and how long reading that took.
    struct Made: Sendable {
        let picture: RenderedImage
        let loaded: AssetReader.Loaded
        /// nil: it was made from the original itself.
        let masterOrigin: MasterOrigin?
        let fetchDuration: Duration

        func content(for request: ImageRequest) -> RenderedContent {
            RenderedContent(
                picture.content, mediaType: picture.format.mediaType, fields: ImageFields.lines(picture, request),
                validator: loaded.validator, timings: timings)
        }

        var timings: [RenderTiming] {
            // Told by another process, which may say anything.
            let process = min(max(.zero, picture.report.processDuration), picture.decodeDuration)
            return [
                ("fetch", fetchDuration), ("open", picture.openDuration),
                ("decode", picture.decodeDuration - process), ("process", process), ("encode", picture.encodeDuration),
            ]
        }
    }

    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent { try make(job).content(for: request) }

    /// On a worker: reads, makes a master where one is wanted and missing, and renders.
    func make(_ job: RenderJob) throws(RenditionError) -> Made {
        let started = ContinuousClock.now
        let (picture, loaded, origin) = try reading(job, for: wanted, usingRegions: true) { loaded throws(ImageError) in
            try render(loaded, job)
        }
        masters?.keep(picture.report.analysis, of: loaded)
        let made = Made(
            picture: picture, loaded: loaded, masterOrigin: origin,
            fetchDuration: ContinuousClock.now - started - picture.duration)
        regions?.note(made) { [reader] () throws(RenditionError) in try reader.read() }
        return made
    }

    private typealias Encodings = [Result<RenderedImage, ImageError>]

    /// The images of `requests`, which differ from this one in their encoding alone, decoded once.
    func makeEncodings(
        _ requests: [ImageRequest], _ job: RenderJob
    ) throws(RenditionError) -> [Result<Made, RenditionError>] {
        let started = ContinuousClock.now
        let (images, loaded, origin) = try reading(job) { loaded throws(ImageError) -> Encodings in
            let images = try renderEncodings(requests, loaded, job)
            // As each would be made alone: the formats of one size want the same.
            if images.contains(where: \.needsOriginal) { throw .needsOriginal }
            return images
        }
        if case .success(let picture)? = images.first { masters?.keep(picture.report.analysis, of: loaded) }
        // The first one bears what all share.
        var rest = images.reduce(ContinuousClock.now - started) { $0 - ((try? $1.get())?.duration ?? .zero) }
        return images.map { image in
            image.map { picture in
                defer { rest = .zero }
                return Made(picture: picture, loaded: loaded, masterOrigin: origin, fetchDuration: rest)
            }.mapError { RenditionError($0, source: loaded.sources.picture) }
        }
    }

    /// What the image needs of a master.
    private var wanted: MasterStore.Wanted { MasterStore.Wanted(request: request, acceptance: acceptance) }

    /// What `render` makes of the master or of a part, or, where there is none that will do, of the original. `known`: that master, if
    /// it was read before.
    private func reading<Value>(
        _ job: RenderJob, known: AssetReader.Loaded? = nil, for wanted: MasterStore.Wanted? = nil,
        usingRegions: Bool = false, _ render: (AssetReader.Loaded) throws(ImageError) -> Value
    ) throws(RenditionError) -> (Value, AssetReader.Loaded, MasterOrigin?) {
        // A later purge keeps what was read before it out of the store.
        let epoch = masters?.epoch
        var loaded: AssetReader.Loaded
        if let known {
            loaded = known
        } else {
            loaded = try reader.read(masters, for: wanted, part: usingRegions ? findPart : nil)
        }
        do throws(ImageError) {
            var origin: MasterOrigin? = loaded.sources.master == nil || loaded.isPart ? nil : .kept
            if let masters, let epoch, loaded.sources.master == nil, let cost = try costOfWantedMaster(loaded, job) {
                // Asked also before waiting for another worker that makes it, as that holds a thread too. Not added to
                // the cost of the image, which hardly depends on whether the master is there.
                try job.admission(cost).check(cost)
                loaded.sources.master = try masters.make(loaded, since: epoch, shouldStop: job.shouldStop)
                if loaded.sources.master != nil { origin = .made }
            }
            if let masters { loaded.sources.analysis = masters.analysis(of: loaded) }
            return (try render(loaded), loaded, origin)
        } catch .needsOriginal {
            loaded = try reader.read()
            do { return (try render(loaded), loaded, nil) } catch {
                throw RenditionError(error, source: loaded.sources.picture)
            }
        } catch {
            throw RenditionError(error, source: loaded.sources.picture)
        }
    }

    private var findPart: AssetReader.FindPart? {
        guard let regions else { return nil }
        return { id, state, focalPoint in
            var request = request
            request.focalPoint = focalPoint
            return regions.part(of: id, state, for: request, accepting: acceptance, options)
        }
    }

    /// What `make` makes, as pixels: for requests for a PNG without texts. `known`: the master that ``predictedCost(_:)`` read.
    func pixels(
        _ job: RenderJob, of known: AssetReader.Loaded? = nil
    ) throws(RenditionError) -> (pixels: DecodedPixels, state: OriginalState) {
        let (pixels, loaded, _) = try reading(job, known: known, for: wanted) { loaded throws(ImageError) in
            try loaded.images.renderPixels(loaded.sources, request: loaded.around(request), in: context(job))
        }
        masters?.keep(pixels.analysis, of: loaded)
        return (pixels, loaded.state)
    }

    private func context(_ job: RenderJob) -> RenderContext {
        RenderContext(options: options, admission: job.admission, shouldStop: job.shouldStop)
    }

    /// What `make` would ask for, the master included, and what the image needs of that, if it is there and will do; reads
    /// headers and decodes nothing.
    func predictedCost(
        _ job: RenderJob
    ) throws(RenditionError) -> (cost: PredictedCost, master: AssetReader.Loaded?) {
        let loaded = try reader.read(masters, for: wanted)
        do throws(ImageError) {
            return (try predictedCost(loaded, job), loaded.sources.master == nil ? nil : loaded)
        } catch .needsOriginal {
            let original = try reader.read()
            do { return (try predictedCost(original, job), nil) } catch {
                throw RenditionError(error, source: original.sources.picture)
            }
        } catch {
            throw RenditionError(error, source: loaded.sources.picture)
        }
    }

    private func predictedCost(_ loaded: AssetReader.Loaded, _ job: RenderJob) throws(ImageError) -> PredictedCost {
        try loaded.images.predictedCost(
            loaded.sources, request: loaded.around(request), accepting: acceptance,
            countsMaster: masters != nil && loaded.sources.master == nil, in: context(job))
    }

    private func costOfWantedMaster(
        _ loaded: AssetReader.Loaded, _ job: RenderJob
    ) throws(ImageError) -> PredictedCost? {
        try loaded.images.costOfWantedMaster(
            loaded.sources.picture, request: loaded.around(request), accepting: acceptance,
            in: RenderContext(options: options, shouldStop: job.shouldStop))
    }

    private func renderEncodings(
        _ requests: [ImageRequest], _ loaded: AssetReader.Loaded, _ job: RenderJob
    ) throws(ImageError) -> [Result<RenderedImage, ImageError>] {
        var sources = loaded.sources
        sources.texts = OverlayTexts.painter(of: request, fonts: fonts, shouldStop: job.shouldStop)
        return try loaded.images.renderEncodings(sources, requests: requests.map(loaded.around), in: context(job))
    }

    private func render(_ loaded: AssetReader.Loaded, _ job: RenderJob) throws(ImageError) -> RenderedImage {
        var sources = loaded.sources
        sources.texts = OverlayTexts.painter(of: request, fonts: fonts, shouldStop: job.shouldStop)
        return try loaded.images.render(
            sources, request: loaded.around(request), accepting: acceptance, in: context(job))
    }
}

extension RenderedImage {
    fileprivate var duration: Duration { openDuration + decodeDuration + encodeDuration }
}

extension Result where Success == RenderedImage, Failure == ImageError {
    fileprivate var needsOriginal: Bool { if case .failure(.needsOriginal) = self { true } else { false } }
}

/// Reads the originals of one request. Workers only.
struct AssetReader: Sendable {
    private let requested: RequestedOriginals
    private let originals: Originals
    private let byteLimit: Int
    private let qualities: QualityMemo?
    private let images: ImageProcessor

    /// At most `byteLimit` bytes each; `qualities` has what was found out about them.
    init(
        _ requested: RequestedOriginals, in originals: Originals, byteLimit: Int, qualities: QualityMemo? = nil,
        images: ImageProcessor
    ) {
        self.requested = requested
        self.originals = originals
        self.byteLimit = byteLimit
        self.qualities = qualities
        self.images = images
    }

    struct Loaded: Sendable {
        let id: String
        var sources: RenderSources
        let state: OriginalState
        /// The stored one, where what is made depends on it.
        let focalPoint: FocalPoint?
        let validator: SourceValidator
        /// What works on them.
        let images: ImageProcessor
        /// Whether it is a part of the original that stands in place of a master.
        let isPart: Bool

        /// `request`, knowing the focal point.
        func around(_ request: ImageRequest) -> ImageRequest {
            var request = request
            request.focalPoint = focalPoint
            return request
        }
    }

    /// What is needed of the original with this id, in this state, whose stored focal point is given.
    typealias FindPart = (_ id: String, _ state: OriginalState, _ focalPoint: FocalPoint?) -> SharedBytes?

    /// Reads everything; in place of the image what `findPart` finds of it, or the master where `masters` have it, of which it may
    /// be what `wanted` needs alone.
    func read(
        _ masters: MasterStore? = nil, for wanted: MasterStore.Wanted? = nil, part findPart: FindPart? = nil
    ) throws(RenditionError) -> Loaded {
        let overlays = try requested.overlays { id throws(OriginalError) in
            try read(id, { _, _, _ in nil }, nil)
        }
        let findMaster: FindPart = { id, state, focalPoint in
            var wanted = wanted
            wanted?.request.focalPoint = focalPoint
            return masters?.find(id, state, for: wanted)
        }
        let readImage: (String) throws(OriginalError) -> ReadAsset? = { id throws(OriginalError) in
            try read(id, findMaster, findPart)
        }
        let (image, failure) = try requested.original(readImage)
        if let image {
            return loaded(
                requested.id, image, overlays,
                validator: .asset(image.state, around: image.focalPoint, overlays: overlays.map(\.state)))
        }
        let (fallbackID, fallback) = try requested.fallback(insteadOf: failure, readImage)
        return loaded(
            fallbackID, fallback, overlays,
            validator: .fallback(
                fallback.state, around: fallback.focalPoint, overlays: overlays.map(\.state),
                status: Problem(failure).status))
    }

    private struct ReadAsset {
        /// Empty where there is a master.
        let content: SharedBytes
        let master: SharedBytes?
        let state: OriginalState
        let isOfLibrary: Bool
        let focalPoint: FocalPoint?
        var isPart = false
    }

    private func loaded(
        _ id: String, _ image: ReadAsset, _ overlays: [ReadAsset], validator: SourceValidator
    ) -> Loaded {
        var sources = RenderSources(image.content, master: image.master, overlays: overlays.map(\.content))
        // No id has a line end, so two sources never share a name.
        sources.qualityMemo = qualities?.bound(to: id + "\n" + image.state.validator)
        let isTrusted = image.isOfLibrary && overlays.allSatisfy(\.isOfLibrary)
        return Loaded(
            id: id, sources: sources, state: image.state, focalPoint: image.focalPoint, validator: validator,
            images: images.chosen(for: sources, isTrusted: isTrusted), isPart: image.isPart)
    }

    private func read(
        _ id: String, _ findMaster: FindPart, _ findPart: FindPart?
    ) throws(OriginalError) -> ReadAsset? {
        guard let original = try originals.open(id) else { return nil }
        let focalPoint = requested.focalPoint(of: id, originals)
        if let part = findPart?(id, original.state, focalPoint) {
            return ReadAsset(
                content: SharedBytes([]), master: part, state: original.state, isOfLibrary: original.isOfLibrary,
                focalPoint: focalPoint, isPart: true)
        }
        if let master = findMaster(id, original.state, focalPoint) {
            return ReadAsset(
                content: SharedBytes([]), master: master, state: original.state, isOfLibrary: original.isOfLibrary,
                focalPoint: focalPoint)
        }
        do throws(LibraryError) {
            return ReadAsset(
                content: try original.read(
                    limit: byteLimit, forAnotherProcess: images.isApart(isTrusted: original.isOfLibrary)),
                master: nil, state: original.state, isOfLibrary: original.isOfLibrary, focalPoint: focalPoint)
        } catch {
            throw .library(error, id: id)
        }
    }
}
