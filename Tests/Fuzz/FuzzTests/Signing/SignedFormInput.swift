import HTTPMessage
import HTTPServer
import Parameters
import Reactor
import ServiceConfiguration
import URLSigning

@testable import VedutaService

// The first line of an input is a target; a second one is the set of which it is to be.

/// What `scripts/fuzz form` runs: what is signed is let in until it expires, and only then, and the signed form is that of one
/// picture, however it is spelled.
enum SignedFormInput {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let lines = bytes.split(separator: 0x0a, maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let target = lines.first, let head = try? URLSigner.head(target),
            let key = SigningKey(text: keyText)
        else { return }
        let endpoint = Endpoint(head.target)
        guard endpoint.needsSignature(.get) else { return }
        if case .success = admission(head, endpoint) { throw BrokenInvariant("\(target) is let in unsigned") }
        guard let items = try? QueryItems.parse(head.target.query ?? ""), items.count <= QueryItems.countLimit - 3
        else { return }
        let signed: String
        do throws(URLSigner.Failure) {
            signed = try URLSigner.signed(target, with: key, expires: now + 1, allow: lines.dropFirst().first)
        } catch {
            _ = error.description
            return
        }
        try checkAdmission(signed, endpoint)
        try checkForm(head, endpoint)
    }

    private static let now: Int64 = 1_800_000_000
    private static let keyText = "a:" + String(repeating: "AAAA", count: 11)

    private static let rules: AccessRules? = {
        var configuration = Configuration()
        configuration.keys = SigningKey(text: keyText).flatMap { SigningKeys([$0]) }
        return AccessRules(configuration)
    }()

    private static func admission(
        _ head: RequestHead, _ endpoint: Endpoint, at instant: Int64 = SignedFormInput.now
    ) -> Result<AdmittedRequest, EndpointError> {
        guard let rules, let id = RequestID("a") else { return .failure(.routeAbsent) }
        let request = Request(
            head: head, requestID: id, arrived: MonotonicInstant(nanoseconds: 0), content: .none, peer: nil)
        do throws(EndpointError) {
            return .success(
                try rules.admit(request, to: endpoint, .get, writes: WriteGuard(tokens: AccessTokens([])), now: instant)
            )
        } catch {
            _ = Problem(error)
            return .failure(error)
        }
    }

    private static func checkAdmission(_ signed: String, _ endpoint: Endpoint) throws(BrokenInvariant) {
        guard let head = try? URLSigner.head(signed), Endpoint(head.target) == endpoint else {
            throw BrokenInvariant("\(signed) is another resource")
        }
        guard case .success(let admitted) = admission(head, endpoint), admitted.keyID == "a" else {
            throw BrokenInvariant("\(signed) is refused")
        }
        let rest = try? QueryItems.parse(admitted.request.head.target.query ?? "")
        try BrokenInvariant.require(
            rest?.contains { Credentials.names.contains($0.name) } == false, "\(signed) keeps credentials")
        guard case .failure(.signature(.expired)) = admission(head, endpoint, at: now + 10) else {
            throw BrokenInvariant("\(signed) does not expire")
        }
    }

    /// The form that is signed is a target of the same form.
    private static func checkForm(_ head: RequestHead, _ endpoint: Endpoint) throws(BrokenInvariant) {
        guard let form = form(of: head, endpoint) else { throw BrokenInvariant("\(head.target.text) has no form") }
        let text = form.path + (form.query.isEmpty ? "" : "?" + form.query)
        // A form may be longer than what it is made of; the catalogue's is a path alone.
        guard let again = try? URLSigner.head(text), form.path != "/wmts",
            (try? QueryItems.parse(again.target.query ?? "")) != nil
        else { return }
        let other = Endpoint(again.target)
        try BrokenInvariant.require(
            other == endpoint || endpoint == .wmts && other == .tiles, "\(text) is another resource")
        let found = Self.form(of: again, other)
        try BrokenInvariant.require(found == form, "\(text) became \(String(describing: found))")
    }

    private static func form(of head: RequestHead, _ endpoint: Endpoint) -> SignedResource? {
        let plain = head.withoutQueryItems(named: Credentials.names).target
        guard let items = try? QueryItems.parse(plain.query ?? "") else { return nil }
        return try? SignedForm.resource(of: plain, endpoint, items)
    }
}
