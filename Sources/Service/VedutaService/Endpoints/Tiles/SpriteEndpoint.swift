import Bytes
import Digest
import HTTPMessage
import HTTPServer
import JSON
import MapRender
import MapSources
import MapStyle

/// The sheets of images that a style names by a path.
enum SpriteEndpoint {
    /// On a worker, as files are read.
    static func answer(_ context: RequestContext) throws(EndpointError) -> Answer {
        try context.checkHasNoQuery()
        let asked = try SpriteAddress(context.head.target)
        let library = context.service.maps.library
        guard let style = library.style(named: asked.style) else { throw .styleAbsent(among: library.styleNames) }
        // Those of other servers are asked for there.
        guard let sprite = style.outline.sprites.first(where: { $0.id == asked.sprite }),
            !TileSets.isWhole(.string(sprite.url))
        else { throw .routeAbsent }
        return try context.onWorker { () throws(EndpointError) in
            let content: SharedBytes?
            do throws(ResourceError) {
                content = try bytes(asked, at: sprite.url, style.resources)
            } catch {
                throw .mapSource(error)
            }
            guard let content else { throw .routeAbsent }
            let validators = Validators(
                entityTag: EntityTag(opaque: SHA256.digest(of: content).base64URL(byteCount: 16)))
            var fields = FieldLines()
            if let tag = validators.entityTag { fields.append(.entityTag, tag) }
            fields.append(context.lines.renditions(.map).plain)
            switch context.evaluate(validators) {
            case .notModified: return Response(status: .notModified, fields: fields)
            case .failed: throw .preconditionFailed
            case .proceed: break
            }
            fields.append(.contentType, literal: asked.isIndex ? "application/json" : "image/png")
            return Response(status: .ok, fields: fields, content: content)
        }
    }

    /// A style without a sharp sheet has the plain one for sharp screens too, as its index tells the ratio of each image.
    private static func bytes(
        _ asked: SpriteAddress, at url: String, _ resources: any MapResources
    ) throws(ResourceError) -> SharedBytes? {
        if !asked.ratio.isEmpty {
            let index = try resources.bytes(at: url + asked.ratio + ".json")
            let sheet = try resources.bytes(at: url + asked.ratio + ".png")
            if index != nil, sheet != nil { return asked.isIndex ? index : sheet }
        }
        return try resources.bytes(at: url + (asked.isIndex ? ".json" : ".png"))
    }
}
