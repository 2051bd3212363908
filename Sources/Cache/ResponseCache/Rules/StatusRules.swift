import HTTPMessage

/// What a cache has to know about statuses.
enum StatusRules {
    /// Whether a lifetime may be guessed (RFC 9110 §15.1). 206 is among them there, but no parts are kept here.
    static func isHeuristicallyCacheable(_ status: Status) -> Bool {
        switch status.code {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    /// Whether the status is known with all that its definition asks of caches, for `must-understand` (RFC 9111 §5.2.2.3).
    static func isUnderstood(_ status: Status) -> Bool {
        switch status.code {
        case 200, 203, 204, 300...303, 307, 308: true
        case 400...405, 409...411, 413...415, 421, 422, 429, 431, 451: true
        case 500...505, 511: true
        default: false
        }
    }

    /// Whether the answer is about this one request: a part, or what became of its conditions. Kept, it would be served to
    /// requests without them.
    static func isAboutTheRequest(_ status: Status) -> Bool {
        switch status.code {
        case 206, 304, 412, 416: true
        default: false
        }
    }

    /// Whether the answer takes the place of what was stored even though it cannot be stored itself.
    static func supersedes(_ status: Status) -> Bool {
        switch status.code {
        case 404, 410: true
        default: status.code < 400 && !isAboutTheRequest(status)
        }
    }
}
