import HTTPMessage

enum StatusRules {
    /// Whether a lifetime may be guessed (RFC 9110 §15.1, without 206, as no parts are stored).
    static func isHeuristicallyCacheable(_ status: Status) -> Bool {
        switch status.code {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    /// Whether all that the status's definition asks of caches is known, for `must-understand` (RFC 9111 §5.2.2.3).
    static func isUnderstood(_ status: Status) -> Bool {
        switch status.code {
        case 200, 203, 204, 300...303, 307, 308: true
        case 400...405, 409...411, 413...415, 421, 422, 429, 431, 451: true
        case 500...505, 511: true
        default: false
        }
    }

    /// Whether the response is a part or about conditions, and so for this one request alone.
    static func isAboutTheRequest(_ status: Status) -> Bool {
        switch status.code {
        case 206, 304, 412, 416: true
        default: false
        }
    }

    /// Whether the response replaces what was stored even if it cannot be stored itself.
    static func supersedes(_ status: Status) -> Bool {
        switch status.code {
        case 404, 410: true
        default: status.code < 400 && !isAboutTheRequest(status)
        }
    }
}
