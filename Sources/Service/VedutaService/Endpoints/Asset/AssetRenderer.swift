import ImageEngine
import ImagePlan
import Renditions

/// Makes the image of one request from its originals, or from their masters where those will do.
struct AssetRenderer: RenditionSource {
    let sources: AssetSources
    let request: ImageRequest
    let acceptance: Acceptance
    let options: RenderOptions
    /// nil: images are made from originals alone.
    let masters: MasterStore?

    /// Where the master of an image was.
    enum MasterOrigin: String, Sendable {
        case kept
        case made
    }

    /// An image, what it was made from, and how long reading that took.
    struct Made: Sendable {
        let picture: RenderedImage
        let loaded: AssetSources.Loaded
        /// nil: it was made from the original itself.
        let masterOrigin: MasterOrigin?
        let fetchDuration: Duration

        init(
            _ picture: RenderedImage, _ loaded: AssetSources.Loaded, _ masterOrigin: MasterOrigin?,
            since started: ContinuousClock.Instant
        ) {
            self.picture = picture
            self.loaded = loaded
            self.masterOrigin = masterOrigin
            fetchDuration =
                ContinuousClock.now - started - picture.openDuration - picture.decodeDuration - picture.encodeDuration
        }
        var timings: [RenderTiming] {
            [
                ("fetch", fetchDuration), ("open", picture.openDuration), ("decode", picture.decodeDuration),
                ("encode", picture.encodeDuration),
            ]
        }
    }

    var preparation: (any SourcePreparation)? { sources.preparation }
    func currentState() throws(RenditionError) -> SourceValidator { try sources.currentState() }

    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent {
        let made = try make(job)
        let picture = made.picture
        return RenderedContent(
            picture.content, mediaType: picture.format.mediaType, fields: ImageFields.lines(picture, request),
            validator: made.loaded.validator, timings: made.timings)
    }

    /// On a worker: reads, makes a master where one is wanted and missing, and renders.
    func make(_ job: RenderJob) throws(RenditionError) -> Made {
        let started = ContinuousClock.now
        // A later purge keeps what was read before it out of the store.
        let epoch = masters?.epoch
        var loaded = try sources.read(masters)
        do throws(ImageError) {
            var origin: MasterOrigin? = loaded.sources.master == nil ? nil : .kept
            if let masters, let epoch, origin == nil, let cost = try costOfWantedMaster(loaded, job) {
                // Asked also before waiting for another worker that makes it, as that holds a thread too. Not added to
                // the cost of the image, which hardly depends on whether the master is there.
                try job.admission(cost).check(cost)
                loaded.sources.master = try masters.make(loaded, since: epoch, shouldStop: job.shouldStop)
                if loaded.sources.master != nil { origin = .made }
            }
            return Made(try render(loaded, job), loaded, origin, since: started)
        } catch .needsOriginal {
            return try makeFromOriginal(job, since: started)
        } catch {
            throw RenditionError(error, source: loaded.sources.picture)
        }
    }

    private func makeFromOriginal(_ job: RenderJob, since started: ContinuousClock.Instant) throws(RenditionError)
        -> Made
    {
        let loaded = try sources.read()
        do {
            return Made(try render(loaded, job), loaded, nil, since: started)
        } catch {
            throw RenditionError(error, source: loaded.sources.picture)
        }
    }

    private func costOfWantedMaster(
        _ loaded: AssetSources.Loaded, _ job: RenderJob
    ) throws(ImageError) -> PredictedCost? {
        try loaded.images.costOfWantedMaster(
            loaded.sources.picture, request: request, accepting: acceptance,
            in: RenderContext(options: options, shouldStop: job.shouldStop))
    }

    private func render(_ loaded: AssetSources.Loaded, _ job: RenderJob) throws(ImageError) -> RenderedImage {
        try loaded.images.render(
            loaded.sources, request: request, accepting: acceptance,
            in: RenderContext(options: options, admission: job.admission, shouldStop: job.shouldStop))
    }
}

extension RenderContext {
    init(_ job: RenderJob, limits: ImageLimits) {
        self.init(options: RenderOptions(limits: limits), admission: job.admission, shouldStop: job.shouldStop)
    }
}

extension RenderJob {
    /// What `ImageEngine` asks when it knows the cost.
    var admission: @Sendable (PredictedCost) -> Admission {
        { cost in
            switch admit(RenderCost(cost)) {
            case .goOn: .now
            case .startLater: .later
            case .tooCostly: .never
            }
        }
    }
}

extension RenderCost {
    init(_ cost: PredictedCost) {
        self.init(
            NeededWork(microseconds: cost.microseconds, byteCount: cost.byteCount), isLong: cost.isLong,
            isDrawing: cost.isDrawing, steps: cost.steps.map(\.name))
    }
}
