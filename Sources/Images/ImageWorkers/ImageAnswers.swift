import BinaryCoding
import Bytes
import ImageEngine
import ImagePlan
import Sandbox

/// Answers what a process asks during one job. It may ask anything in any order, as it may have been taken over by its input.
/// Belongs to one thread.
final class ImageAnswers {
    /// Bytes that are kept of what a quality depended on.
    private static let longestCause = 4096

    private let task: ImageTask
    private let sources: RenderSources
    private let context: RenderContext
    /// Each encoding may have pixels of its own, and a job is done again where its process is killed from outside.
    private var drawsLeft: Int
    private var text: DecodedPixels?
    /// What the job was admitted for, at most.
    private var granted = (byteCount: 0, frameCount: 1)

    init(_ task: ImageTask, _ sources: RenderSources, _ context: RenderContext) {
        (self.task, self.sources, self.context) = (task, sources, context)
        drawsLeft =
            task.request.overlays.count { $0.text != nil } * (1 + task.others.count) * SandboxPool.attemptLimit
    }

    func answer(_ question: [UInt8]) -> [UInt8] {
        let answer: ImageAnswer
        switch try? BinaryDecoder.value(ImageQuestion.self, from: question[...]) {
        case .admission(let cost)?: answer = .admission(admission(cost))
        case .quality(let cause)?: answer = sources.qualityMemo?.lookUp(cause).map { .quality($0) } ?? .nothing
        case .keepQuality(let cause, let start)?:
            if cause.utf8.count <= Self.longestCause { sources.qualityMemo?.keep(cause, start) }
            answer = .nothing
        case .text(let index, let size)?: answer = draw(index, size)
        case .textPart(let start)?: return part(from: start)
        case nil: answer = .nothing
        }
        return (try? BinaryEncoder.bytes(of: answer)) ?? []
    }

    // MARK: What the job may take

    private static let grantLimit = 1 << 40

    private func admission(_ cost: PredictedCost) -> Admission {
        let admission = context.admission(cost)
        if admission == .now {
            granted.byteCount = max(granted.byteCount, min(cost.byteCount, Self.grantLimit))
            granted.frameCount = max(granted.frameCount, min(cost.frameCount, task.options.results.frameCount))
        }
        return admission
    }

    /// The most bytes of a result. Predictions of memory count at least one byte for each pixel of the result, of which a JPEG of
    /// noise takes some three and 16-bit samples take eight. Metadata and profiles come from the sources, or are small.
    var contentLimit: Int {
        let held = (sources.overlays + [sources.picture]).reduce(sources.master?.count ?? 0) { $0 + $1.count }
        switch task.operation {
        case .predictedCost, .costOfWantedMaster, .describe, .describePages: return 0
        case .pixels: return 4 * min(task.options.limits.pixelCount, Self.grantLimit)
        case .makeMaster: return Self.masterLimit + 2 * held
        case .render, .renderPixels, .renderEncodings, .makeRegionCopy, .makeRegionPlanes:
            let one = 8 * granted.byteCount + 2 * held + Self.margin + granted.frameCount * Self.frameMargin
            return (1 + task.others.count) * one
        }
    }

    private static let margin = 1 << 20
    private static let frameMargin = 4096
    /// Its three levels have 5.5 million pixels.
    private static let masterLimit = 64 << 20

    // MARK: Texts

    private func draw(_ index: Int, _ size: PixelSize) -> ImageAnswer {
        text = nil
        // An admitted image has three bytes for each pixel under a text.
        guard let texts = sources.texts, size.isPlausible, drawsLeft > 0,
            size.widthPx * size.heightPx <= granted.byteCount / 3
        else { return .nothing }
        drawsLeft -= 1
        do throws(ImageError) {
            text = try texts.draw(index, size)
        } catch {
            return .failure(error)
        }
        // The price counts no more pixels of a text.
        if let drawn = text, drawn.widthPx * drawn.heightPx > TextMeasures.pixelLimit(on: size) {
            text = nil
            return .failure(.outOfMemory)
        }
        return text.map { .text(PixelSize(widthPx: $0.widthPx, heightPx: $0.heightPx)) } ?? .nothing
    }

    private func part(from start: Int) -> [UInt8] {
        guard let rgba = text?.rgba, (0..<rgba.count).contains(start) else { return [] }
        let end = min(rgba.count, start + ImageAnswer.textPartLimit)
        return rgba.withUnsafeBytes { Array($0[start..<end]) }
    }
}
