/// How requests are logged, one line each.
package enum AccessLogFormat: String, CaseIterable, Sendable {
    case off
    /// A JSON object a line.
    case json
    /// The Common Log Format with referrer and user agent (`combined` elsewhere), then request id, microseconds and
    /// `complete` or `incomplete`.
    case common
}
