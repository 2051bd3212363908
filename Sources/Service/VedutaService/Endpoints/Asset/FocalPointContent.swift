import AssetLibrary
import Bytes
import HTTPMessage
import HTTPServer
import Parameters

/// The content of `PUT /assets/{id}/focus`: `{"x": 0.62, "y": 0.35}`.
enum FocalPointContent {
    static let table = ParameterTable([.init("x"), .init("y")])
    private static let contentByteLimit = 1024

    /// nil where the request may have no content.
    static func rule(_ head: RequestHead, _ writes: WriteGuard) -> ContentRule? {
        guard head.method == .put, (try? writes.check(head)) != nil else { return nil }
        return ContentRule(byteLimit: contentByteLimit, mediaTypes: ["application/json"])
    }

    /// All faults at once.
    static func point(in request: Request) throws(EndpointError) -> StoredFocalPoint {
        guard case .bytes(let content) = request.content else {
            throw .fault("body", "", allowed: "a JSON object with x and y")
        }
        do throws(ParameterFaults) {
            var form = JSONItems.Form()
            form.byteLimit = contentByteLimit
            form.depthLimit = 1
            form.takesNumbersAlone = true
            var reader = ParameterReader(try JSONItems.read(content.array, table: table, form), table: table)
            let (x, y) = (reader.decimal("x", 0...1), reader.decimal("y", 0...1))
            reader.require("x")
            reader.require("y")
            try reader.finish()
            guard let x, let y, let point = StoredFocalPoint(xMillionths: millionths(x), yMillionths: millionths(y))
            else { throw ParameterFaults([ParameterFault(parameter: "x", value: "", reason: .missing)]) }
            return point
        } catch {
            throw .parameters(error)
        }
    }

    private static func millionths(_ share: PlainDecimal) -> Int64 { (share.billionths + 500) / 1000 }
}
