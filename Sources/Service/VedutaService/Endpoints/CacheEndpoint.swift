import Bytes
import HTTPMessage
import HTTPServer
import JSON
import Originals
import Parameters
import Reactor
import Renditions
import ResponseCache

/// `DELETE /cache`: forgets what was made of an asset, one picture, or everything.
enum CacheEndpoint {
    static let table = ParameterTable([.init("id"), .init("key")])

    /// Purges on a worker, as it waits for the disk, and answers when it is done. It is carried out also when its client
    /// leaves: half a purge helps nobody.
    static func purge(_ context: RequestContext) throws(Problem) -> Answer {
        try context.checkMayWrite()
        let service = context.service
        let items = try context.queryItems()
        let scope: PurgeScope
        do throws(ParameterFaults) { scope = try Self.scope(items, service.originals) } catch { throw Problem(error) }
        return try context.onWorker { () throws(Problem) in
            let result = service.purge(scope)
            service.metrics.purged(scope)
            return context.json(json(result))
        }
    }

    /// Reads the query. A parameter without a value is a fault here and not absent: a script whose variable is empty is not
    /// to purge everything.
    static func scope(_ items: [QueryItem], _ originals: Originals) throws(ParameterFaults) -> PurgeScope {
        var reader = ParameterReader(items, table: table)
        let id = reader.value("id") { text throws(ParameterFault.Reason) in
            do throws(OriginalError) {
                return try originals.canonicalID(text)
            } catch {
                throw Problem(error).faults.first?.reason
                    ?? .malformed(allowed: "the id of an image that this server may serve")
            }
        }
        let key = reader.value("key") { text throws(ParameterFault.Reason) in
            guard let name = CacheEntryName(text) else {
                throw .malformed(
                    allowed: "a key from Cache-Status: 16 hexadecimal digits, `-` and 43 characters of base64url")
            }
            return name
        }
        if reader.isPresent("id"), reader.isPresent("key") { reader.refuse("key", .conflict(with: ["id"])) }
        for item in items where item.value.isEmpty && table.parameter(named: item.name) != nil {
            reader.refuse(item.name, .malformed(allowed: "given a value; leave it out to purge everything"))
        }
        try reader.finish()
        if let id { return .asset(id) }
        if let key { return .rendition(key) }
        return .whole
    }

    private static func json(_ result: PurgeResult) -> String {
        var json = JSONText()
        json.object { json in
            json.name("memory")
            json.number(result.memory)
            json.name("disk")
            json.number(result.disk)
        }
        return json.text + "\n"
    }
}
