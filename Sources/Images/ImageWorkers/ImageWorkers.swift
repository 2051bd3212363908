import BinaryCoding
import Bytes
import ImageEngine
package import ImagePlan
package import Reactor
package import Sandbox

/// Does tasks in sandboxed processes: a decoder that crashes, hangs or is taken over by its input harms one request. They give the
/// same images and throw the same errors as in this one, and besides `crashed`, `overMemory` and `noWorker`. A stop takes effect at
/// once, whatever the decoder does.
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

    func run(
        _ task: ImageTask, _ sources: RenderSources, _ context: RenderContext
    ) throws(ImageError) -> (reply: ImageReply, content: SharedBytes) {
        var task = task
        task.hasMaster = sources.master != nil
        task.hasTexts = sources.texts != nil
        task.hasMemo = sources.qualityMemo != nil
        guard let name = try? BinaryEncoder.bytes(of: task) else { throw .strange }
        task.analysis = sources.analysis
        guard let head = task.analysis.isEmpty ? name : try? BinaryEncoder.bytes(of: task) else { throw .strange }
        let job = SandboxJob(
            head: head, name: name, sources: [sources.picture, task.needed(of: sources.master)] + sources.overlays)
        let answers = ImageAnswers(task, sources, context)
        let reply: SandboxReply
        do throws(SandboxFailure) {
            reply = try pool.run(
                job, answer: answers.answer, contentLimit: { answers.contentLimit }, shouldStop: context.shouldStop)
        } catch {
            throw ImageError(error)
        }
        guard let value = try? BinaryDecoder.value(ImageReply.self, from: reply.head[...]) else { throw .strange }
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
    static let strange = ImageError.crashed(log: "the worker gave no sensible reply")
}
