import AssetLibrary
import HTTPMessage
import HTTPServer
import ImagePlan
import JSON
import Originals
import Reactor
import Renditions

/// `/assets/{id}/focus`: the point of an image that `crop=focus` keeps, stored and removed.
enum FocusEndpoint {
    static func answer(_ context: RequestContext) throws(EndpointError) -> Answer {
        try context.checkMayWrite()
        let service = context.service
        let originals = service.originals
        guard let uploads = originals.uploads else { throw .focalPointsOff }
        let asked = try DescribedPath.id(context.head.target, before: DescribedPath.focus)
        let id = try EndpointError.mapping { () throws(OriginalError) in try originals.canonicalID(asked) }
        let point = context.head.method == .put ? try FocalPointContent.point(in: context.request) : nil
        return try context.onWorker { () throws(EndpointError) in
            // Whether another server has an image is not asked: the point waits for it.
            if point != nil, !originals.mayBeRemote(id),
                try EndpointError.mapping({ () throws(OriginalError) in try originals.state(of: id) }) == nil
            {
                throw .original(.absent)
            }
            do throws(UploadError) {
                try uploads.setFocalPoint(point, of: id) { Self.mayChange($0, context) }
            } catch {
                throw .upload(error, id: id)
            }
            _ = service.purge(.asset(id))
            guard let point else { return Response(status: .noContent, fields: context.lines.common) }
            return context.json(
                JSONText.line { json in
                    json.member("id", id)
                    json.object("focalPoint") { json in
                        json.member("x", Double(point.xMillionths) / 1_000_000, places: 6)
                        json.member("y", Double(point.yMillionths) / 1_000_000, places: 6)
                        json.member("isStored", true)
                    }
                })
        }
    }

    /// Nobody can get a point by itself, so its entity tag follows from what `/assets/{id}` tells. It has no date.
    private static func mayChange(_ stored: StoredFocalPoint?, _ context: RequestContext) -> Bool {
        Preconditions.allowChange(
            context.head, of: stored.map { Validators(entityTag: EntityTag(opaque: FocalPoint($0).text)) },
            now: context.service.clock.unixSeconds())
    }
}
