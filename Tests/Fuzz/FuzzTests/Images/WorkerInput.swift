import BinaryCoding
import Bytes
import ImageEngine
import ImagePlan
import JSON
import Renditions

@testable import ImageWorkers
@testable import VedutaService

// The first byte of an input says what the rest is: something that the server reads from a process that handles images, or such a
// process from the server.

/// What `scripts/fuzz worker` runs: what is read is written and read again, and the server makes its answers of whatever a process
/// that was taken over replies.
enum WorkerInput {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var input = FuzzInput(bytes)
        let selector = input.next()
        let rest = input.rest()
        switch selector & 7 {
        case 0, 1, 2: if let reply = try read(ImageReply.self, rest) { try use(reply) }
        case 3, 4:
            guard case .admission(let cost)? = try read(ImageQuestion.self, rest) else { return }
            try use(cost)
        case 5: _ = try read(ImageTask.self, rest)
        case 6: _ = try read(ImageAnswer.self, rest)
        default: _ = try read(ImageSetup.self, rest)
        }
    }

    private static func read<Value: Codable>(_ type: Value.Type, _ bytes: [UInt8]) throws(BrokenInvariant) -> Value? {
        guard let value = try? BinaryDecoder.value(type, from: bytes[...]) else { return nil }
        guard let written = try? BinaryEncoder.bytes(of: value),
            (try? BinaryDecoder.value(type, from: written[...])) != nil
        else { throw BrokenInvariant("\(value) is written unreadably") }
        return value
    }

    // MARK: What the server does with it

    private static func use(_ reply: ImageReply) throws(BrokenInvariant) {
        let content = SharedBytes([1, 2, 3])
        switch reply {
        case .images(let outcomes): _ = try? ImageProcessor.images(outcomes, in: content)
        case .image(let facts):
            guard let image = facts.image(content) else { return }
            _ = (image.openDuration + image.decodeDuration + image.encodeDuration).components
            _ = ImageFields.lines(image, ImageRequest(id: "a"))
            try checkText(JSONText.line { ExplanationJSON.writeWork(image, into: &$0) })
        case .cost(let cost): try use(cost)
        case .description(let description): try checkText(DescriptionJSON.text(description, id: "a"))
        case .pages(let list): try checkText(PageListJSON.text(list))
        case .failure(let error): _ = Problem(RenditionError(error))
        case .pageFailure(let error): _ = Problem(RenditionError(error, source: content))
        case .pixels(let size, _):
            _ = DecodedPixels(widthPx: size.widthPx, heightPx: size.heightPx, rgba: content)
        case .bytes, .nothing: break
        }
    }

    private static func use(_ cost: PredictedCost) throws(BrokenInvariant) {
        let work = RenderCost(cost.holding(1 << 40).following(cost)).work
        try BrokenInvariant.require(work.seconds <= 1 << 50, "\(work)")
        try checkText(JSONText.line { ExplanationJSON.write(cost, into: &$0) })
    }

    private static func checkText(_ text: String) throws(BrokenInvariant) {
        guard (try? JSONReader.read(Array(text.utf8))) != nil else { throw BrokenInvariant("no JSON: \(text)") }
    }
}
