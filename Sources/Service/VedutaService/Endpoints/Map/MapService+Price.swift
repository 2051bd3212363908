import Bytes
import ImagePlan
import MapGrammar
import MapPlan
import MapRender
import MapSources
import Renditions

extension MapService {
    /// The price of a map, by what is known of its sources. Throws where it takes more tiles than any map may.
    func price(
        of request: MapRequest, in entry: MapStyleEntry, from camera: Camera, encodedAs output: OutputFormat,
        overlayWork: OverlayWork? = nil
    ) throws(RenditionError) -> PredictedCost {
        let tiles = entry.knownTiles(seenFrom: camera)
        let cost = request.predictedCost(
            from: camera, encodedAs: output, includesWorld: entry.world?.mayBeRead(from: camera) ?? false,
            tiles: tiles, overlayWork: overlayWork)
        if MapRequest.tileWork(from: camera, tiles).hasTooMany {
            throw RenditionError(MapError.tooManyTiles(limit: TileWork.limit))
        }
        return cost
    }

    /// How many bytes the tiles of a map may decode to: twice what its price says, as prices are good to a factor of two,
    /// beside what any map may hold.
    func heldByteLimit(in entry: MapStyleEntry, from camera: Camera) -> Int {
        let work = MapRequest.tileWork(from: camera, entry.knownTiles(seenFrom: camera))
        let megabytes = Int(held: 2 * work.bytes, in: 0...(1 << 40)) >> 20
        return MapEngine.heldByteLimit + megabytes << 20
    }
}
