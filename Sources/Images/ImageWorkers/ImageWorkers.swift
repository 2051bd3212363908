import BinaryCoding
package import Bytes
package import ImageEngine
package import ImagePlan
package import Reactor
package import Sandbox

/// The functions of `ImageEngine`, done in sandboxed processes: a decoder that crashes, hangs or is taken over by its input harms
/// one request. They give the same images and throw the same errors, and besides `crashed`, `overMemory` and `noWorker`. A stop
/// takes effect at once, whatever the decoder does.
package final class ImageWorkers: Sendable {
    private let pool: SandboxPool

    /// `settings.setup` is made here.
    package init(
        _ settings: SandboxSettings, program: String, enabling formats: Set<SourceFormat>, clock: Clock = .system,
        log: @escaping @Sendable (String) -> Void
    ) throws(Errno) {
        var settings = settings
        let setup = ImageSetup(program: program, formats: formats.sorted { $0.rawValue < $1.rawValue })
        guard let bytes = try? BinaryEncoder.bytes(of: setup) else { throw .invalidArgument }
        settings.setup = bytes
        // Texts in drawings are set in fonts that are opened when they are met.
        settings.mayReadFonts = formats.contains(where: \.isDrawing)
        pool = try SandboxPool(settings, clock: clock, log: log)
    }

    package var counts: SandboxCounts { pool.counts }

    /// Waits until one process is ready, or why none could be started.
    package func awaitFirst() throws(Errno) { try pool.awaitFirst() }

    /// After the last call has returned.
    package func close() { pool.close() }

    // MARK: Operations

    package func render(
        _ sources: RenderSources, request: ImageRequest, accepting acceptance: Acceptance, in context: RenderContext
    ) throws(ImageError) -> RenderedImage {
        let task = ImageTask(.render, context.options, request: request, accepting: acceptance)
        let (reply, content) = try run(task, sources, context)
        guard case .image(let facts) = reply, let image = facts.image(content) else { throw .strange }
        return image
    }

    package func renderPixels(
        _ sources: RenderSources, request: ImageRequest, in context: RenderContext
    ) throws(ImageError) -> DecodedPixels {
        try pixels(ImageTask(.renderPixels, context.options, request: request), sources, context)
    }

    /// `requests` has at least one.
    package func renderEncodings(
        _ sources: RenderSources, requests: [ImageRequest], in context: RenderContext
    ) throws(ImageError) -> [Result<RenderedImage, ImageError>] {
        let (reply, content) = try run(ImageTask(encodings: requests, context.options), sources, context)
        guard case .images(let outcomes) = reply, outcomes.count == requests.count else { throw .strange }
        return try Self.images(outcomes, in: content)
    }

    /// `content` has the images one after the other.
    static func images(
        _ outcomes: [ImageOutcome], in content: SharedBytes
    ) throws(ImageError) -> [Result<RenderedImage, ImageError>] {
        var (images, start): ([Result<RenderedImage, ImageError>], Int) = ([], 0)
        for outcome in outcomes {
            switch outcome {
            case .failure(let error): images.append(.failure(error))
            case .image(let facts, let byteCount):
                // Told by another process, which may say anything.
                guard byteCount > 0, byteCount <= content.count - start else { throw .strange }
                let bytes = content.slice(start..<start + byteCount).array
                guard let image = facts.image(SharedBytes(bytes)) else { throw .strange }
                images.append(.success(image))
                start += byteCount
            }
        }
        return images
    }

    package func predictedCost(
        _ sources: RenderSources, request: ImageRequest, accepting acceptance: Acceptance, countsMaster: Bool,
        in context: RenderContext
    ) throws(ImageError) -> PredictedCost {
        let task = ImageTask(
            .predictedCost(countsMaster: countsMaster), context.options, request: request, accepting: acceptance)
        guard case .cost(let cost) = try run(task, sources, context).reply else { throw .strange }
        return cost
    }

    package func costOfWantedMaster(
        _ source: SharedBytes, request: ImageRequest, accepting acceptance: Acceptance, in context: RenderContext
    ) throws(ImageError) -> PredictedCost? {
        let task = ImageTask(.costOfWantedMaster, context.options, request: request, accepting: acceptance)
        switch try run(task, RenderSources(source), context).reply {
        case .cost(let cost): return cost
        case .nothing: return nil
        default: throw .strange
        }
    }

    package func makeMaster(_ source: SharedBytes, in context: RenderContext) throws(ImageError) -> SharedBytes? {
        let (reply, content) = try run(ImageTask(.makeMaster, context.options), RenderSources(source), context)
        switch reply {
        case .master: return content
        case .nothing: return nil
        default: throw .strange
        }
    }

    package func makeRegionCopy(_ source: SharedBytes, in context: RenderContext) throws(ImageError) -> SharedBytes? {
        let (reply, content) = try run(ImageTask(.makeRegionCopy, context.options), RenderSources(source), context)
        switch reply {
        case .regionCopy: return content
        case .nothing: return nil
        default: throw .strange
        }
    }

    package func makeRegionPlanes(
        _ source: SharedBytes, sizes: [Int], in context: RenderContext
    ) throws(ImageError) -> SharedBytes? {
        let task = ImageTask(.makeRegionPlanes(sizes: sizes), context.options)
        let (reply, content) = try run(task, RenderSources(source), context)
        switch reply {
        case .regionPlanes: return content
        case .nothing: return nil
        default: throw .strange
        }
    }

    package func describe(_ source: SharedBytes, in context: RenderContext) throws(ImageError) -> ImageDescription {
        let task = ImageTask(.describe, context.options)
        guard case .description(let description) = try run(task, RenderSources(source), context).reply else {
            throw .strange
        }
        return description
    }

    package func describePages(
        _ source: SharedBytes, after: Int, limit: Int, in context: RenderContext
    ) throws(PageListError) -> PageList {
        let task = ImageTask(.describePages(after: after, limit: limit), context.options)
        let reply: ImageReply
        do throws(ImageError) {
            reply = try run(task, RenderSources(source), context).reply
        } catch {
            throw PageListError(error: error, page: nil)
        }
        switch reply {
        case .pages(let pages): return pages
        case .pageFailure(let error): throw error
        default: throw PageListError(error: .strange, page: nil)
        }
    }

    package func pixels(of source: SharedBytes, in context: RenderContext) throws(ImageError) -> DecodedPixels {
        try pixels(ImageTask(.pixels, context.options), RenderSources(source), context)
    }

    private func pixels(
        _ task: ImageTask, _ sources: RenderSources, _ context: RenderContext
    ) throws(ImageError) -> DecodedPixels {
        let (reply, content) = try run(task, sources, context)
        guard case .pixels(let size) = reply,
            let pixels = DecodedPixels(widthPx: size.widthPx, heightPx: size.heightPx, rgba: content)
        else { throw .strange }
        return pixels
    }

    // MARK: Running

    private func run(
        _ task: ImageTask, _ sources: RenderSources, _ context: RenderContext
    ) throws(ImageError) -> (reply: ImageReply, content: SharedBytes) {
        var task = task
        task.hasMaster = sources.master != nil
        task.hasTexts = sources.texts != nil
        task.hasMemo = sources.qualityMemo != nil
        guard let head = try? BinaryEncoder.bytes(of: task) else { throw .strange }
        let job = SandboxJob(
            head: head, sources: [sources.picture, task.needed(of: sources.master)] + sources.overlays)
        let answers = ImageAnswers(task, sources, context)
        let reply: SandboxReply
        do throws(SandboxFailure) {
            reply = try pool.run(
                job, answer: answers.answer, contentLimit: { answers.contentLimit }, shouldStop: context.shouldStop)
        } catch {
            throw ImageError(error)
        }
        guard let value = try? BinaryDecoder.value(ImageReply.self, from: reply.head[...]) else { throw .strange }
        if case .failure(let error) = value { throw error }
        return (value, reply.content)
    }
}

extension ImageError {
    fileprivate init(_ failure: SandboxFailure) {
        switch failure {
        case .stopped, .overTime: self = .cancelled
        case .crashed(let signal): self = .crashed(log: signal == 0 ? "the worker broke off" : "signal \(signal)")
        case .quarantined: self = .crashed(log: "it crashed its worker twice not long ago")
        case .overMemory(let limit): self = .overMemory(byteLimit: limit)
        case .unavailable(let code): self = .noWorker(log: "\(Errno(code: code))")
        }
    }

    /// A reply that does not fit its task.
    fileprivate static let strange = ImageError.crashed(log: "the worker gave no sensible reply")
}
