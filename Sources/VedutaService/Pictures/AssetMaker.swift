import ImageEngine
import ImagePlan
import Reactor

/// Makes pictures of one request from its originals, or from their masters where those do.
struct AssetMaker: Sendable {
    let sources: AssetSources
    let request: ImageRequest
    let acceptance: Acceptance
    let options: RenderOptions
    /// nil: pictures are made from originals alone.
    let masters: MasterStore?

    /// A picture, what it was made from, and how long getting that took.
    struct Made: Sendable {
        let picture: RenderedImage
        let loaded: AssetSources.Loaded
        let fetchDuration: Duration
    }

    /// On a worker: reads, makes a master where one is wanted and not there, and makes the picture.
    func make(_ job: RenderJob) throws(Problem) -> Made {
        let started = ContinuousClock.now
        // A purge from here on keeps what was read before it out of the store.
        let epoch = masters?.epoch
        var loaded = try sources.read(masters)
        do throws(ImageError) {
            if let masters, let epoch, loaded.sources.master == nil, try wantsMaster(loaded) {
                loaded.sources.master = try masters.make(
                    loaded.id, loaded.state, loaded.sources.picture, since: epoch, shouldStop: job.shouldStop)
            }
            let picture = try render(loaded, job)
            return Made(
                picture: picture, loaded: loaded,
                fetchDuration: ContinuousClock.now - started - picture.makingDuration)
        } catch .needsOriginal {
            return try makeFromOriginal(job, since: started)
        } catch {
            throw Problem(error, source: loaded.sources.picture)
        }
    }

    private func makeFromOriginal(_ job: RenderJob, since started: ContinuousClock.Instant) throws(Problem) -> Made {
        let loaded = try sources.read()
        do {
            let picture = try render(loaded, job)
            return Made(
                picture: picture, loaded: loaded,
                fetchDuration: ContinuousClock.now - started - picture.makingDuration)
        } catch {
            throw Problem(error, source: loaded.sources.picture)
        }
    }

    private func wantsMaster(_ loaded: AssetSources.Loaded) throws(ImageError) -> Bool {
        try ImageEngine.wantsMaster(
            loaded.sources.picture, request: request, accepting: acceptance, options: options)
    }

    private func render(_ loaded: AssetSources.Loaded, _ job: RenderJob) throws(ImageError) -> RenderedImage {
        try ImageEngine.render(
            loaded.sources, request: request, accepting: acceptance, options: options, admit: job.admit,
            shouldStop: job.shouldStop)
    }
}

extension RenderedImage {
    /// What making it from octets in memory took.
    fileprivate var makingDuration: Duration { openDuration + decodeDuration + encodeDuration }
}
