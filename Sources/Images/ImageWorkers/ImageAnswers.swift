import BinaryCoding
import Bytes
import ImageEngine
import ImagePlan

/// Answers what a process asks during one job. It may ask anything in any order, as it may have been taken over by its input.
/// Belongs to one thread.
final class ImageAnswers {
    /// Bytes that are kept of what a quality depended on.
    private static let longestCause = 4096

    private let sources: RenderSources
    private let context: RenderContext
    /// Each text is drawn once.
    private var drawn: Set<Int> = []
    private var text: DecodedPixels?

    init(_ sources: RenderSources, _ context: RenderContext) { (self.sources, self.context) = (sources, context) }

    func answer(_ question: [UInt8]) -> [UInt8] {
        let answer: ImageAnswer
        switch try? BinaryDecoder.value(ImageQuestion.self, from: question[...]) {
        case .admission(let cost)?: answer = .admission(context.admission(cost))
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

    private func draw(_ index: Int, _ size: PixelSize) -> ImageAnswer {
        text = nil
        guard let texts = sources.texts, size.isPlausible, drawn.insert(index).inserted else { return .nothing }
        do throws(ImageError) {
            text = try texts.draw(index, size)
        } catch {
            return .failure(error)
        }
        return text.map { .text(PixelSize(widthPx: $0.widthPx, heightPx: $0.heightPx)) } ?? .nothing
    }

    private func part(from start: Int) -> [UInt8] {
        guard let rgba = text?.rgba, (0..<rgba.count).contains(start) else { return [] }
        let end = min(rgba.count, start + ImageAnswer.textPartLimit)
        return rgba.withUnsafeBytes { Array($0[start..<end]) }
    }
}
