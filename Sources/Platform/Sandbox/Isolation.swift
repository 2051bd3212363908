/// Which images are decoded in processes that may do nothing else.
package enum Isolation: String, CaseIterable, Sendable {
    case all
    /// Uploads and images of other servers, and all drawings.
    case untrusted
    case off
}
