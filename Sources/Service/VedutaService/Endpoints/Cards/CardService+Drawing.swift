import CardPlan
import Cards
import ImagePlan
import Parameters
import Raster
import Renditions

extension CardService {
    /// On a worker.
    func draw(
        _ scene: CardScene, scale: PlainDecimal, pictures: [Texture] = [], _ typesetter: CardTypesetter,
        _ job: RenderJob
    ) throws(RenditionError) -> PixelBuffer {
        let size = scene.size(at: scale)
        do throws(RasterError) {
            return try CardDrawing.draw(
                scene, widthPx: size.widthPx, heightPx: size.heightPx, factor: scene.zoom * scale.double,
                pictures: pictures, typesetter,
                shouldStop: job.shouldStop)
        } catch {
            throw .timedOut()
        }
    }
}
