import Bytes
import HTTPMessage
import HTTPServer
import Parameters
import Reactor
import ResponseCache

/// `DELETE /cache`: forgets what was made of an asset, one picture, or everything.
struct CacheRoute {
    /// What is to be forgotten.
    enum Scope: Equatable, Sendable {
        /// All pictures made of the asset with this id.
        case asset(String)
        /// One picture, by the key that `Cache-Status` shows.
        case picture(KeptName)
        /// Everything.
        case whole
    }

    /// The parameters.
    static let table = ParameterTable([.init("id"), .init("key")])

    private let service: ServiceParts

    init(_ service: ServiceParts) {
        self.service = service
    }

    /// Purges on a worker, as it waits for the disk, and answers when it is done.
    func purge(
        _ request: Request, _ writes: WriteGuard, _ lines: PolicyLines, _ responder: Responder
    ) throws(Problem) -> Answer {
        do throws(WriteGuard.Refusal) {
            try writes.check(request.head)
        } catch {
            throw Problem(error)
        }
        let scope: Scope
        do {
            scope = try Self.scope(try QueryItems.parse(request.head.target.query ?? ""), service.originals)
        } catch {
            throw Problem(error)
        }
        let service = service
        // It is carried out also when its client leaves: half a purge helps nobody.
        let isAdmitted = service.workers.submit {
            let result = service.delivery.purge(scope)
            service.metrics.purged(scope)
            service.metrics.answered(.cache, .ok)
            responder.respond(Self.response(result, lines))
        }
        guard isAdmitted else { throw .overloaded }
        return .later(onAbandon: {})
    }

    /// Reads the query. A parameter without a value is a fault here and not absent: a script whose variable is empty is not
    /// to purge everything.
    static func scope(_ items: [QueryItem], _ originals: Originals) throws(ParameterFaults) -> Scope {
        var reader = ParameterReader(items, table: table)
        let id = reader.value("id") { text throws(ParameterFault.Reason) in
            do throws(Problem) {
                return try originals.canonicalID(text)
            } catch {
                throw error.faults.first?.reason ?? .malformed(allowed: "the id of a picture that may be served")
            }
        }
        let key = reader.value("key") { text throws(ParameterFault.Reason) in
            guard let name = KeptName(text) else {
                throw .malformed(
                    allowed: "a key as Cache-Status shows it: 16 hexadecimal digits, `-`, 43 characters of base64url")
            }
            return name
        }
        if reader.isPresent("id"), reader.isPresent("key") { reader.refuse("key", .conflict(with: ["id"])) }
        for item in items where item.value.isEmpty && table.parameter(named: item.name) != nil {
            reader.refuse(item.name, .malformed(allowed: "given a value; leave it out to purge everything"))
        }
        try reader.finish()
        if let id { return .asset(id) }
        if let key { return .picture(key) }
        return .whole
    }

    private static func response(_ result: PurgeResult, _ lines: PolicyLines) -> Response {
        var json = JSONText()
        json.object { json in
            json.name("memory")
            json.number(result.memory)
            json.name("disk")
            json.number(result.disk)
        }
        var fields = FieldLines()
        fields.append(.contentType, literal: "application/json")
        fields.append(.cacheControl, literal: "no-store")
        fields.append(.xContentTypeOptions, literal: "nosniff")
        fields.append(lines.common)
        return Response(status: .ok, fields: fields, content: SharedBytes(Array((json.text + "\n").utf8)))
    }
}
