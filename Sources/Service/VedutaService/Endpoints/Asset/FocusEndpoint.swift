import AssetLibrary
import HTTPMessage
import HTTPServer
import JSON
import Originals
import Parameters

/// `/assets/{id}/focus`: the point of an image that `crop=focus` keeps, stored and removed.
enum FocusEndpoint {
    static let table = ParameterTable([.init("x"), .init("y")])
    private static let contentByteLimit = 1024

    /// nil where the request may have no content.
    static func contentRule(_ head: RequestHead, _ writes: WriteGuard) -> ContentRule? {
        guard head.method == .put, (try? writes.check(head)) != nil else { return nil }
        return ContentRule(byteLimit: contentByteLimit, mediaTypes: ["application/json"])
    }

    static func answer(_ context: RequestContext) throws(EndpointError) -> Answer {
        try context.checkMayWrite()
        let service = context.service
        let originals = service.originals
        guard let uploads = originals.uploads else { throw .focalPointsOff }
        let asked = try DescribedPath.id(context.head.target, before: DescribedPath.focus)
        let id = try EndpointError.mapping { () throws(OriginalError) in try originals.canonicalID(asked) }
        let point = context.head.method == .put ? try point(in: context.request) : nil
        return try context.onWorker { () throws(EndpointError) in
            // Whether another server has an image is not asked: the point waits for it.
            if point != nil, !originals.mayBeRemote(id),
                try EndpointError.mapping({ () throws(OriginalError) in try originals.state(of: id) }) == nil
            {
                throw .original(.absent)
            }
            do throws(UploadError) { try uploads.setFocalPoint(point, of: id) } catch { throw .upload(error, id: id) }
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

    /// All faults at once.
    private static func point(in request: Request) throws(EndpointError) -> StoredFocalPoint {
        guard case .bytes(let content) = request.content else {
            throw .fault("body", "", allowed: "a JSON object with x and y")
        }
        do throws(ParameterFaults) {
            var form = JSONItems.Form()
            form.byteLimit = contentByteLimit
            form.depthLimit = 1
            let bytes = content.withUnsafeBytes { [UInt8]($0) }
            var reader = ParameterReader(try JSONItems.read(bytes, table: table, form), table: table)
            let (x, y) = (reader.decimal("x", 0...1), reader.decimal("y", 0...1))
            reader.require("x")
            reader.require("y")
            try reader.finish()
            guard
                let point = x.flatMap({ x in
                    y.flatMap { StoredFocalPoint(xMillionths: millionths(x), yMillionths: millionths($0)) }
                })
            else { throw ParameterFaults([ParameterFault(parameter: "x", value: "", reason: .missing)]) }
            return point
        } catch {
            throw .parameters(error)
        }
    }

    private static func millionths(_ share: PlainDecimal) -> Int64 { (share.billionths + 500) / 1000 }
}
