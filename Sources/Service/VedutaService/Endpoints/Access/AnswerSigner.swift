import HTTPMessage
import ImagePlan
import URLSigning

/// Signs the addresses in an answer as the request was signed: with its key, and until its end.
struct AnswerSigner: Sendable {
    let key: SigningKey
    let expires: Int64?

    /// What follows the canonical query of `request`.
    func query(for request: ImageRequest) -> String {
        var signed = request
        signed.spellIDs(OriginURL.oneSpelling)
        let resource = SignedResource(path: "/asset", query: signed.canonical)
        let message = URLSignature.message(for: resource, expires: expires)
        return Credentials(signature: URLSignature.sign(message, with: key), expires: expires).query
    }

    /// In the keys of answers: those of another key or end have other addresses, and so have those of another secret under its id.
    var canonical: String { "signer=\(key.id).\(key.tag)&until=\(expires.map(String.init) ?? "")" }
}
