import ClientBudgets
import HTTPMessage
import HTTPServer
import URLSigning

extension Problem {
    init(_ refusal: URLSignature.Refusal) {
        switch refusal {
        case .unsigned:
            self.init(
                .forbidden, "signature-required", "A signature is needed",
                detail: "Use the URL as the site that shows the image gives it. It ends with `sig`.")
        case .wrong:
            self.init(
                .forbidden, "signature-wrong", "The signature is wrong",
                detail: """
                    `sig` must be of a key of this server, over the canonical form of this URL and its `expires` or `allow`. \
                    `veduta sign` prints both.
                    """)
        case .outsideSet:
            self.init(
                .forbidden, "signature-outside-set", "The signature does not cover this request",
                detail: "The path or a parameter breaks a rule of `allow`.")
        case .expired:
            self.init(
                .gone, "signature-expired", "The signature has expired",
                detail: "The time in `expires` is over. Get a new URL from the site that shows the image.")
        }
    }

    init(_ restricted: Restricted) {
        let (thing, setting) =
            switch restricted {
            case .listing: ("The list of assets", "--listing")
            case .originals: ("Download of originals", "--originals")
            case .metadata: ("Reading descriptions and embedded metadata", "--metadata")
            case .explain: ("`explain`", "--explain")
            }
        self.init(
            .forbidden, "access-disabled", "The operator has disabled this",
            detail: "\(thing) is not for everybody on this server (`\(setting)`).")
    }

    init(_ refusal: BudgetRefusal) {
        self.init(
            .tooManyRequests, "budget-exhausted", "You have used up your budget",
            detail: """
                This request would take more processor time than you have left. Images in the memory cache cost nothing. Try \
                again in \(refusal.retryAfterSeconds) seconds.
                """,
            retryAfter: refusal.retryAfterSeconds)
        budget = refusal
    }

    /// `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10), in milliseconds of processor time.
    func appendBudget(to fields: inout FieldLines) {
        guard let budget else { return }
        fields.append("RateLimit-Policy", "\"client\";q=\(budget.depthMilliseconds);w=\(budget.windowSeconds)")
        fields.append("RateLimit", "\"client\";r=\(budget.leftMilliseconds);t=\(budget.retryAfterSeconds)")
    }
}
