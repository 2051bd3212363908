import HTTPMessage
import Parameters
package import URLSigning

/// Signs URLs without a server, as `veduta sign` does.
package enum URLSigner {
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// Not an http or https URL, nor a path.
        case malformed
        /// Nothing that needs a signature is there.
        case unsigned(path: String)
        /// In words.
        case parameters(String)
        case set(Constraints.Malformed)
        case outsideSet
        /// The signature would have ended already.
        case past
        /// The server takes no such instant: it is after the year 9999.
        case farFuture

        package var description: String {
            switch self {
            case .malformed: "it must be a path such as /asset?id=a.jpg, or a URL with one"
            case .unsigned(let path): "\(path) takes no signature"
            case .parameters(let text): text
            case .outsideSet: "the rules of --allow do not cover it"
            case .past:
                "the signature would have ended already: --expires is in seconds since 1970, --expires-in from now"
            case .farFuture: "the signature would end after the year 9999: give the time in seconds, not milliseconds"
            case .set: "a set must be \(Constraints.allowed)"
            }
        }
    }

    /// When signatures end, of `expires` (seconds since 1970) or `seconds` after `now`; nil: never.
    package static func end(expires: Int64?, orAfter seconds: Int64?, now: Int64) throws(Failure) -> Int64? {
        guard let wanted = expires ?? seconds.map({ now.addingReportingOverflow($0) }).map({ $1 ? .max : $0 }) else {
            return nil
        }
        guard wanted > now else { throw .past }
        guard wanted <= Credentials.expiresLimit else { throw .farFuture }
        return wanted
    }

    /// What a signature of `url` covers.
    package static func message(for url: String, expires: Int64?) throws(Failure) -> String {
        URLSignature.message(for: try resource(url), expires: expires)
    }

    /// `url` with its signature, or with that of a set, in place of any that it has.
    package static func signed(
        _ url: String, with key: SigningKey, expires: Int64?, allow: String?
    ) throws(Failure) -> String {
        let resource = try resource(url)
        var message = URLSignature.message(for: resource, expires: expires)
        if let allow {
            let constraints: Constraints
            do throws(Constraints.Malformed) { constraints = try Constraints(allow) } catch { throw .set(error) }
            guard constraints.allows(resource) else { throw .outsideSet }
            message = URLSignature.message(forSet: allow, expires: expires)
        }
        let credentials = Credentials(
            signature: URLSignature.sign(message, with: key), expires: expires, allow: allow)
        let target = try head(url).withoutQueryItems(named: Credentials.names).target.text
        let place = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let start = place.first.map(String.init) ?? url
        let query = target.split(separator: "?", maxSplits: 1).dropFirst().first.map { $0 + "&" } ?? ""
        return "\(start)?\(query)\(credentials.query)"
    }

    private static func resource(_ url: String) throws(Failure) -> SignedResource {
        let target = try head(url).target
        let endpoint = Endpoint(target)
        guard endpoint.needsSignature(.get) || endpoint.takesSignatures else { throw .unsigned(path: target.path) }
        var items: [QueryItem]
        do throws(ParameterFaults) {
            items = try QueryItems.parse(target.query ?? "")
            items.removeAll { Credentials.names.contains($0.name) }
        } catch {
            throw .parameters(error.faults.map(\.message).joined(separator: " "))
        }
        do throws(EndpointError) {
            return try SignedForm.resource(of: target, endpoint, items)
        } catch {
            throw .parameters(Problem(error).detail)
        }
    }

    static func head(_ url: String) throws(Failure) -> RequestHead {
        var parser = RequestHeadParser()
        let bytes = Array("GET \(url) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        guard case .complete(let head, _) = parser.parse(bytes.span.bytes) else { throw .malformed }
        return head
    }
}
