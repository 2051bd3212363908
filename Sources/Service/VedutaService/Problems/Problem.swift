import HTTPMessage
import JSON
import Parameters
import Renditions

/// An answer that is no picture: what went wrong and what to do about it, as `application/problem+json` (RFC 9457).
struct Problem: Error, Equatable, Sendable {
    /// The status it is answered with.
    let status: Status
    /// The stable last part of its type URI; `openapi.yaml` lists them.
    let type: String
    /// What every problem of this type has in common.
    let title: String
    /// What is wrong this time and what to do; safe to show.
    let detail: String
    /// The faulty parameters, in the order of the URL.
    var faults: [ParameterFault] = []
    /// The limits of the server that the picture would break.
    var excesses: [LimitExcess] = []
    /// When to try again.
    var retryAfterSeconds: Int?
    /// The methods that would be right, for 405.
    var allow: String?
    /// How to authenticate, for 401 (RFC 6750 §3).
    var challenge: String?
    /// How many bytes the representation has, for 416.
    var representationByteCount: Int?
    /// The cause, for the log only.
    var log: String?

    init(_ status: Status, _ type: String, _ title: String, detail: String) {
        self.status = status
        self.type = type
        self.title = title
        self.detail = detail
    }

    /// Type URIs are names, not addresses.
    static let typePrefix = "urn:problem-type:veduta:"

    /// The JSON text, which names the request so that a report can be matched with the log.
    func json(requestID: String?) -> String {
        var json = JSONText()
        json.object { json in
            json.name("type")
            json.string(Self.typePrefix + type)
            json.name("title")
            json.string(title)
            json.name("status")
            json.number(status.code)
            json.name("detail")
            json.string(detail)
            if let requestID {
                json.name("requestId")
                json.string(requestID)
            }
            if !faults.isEmpty {
                json.name("parameters")
                json.array { json in
                    for fault in faults { Self.write(fault, into: &json) }
                }
            }
            if !excesses.isEmpty {
                json.name("limits")
                json.array { json in
                    for excess in excesses { Self.write(excess, into: &json) }
                }
            }
        }
        return json.text + "\n"
    }

    private static func write(_ excess: LimitExcess, into json: inout JSONText) {
        json.object { json in
            json.name("setting")
            json.string(excess.setting.rawValue)
            json.name("unit")
            json.string(excess.setting.unit)
            json.name("limit")
            json.number(excess.limit)
            json.name("needed")
            json.number(excess.needed)
        }
    }

    private static func write(_ fault: ParameterFault, into json: inout JSONText) {
        json.object { json in
            json.name("parameter")
            json.string(fault.parameter)
            json.name("value")
            json.string(fault.value)
            json.name("detail")
            json.string(fault.message)
            switch fault.reason {
            case .unknown(let suggestion?):
                json.name("suggestion")
                json.string(suggestion)
            case .malformed(let allowed), .outOfRange(let allowed), .notSupportedYet(let allowed?):
                json.name("allowed")
                json.string(allowed)
            case .unknown(nil), .notSupportedYet(nil), .repeated, .missing, .conflict, .incomplete, .badEncoding,
                .tooManyItems:
                break
            }
        }
    }
}
