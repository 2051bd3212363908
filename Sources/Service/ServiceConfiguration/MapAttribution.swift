/// Whether pictures of maps have to name their sources.
package enum MapAttribution: String, CaseIterable, Sendable {
    /// Always: most sources of maps ask for it.
    case required
    /// Unless a request has `attribution=none`, for pages that name the sources themselves.
    case optional
}
