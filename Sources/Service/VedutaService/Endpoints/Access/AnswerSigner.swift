import HTTPMessage
import ImagePlan
import Parameters
import URLSigning

/// Signs the addresses in an answer as the request was signed: with its key, and until its end.
struct AnswerSigner: Sendable {
    let key: SigningKey
    let expires: Int64?

    /// What follows the canonical query of `request`.
    func query(for request: ImageRequest) throws(ParameterFaults) -> String {
        let signed = try ImageRequest.signedQuery(
            of: try QueryItems.parse(request.canonical), idSpelling: OriginURL.oneSpelling)
        let message = URLSignature.message(for: SignedResource(path: "/asset", query: signed), expires: expires)
        return Credentials(signature: URLSignature.sign(message, with: key), expires: expires).query
    }

    /// In the keys of answers: those of another key or end have other addresses, and so have those of another secret under its id.
    var canonical: String { "signer=\(key.id).\(key.tag)&until=\(expires.map(String.init) ?? "")" }
}
