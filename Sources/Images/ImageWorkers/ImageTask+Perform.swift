import Bytes
import ImageEngine
import ImagePlan

extension ImageTask {
    /// Does it in this process.
    func perform(
        _ sources: RenderSources, in context: RenderContext
    ) -> (reply: ImageReply, content: SharedBytes) {
        let (picture, none) = (sources.picture, SharedBytes([]))
        func made(_ bytes: SharedBytes?) -> (ImageReply, SharedBytes) {
            guard let bytes else { return (.nothing, none) }
            return (.bytes, bytes)
        }
        func drawn(_ pixels: DecodedPixels) -> (ImageReply, SharedBytes) {
            (.pixels(PixelSize(widthPx: pixels.widthPx, heightPx: pixels.heightPx), pixels.analysis), pixels.rgba)
        }
        do throws(ImageError) {
            switch operation {
            case .render:
                let image = try ImageEngine.render(sources, request: request, accepting: acceptance, in: context)
                return (.image(ImageFacts(image)), image.content)
            case .renderPixels: return drawn(try ImageEngine.renderPixels(sources, request: request, in: context))
            case .renderEncodings:
                return Self.joined(ImageEngine.renderEncodings(sources, requests: [request] + others, in: context))
            case .predictedCost(let countsMaster):
                let cost = try ImageEngine.predictedCost(
                    sources, request: request, accepting: acceptance, countsMaster: countsMaster, in: context)
                return (.cost(cost), none)
            case .costOfWantedMaster:
                let cost = try ImageEngine.costOfWantedMaster(
                    picture, request: request, accepting: acceptance, options: options)
                return (cost.map { .cost($0) } ?? .nothing, none)
            case .makeMaster: return made(try ImageEngine.makeMaster(picture, in: context))
            case .makeRegionCopy: return made(try ImageEngine.makeRegionCopy(picture, in: context))
            case .makeRegionPlanes(let sizes):
                return made(try ImageEngine.makeRegionPlanes(picture, sizes: sizes, in: context))
            case .describe: return (.description(try ImageEngine.describe(picture, in: context)), none)
            case .describePages(let after, let limit):
                return (Self.pages(picture, after: after, limit: limit, context), none)
            case .pixels: return drawn(try ImageEngine.pixels(of: picture, in: context))
            }
        } catch {
            return (.failure(error), none)
        }
    }

    private static func joined(_ images: [Result<RenderedImage, ImageError>]) -> (ImageReply, SharedBytes) {
        var (outcomes, content): ([ImageOutcome], [UInt8]) = ([], [])
        for image in images {
            switch image {
            case .success(let image):
                outcomes.append(.image(ImageFacts(image), byteCount: image.content.count))
                image.content.withUnsafeBytes { unsafe content.append(contentsOf: $0) }
            case .failure(let error): outcomes.append(.failure(error))
            }
        }
        return (.images(outcomes), SharedBytes(content))
    }

    private static func pages(_ source: SharedBytes, after: Int, limit: Int, _ context: RenderContext) -> ImageReply {
        do throws(PageListError) {
            return .pages(try ImageEngine.describePages(source, after: after, limit: limit, in: context))
        } catch {
            return .pageFailure(error)
        }
    }
}
