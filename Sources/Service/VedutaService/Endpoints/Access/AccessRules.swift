import HTTPMessage
import HTTPServer
import Parameters
import ServiceConfiguration
import URLSigning

/// What the configuration demands of requests before anything is looked up for them. Where it demands nothing there are no
/// rules, and requests pay nothing.
final class AccessRules: Sendable {
    private let hosts: HostNames?
    private let keys: SigningKeys?
    private let unsigned: Set<UnsignedRequests>
    private let varied: VariedFields
    private let levels: [AccessLevel]
    private let hidesMetrics: Bool
    /// Whether a signature opens the page of maps in place of the token: only keys close it.
    private let mapsPageTakesSignatures: Bool

    /// nil: everybody may everything.
    init?(_ configuration: Configuration) {
        hosts = configuration.hosts
        keys = configuration.keys
        unsigned = configuration.unsigned
        varied = VariedFields(usesHints: configuration.clientHints)
        // Lists tell for what a signature could be wanted.
        let isListingOpen = configuration.listing == .on && configuration.keys == nil
        levels = [
            isListingOpen ? .on : configuration.listing == .off ? .off : .token, configuration.originals,
            configuration.metadata, configuration.explain,
        ]
        hidesMetrics = configuration.metricsListen != nil
        mapsPageTakesSignatures = configuration.listing == .on && configuration.keys != nil
        if hosts == nil, keys == nil, !hidesMetrics, levels.allSatisfy({ $0 == .on }) { return nil }
    }

    var wantsSignatures: Bool { keys != nil }

    /// Whether everybody may know of images what `/assets/{id}` tells.
    var tellsFactsToAll: Bool { keys == nil && levels[Restricted.metadata.rawValue] == .on }

    /// Lets a request in, or throws why not. `now` is in seconds since 1970.
    func admit(
        _ request: Request, to endpoint: Endpoint, _ method: Method, writes: WriteGuard, now: Int64
    ) throws(EndpointError) -> AdmittedRequest {
        let head = request.head
        // Health checks use the address of a container.
        if endpoint == .healthLive || endpoint == .healthReady { return AdmittedRequest(request) }
        if let hosts, !(head.authority.map(hosts.contains) ?? false) { throw .misdirected }
        if hidesMetrics, endpoint == .metrics { throw .routeAbsent }
        guard method != .options else { return AdmittedRequest(request) }
        var admission = AdmittedRequest(request)
        admission.hasToken = writes.admits(head)
        admission.refused = Set(Restricted.allCases.filter { !allows($0, hasToken: admission.hasToken) })
        admission.bound.isPrivate = admission.hasToken && needsToken(endpoint, method)
        let isSigned = mapsPageTakesSignatures && endpoint.takesSignatures && hasSignature(head)
        if let restricted = endpoint.restricted(method), admission.refused.contains(restricted), !isSigned {
            throw refusal(restricted, head, writes)
        }
        if let keys, endpoint.needsSignature(method) || isSigned { try check(&admission, endpoint, keys, now: now) }
        return admission
    }

    /// Whether content is read for a request before its signature can be checked, which covers the content. For those who name
    /// no key of this server, it holds nothing.
    func takesContent(of head: RequestHead, to endpoint: Endpoint, _ writes: WriteGuard) -> Bool {
        if let hosts, !(head.authority.map(hosts.contains) ?? false) { return false }
        guard let keys, endpoint.needsSignature(head.method), !writes.admits(head) else { return true }
        do throws(ParameterFaults) {
            var items = try QueryItems.parse(head.target.query ?? "")
            return try Credentials.take(from: &items).signature.map(keys.know) ?? false
        } catch {
            return false
        }
    }

    func refusal(_ restricted: Restricted, _ head: RequestHead, _ writes: WriteGuard) -> EndpointError {
        guard levels[restricted.rawValue] == .token else { return .disabled(restricted) }
        do throws(WriteGuard.Refusal) { try writes.check(head) } catch { return .unauthorized(error) }
        return .disabled(restricted)
    }

    /// Whether the answer may hold what only the token allows: that of `/asset` by its parameters, of `/iiif` by its path.
    private func needsToken(_ endpoint: Endpoint, _ method: Method) -> Bool {
        if let restricted = endpoint.restricted(method) { return levels[restricted.rawValue] == .token }
        return (endpoint == .asset || endpoint == .iiif) && levels[Restricted.metadata.rawValue] == .token
    }

    private func allows(_ restricted: Restricted, hasToken: Bool) -> Bool {
        switch levels[restricted.rawValue] {
        case .on: true
        case .token: hasToken
        case .off: false
        }
    }

    private func check(
        _ admission: inout AdmittedRequest, _ endpoint: Endpoint, _ keys: SigningKeys, now: Int64
    ) throws(EndpointError) {
        let request = admission.request
        var items: [QueryItem]
        let credentials: Credentials
        do throws(ParameterFaults) {
            items = try QueryItems.parse(request.head.target.query ?? "")
            credentials = try Credentials.take(from: &items)
        } catch {
            throw .parameters(error)
        }
        let head = request.head.withoutQueryItems(named: Credentials.names)
        admission.request = request.with(head)
        guard let signature = credentials.signature else {
            if isUnsigned(endpoint, items, request.head.fields) { return }
            guard admission.hasToken else { throw .signature(.unsigned) }
            admission.bound.isPrivate = true
            return
        }
        // Before anything is hashed, or brought into the form that is signed.
        guard keys.know(signature) else { throw .signature(.wrong) }
        let resource = try SignedForm.resource(of: admission.request, endpoint, items)
        do throws(URLSignature.Refusal) {
            admission.keyID = try URLSignature.check(credentials, for: resource, keys: keys, now: now)
        } catch {
            throw .signature(error)
        }
        if endpoint == .srcset, let key = admission.keyID.flatMap({ keys[$0[...]] }) {
            admission.signer = AnswerSigner(key: key, expires: credentials.expires)
        }
        // `now` was rounded down, and the second in which the signature ends is not whole.
        if let expires = credentials.expires { admission.bound.seconds = max(0, Int(expires - now) - 1) }
        if credentials.allow != nil { admission.setQuery = credentials.query }
    }

    private func hasSignature(_ head: RequestHead) -> Bool {
        guard let items = try? QueryItems.parse(head.target.query ?? "") else { return false }
        return items.contains { $0.name == "sig" && !$0.value.isEmpty }
    }

    private func isUnsigned(_ endpoint: Endpoint, _ items: [QueryItem], _ fields: Fields) -> Bool {
        endpoint == .asset
            && (unsigned.contains(.presets) && PlainRequest.isPreset(items)
                || unsigned.contains(.small) && PlainRequest.isSmall(items, varied.hints(fields)))
    }
}

extension Endpoint {
    fileprivate func restricted(_ method: Method) -> Restricted? {
        guard method.isRead else { return nil }
        return switch self {
        case .assets, .index, .maps: .listing
        case .original: .originals
        case .assetDescription, .assetPages: .metadata
        default: nil
        }
    }

    /// Whether a signature may take the place of the token: the page shows no more than what the signature covers.
    var takesSignatures: Bool { self == .maps }

    /// Whether it shows images or maps, or tells of them.
    func needsSignature(_ method: Method) -> Bool {
        switch self {
        case .map, .poll, .avatar, .card: method.isRead || method == .post
        case .asset, .srcset, .tiles, .data, .wmts, .styles, .sprites, .glyphs, .mapDescription, .pollDescription,
            .hashedAvatar, .namedAvatar, .original, .assetPages, .assetDescription, .iiif:
            method.isRead
        default: false
        }
    }
}
