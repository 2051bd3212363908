import ClientBudgets
import HTTPMessage
import JSON
import Parameters
import Renditions

/// What went wrong and what to do about it, as `application/problem+json` (RFC 9457).
struct Problem: Error, Equatable, Sendable {
    let status: Status
    /// The stable last part of its type URI; `openapi.yaml` lists them.
    let type: String
    /// The same for all problems of the type.
    let title: String
    /// Of this time; safe to show.
    let detail: String
    /// In the order of the URL.
    var faults: [ParameterFault] = []
    /// Limits that the image would break.
    var excesses: [LimitExcess] = []
    var retryAfterSeconds: Int?
    /// For 429.
    var budget: BudgetRefusal?
    /// The allowed methods, for 405.
    var allow: String?
    /// For 401 (RFC 6750 §3).
    var challenge: String?
    /// For 416.
    var representationByteCount: Int?
    /// The cause, for the log only.
    var log: String?

    init(
        _ status: Status, _ type: String, _ title: String, detail: String, retryAfter seconds: Int? = nil,
        log: String? = nil
    ) {
        self.status = status
        self.type = type
        self.title = title
        self.detail = detail
        self.log = log
        retryAfterSeconds = seconds
    }

    /// Type URIs are names, not addresses.
    static let typePrefix = "urn:problem-type:veduta:"

    /// Names the request so that a report can be matched with the log.
    func json(requestID: String?) -> String {
        JSONText.line { json in
            json.member("type", Self.typePrefix + type)
            json.member("title", title)
            json.member("status", status.code)
            json.member("detail", detail)
            if let requestID { json.member("requestId", requestID) }
            if !faults.isEmpty { json.array("parameters", of: faults) { Self.write($1, into: &$0) } }
            if !excesses.isEmpty { json.array("limits", of: excesses) { Self.write($1, into: &$0) } }
        }
    }

    private static func write(_ excess: LimitExcess, into json: inout JSONText) {
        json.object { json in
            json.member("setting", excess.setting.rawValue)
            json.member("unit", excess.setting.unit)
            json.member("limit", excess.limit)
            json.member("needed", excess.needed)
        }
    }

    private static func write(_ fault: ParameterFault, into json: inout JSONText) {
        json.object { json in
            json.member("parameter", fault.parameter)
            json.member("value", fault.value)
            json.member("detail", fault.message)
            switch fault.reason {
            case .unknown(let suggestion?): json.member("suggestion", suggestion)
            case .malformed(let allowed), .outOfRange(let allowed), .notSupportedYet(let allowed?):
                json.member("allowed", allowed)
            case .unknown(nil), .notSupportedYet(nil), .repeated, .missing, .conflict, .incomplete, .badEncoding,
                .tooManyItems:
                break
            }
        }
    }
}
