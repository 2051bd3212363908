import CardPlan
import HTTPMessage
import HTTPServer
import JSON
import Originals
import Parameters
import Renditions
import ResponseCache

/// `DELETE /cache`: purges what was made of an asset or a template, one rendition, or everything.
enum CacheEndpoint {
    static let table = ParameterTable([.init("id"), .init("key"), .init("template")])

    /// On a worker, as it waits for the disk. Carried out also when the client leaves: half a purge helps nobody.
    static func purge(_ context: RequestContext) throws(EndpointError) -> Answer {
        try context.checkMayWrite()
        let service = context.service
        let items = try context.queryItems()
        let scope: PurgeScope
        do throws(ParameterFaults) {
            scope = try Self.scope(items, service.originals, mapOrigins: service.maps.origins)
        } catch {
            throw .parameters(error)
        }
        return try context.onWorker { () throws(EndpointError) in
            let result = service.purge(scope)
            service.metrics.purged(scope)
            return context.json(json(result))
        }
    }

    /// A parameter without a value is a fault: a script whose variable is empty must not purge everything.
    static func scope(
        _ items: [QueryItem], _ originals: Originals, mapOrigins: OriginList = .none
    ) throws(ParameterFaults) -> PurgeScope {
        var reader = ParameterReader(items, table: table)
        let id = reader.value("id") { text throws(ParameterFault.Reason) in
            do throws(OriginalError) {
                return try originals.canonicalID(text)
            } catch {
                // The address of map data; it may be on a list of its own.
                if let url = try? OriginURL(text), mapOrigins.contains(url.origin) { return url.description }
                throw ParameterFault(error)?.reason
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
        let template = reader.value("template") { text throws(ParameterFault.Reason) in
            guard CardTemplate.isName(text) else { throw .malformed(allowed: "the name of a template of cards") }
            return text
        }
        let given = reader.present(table.parameters.map(\.name))
        if let first = given.first { for name in given.dropFirst() { reader.refuse(name, .conflict(with: [first])) } }
        for item in items where item.value.isEmpty && table.parameter(named: item.name) != nil {
            reader.refuse(item.name, .malformed(allowed: "given a value; leave it out to purge everything"))
        }
        try reader.finish()
        if let id { return .asset(id) }
        if let key { return .rendition(key) }
        if let template { return .asset(CardSubject.group(of: template)) }
        return .whole
    }

    private static func json(_ result: PurgeResult) -> String {
        JSONText.line { json in
            json.member("memory", result.memory)
            json.member("disk", result.disk)
        }
    }
}
