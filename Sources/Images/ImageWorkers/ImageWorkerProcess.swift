import BinaryCoding
import Bytes
import ImageEngine
import ImagePlan
import Reactor
import Sandbox

/// The main function of the processes of `ImageWorkers`.
package enum ImageWorkerProcess {
    package static func run() -> Never { SandboxedProcess.run(prepare: prepare, perform: perform) }

    /// The hidden command of the program that starts one.
    package static let command = "decode-worker"

    // MARK: Before the sandbox

    /// Starts libvips, and has everything loaded that libraries open when they first need it.
    private static func prepare(_ setup: [UInt8]) -> Bool {
        guard let setup = try? BinaryDecoder.value(ImageSetup.self, from: setup[...]) else { return false }
        Allocator.setUp()
        // As the workers of the server: images give way to answers.
        ThreadPriority.lower(steps: 5)
        guard (try? ImageEngine.start(program: setup.program, enabling: Set(setup.formats))) != nil else {
            return false
        }
        warm(setup.formats)
        return true
    }

    /// Writes and reads a small image in every format, with a color profile, and draws a text.
    private static func warm(_ formats: [SourceFormat]) {
        let side = 64
        let pixels = SharedBytes([UInt8](repeating: 255, count: side * side * 4))
        for format in OutputFormat.allCases where ImageEngine.canWrite(format) {
            let image = try? ImageEngine.encode(
                rgba: pixels, widthPx: side, heightPx: side, output: format, quality: nil, shouldStop: { false })
            guard let image else { continue }
            var request = ImageRequest(id: "")
            request.width = .pixels(side / 2)
            request.format = format
            request.profile = .p3
            _ = try? ImageEngine.render(
                RenderSources(image), request: request, accepting: Acceptance(only: format), in: RenderContext())
        }
        guard formats.contains(where: \.isDrawing) else { return }
        let drawing = SharedBytes(Array(textDrawing.utf8))
        _ = try? ImageEngine.render(
            RenderSources(drawing), request: ImageRequest(id: ""), accepting: Acceptance(only: .png),
            in: RenderContext())
    }

    private static let textDrawing = """
        <svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><text y="20" font-family="sans-serif">a</text></svg>
        """

    // MARK: Within it

    private static func perform(
        _ job: SandboxJob, _ ask: ([UInt8]) -> [UInt8]
    ) -> (head: [UInt8], content: SharedBytes) {
        var (reply, content) = (ImageReply.failure(.operationFailed(log: "not a task")), SharedBytes([]))
        if job.sources.count >= 2, let task = try? BinaryDecoder.value(ImageTask.self, from: job.head[...]) {
            (reply, content) = withoutActuallyEscaping(ask) { perform(task, job.sources, $0) }
        }
        return ((try? BinaryEncoder.bytes(of: reply)) ?? [], content)
    }

    private static func perform(
        _ task: ImageTask, _ sources: [SharedBytes], _ ask: @escaping ([UInt8]) -> [UInt8]
    ) -> (ImageReply, SharedBytes) {
        let server = ServerQuestions(ask)
        let all = RenderSources(
            sources[0], master: task.hasMaster ? sources[1] : nil, overlays: Array(sources[2...]),
            texts: task.hasTexts ? server.texts : nil, qualityMemo: task.hasMemo ? server.memo : nil,
            analysis: task.analysis)
        return task.perform(all, in: RenderContext(options: task.options, admission: server.admission))
    }

    /// Asks the server what only it knows. Used by the one thread that does the job.
    private final class ServerQuestions: @unchecked Sendable {
        // Proof for `@unchecked Sendable`: `ImageEngine` asks for admission and for qualities on the thread that called it.
        private let ask: ([UInt8]) -> [UInt8]

        init(_ ask: @escaping ([UInt8]) -> [UInt8]) { self.ask = ask }

        private func answer(_ question: ImageQuestion) -> ImageAnswer {
            guard let bytes = try? BinaryEncoder.bytes(of: question) else { return .nothing }
            return (try? BinaryDecoder.value(ImageAnswer.self, from: ask(bytes)[...])) ?? .nothing
        }

        var admission: (PredictedCost) -> Admission {
            { cost in
                guard case .admission(let admission) = self.answer(.admission(cost)) else { return .never }
                return admission
            }
        }

        var texts: TextPainter {
            TextPainter { index, size throws(ImageError) in
                switch self.answer(.text(index: index, on: size)) {
                case .text(let size): return try self.pixels(size)
                case .failure(let error): throw error
                default: return nil
                }
            }
        }

        private func pixels(_ size: PixelSize) throws(ImageError) -> DecodedPixels {
            let count = 4 * size.widthPx * size.heightPx
            var rgba: [UInt8] = []
            rgba.reserveCapacity(count)
            while rgba.count < count {
                guard let question = try? BinaryEncoder.bytes(of: ImageQuestion.textPart(from: rgba.count)) else {
                    break
                }
                let part = ask(question)
                guard !part.isEmpty else { break }
                rgba += part
            }
            let pixels = DecodedPixels(widthPx: size.widthPx, heightPx: size.heightPx, rgba: SharedBytes(rgba))
            guard let pixels else { throw .operationFailed(log: "the text is not whole") }
            return pixels
        }

        var memo: BoundQualityMemo {
            BoundQualityMemo(
                lookUp: { cause in
                    guard case .quality(let start) = self.answer(.quality(cause: cause)) else { return nil }
                    return start
                },
                keep: { cause, start in _ = self.answer(.keepQuality(cause: cause, start)) })
        }
    }
}
