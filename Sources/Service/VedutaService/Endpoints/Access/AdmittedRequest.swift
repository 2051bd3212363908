import HTTPServer
import Parameters
import URLSigning

struct AdmittedRequest: Sendable {
    /// Without the parameters that let it in, which decide nothing else.
    var request: Request
    var hasToken = false
    /// What this client may not have.
    var refused: Set<Restricted> = []
    /// The key that signed its URL.
    var keyID: String?
    /// Signs the addresses in an answer that has some.
    var signer: AnswerSigner?
    /// Of its answer: the signature's time, and the token.
    var bound = KeepingBound.none
    /// The parameters of a signed set, for the addresses in a document.
    var setQuery: String?

    init(_ request: Request) { self.request = request }
}

extension AdmittedRequest {
    /// The rules of the signed set that the request came with.
    var constraints: Constraints? {
        guard let setQuery, var items = try? QueryItems.parse(setQuery),
            let allow = (try? Credentials.take(from: &items))?.allow
        else { return nil }
        return try? Constraints(allow)
    }
}
