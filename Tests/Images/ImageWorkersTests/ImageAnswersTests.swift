import BinaryCoding
import Bytes
import ImageEngine
import ImagePlan
import Parameters
import Testing

@testable import ImageWorkers

/// What a process that was taken over may have of the server during a job.
@Suite(.timeLimit(.minutes(5))) struct ImageAnswersTests {
    private static func cost(byteCount: Int) -> PredictedCost {
        PredictedCost(
            steps: [PredictedCost.Step("encode", nanoseconds: 1, bytes: Double(byteCount))], frameCount: 1)
    }

    private static func answer(_ answers: ImageAnswers, _ question: ImageQuestion) throws -> ImageAnswer {
        try BinaryDecoder.value(ImageAnswer.self, from: answers.answer(BinaryEncoder.bytes(of: question))[...])
    }

    /// Whether a text on an image of this size is drawn.
    private static func draws(_ answers: ImageAnswers, _ widthPx: Int, _ heightPx: Int) throws -> Bool {
        let size = PixelSize(widthPx: widthPx, heightPx: heightPx)
        if case .text = try answer(answers, .text(index: 0, on: size)) { return true }
        return false
    }

    private static func request() throws -> ImageRequest {
        try ImageRequest.parse(QueryItems.parse("id=a.jpg&text=Hello"))
    }

    private static let painter = TextPainter { _, _ in
        DecodedPixels(widthPx: 1, heightPx: 1, rgba: SharedBytes([0, 0, 0, 255]))
    }

    @Test func texts_areDrawnOnNoLargerImage_thanWasAdmitted() throws {
        let task = ImageTask(.render, RenderOptions(), request: try Self.request())
        let sources = RenderSources(SharedBytes([1]), texts: Self.painter)
        let answers = ImageAnswers(
            task, sources, RenderContext(admission: { $0.byteCount > 30_000 ? .never : .now }))
        #expect(try !Self.draws(answers, 1, 1))
        _ = try Self.answer(answers, .admission(Self.cost(byteCount: 1 << 40)))
        #expect(try !Self.draws(answers, 1, 1))
        _ = try Self.answer(answers, .admission(Self.cost(byteCount: 30_000)))
        #expect(try Self.draws(answers, 100, 100))
        #expect(try !Self.draws(answers, 101, 100))
        #expect(try !Self.draws(answers, 1 << 30, 1 << 30))
    }

    @Test func texts_haveNoMorePixels_thanTheirPriceCounts() throws {
        // Less than four times 100 × 100 pixels and a million, and more.
        for (side, isDrawn) in [(1019, true), (1020, false)] {
            let rgba = SharedBytes([UInt8](repeating: 0, count: 4 * side * side))
            let painter = TextPainter { _, _ in DecodedPixels(widthPx: side, heightPx: side, rgba: rgba) }
            let answers = ImageAnswers(
                ImageTask(.render, RenderOptions(), request: try Self.request()),
                RenderSources(SharedBytes([1]), texts: painter), RenderContext())
            _ = try Self.answer(answers, .admission(Self.cost(byteCount: 30_000)))
            #expect(try Self.draws(answers, 100, 100) == isDrawn)
            let part = try answers.answer(BinaryEncoder.bytes(of: ImageQuestion.textPart(from: 0)))
            #expect(part.isEmpty == !isDrawn)
        }
    }

    /// For two encodings with pixels of their own, of a job that may be begun three times.
    @Test func texts_areDrawnForEachEncodingAndAttempt_andNotWithoutEnd() throws {
        let request = try Self.request()
        let answers = ImageAnswers(
            ImageTask(encodings: [request, request], RenderOptions()),
            RenderSources(SharedBytes([1]), texts: Self.painter), RenderContext())
        _ = try Self.answer(answers, .admission(Self.cost(byteCount: 30_000)))
        for _ in 0..<6 { #expect(try Self.draws(answers, 10, 10)) }
        #expect(try !Self.draws(answers, 10, 10))
    }

    @Test func results_haveTheBytesThatTheirJobWasAdmittedFor() throws {
        func answers(_ operation: ImageTask.Operation) throws -> ImageAnswers {
            ImageAnswers(
                ImageTask(operation, RenderOptions(), request: try Self.request()),
                RenderSources(SharedBytes([UInt8](repeating: 0, count: 5000))),
                RenderContext(admission: { $0.byteCount > 1_000_000 ? .later : .now }))
        }
        let render = try answers(.render)
        let least = render.contentLimit
        #expect((10_000...2_000_000).contains(least))
        _ = try Self.answer(render, .admission(Self.cost(byteCount: 1_000_000)))
        let admitted = render.contentLimit
        #expect(admitted - least == 8_000_000)
        _ = try Self.answer(render, .admission(Self.cost(byteCount: 1 << 40)))
        #expect(render.contentLimit == admitted)
        #expect(try answers(.describe).contentLimit == 0)
        #expect(try answers(.pixels).contentLimit == 4 * ImageLimits().pixelCount)
    }
}
