extension RemoteAccess {
    /// How long to wait, how much to keep and for how long. Times of freshness are in seconds.
    package struct Rules: Sendable, Equatable {
        /// Bytes that are kept in memory, of all sources together.
        package var cacheByteCount = 64 << 20
        /// The most bytes of one tile, document, sprite or range of glyphs, as it comes and decompressed.
        package var byteLimit = 32 << 20
        /// Requests that run at one origin; others wait for their turn.
        package var requestsPerOrigin = 6
        /// How long who draws a picture waits for what it asks for together. Then the origin is left alone for `rest`, and
        /// what comes of the requests is kept for the next.
        package var patience = Duration.seconds(10)
        /// How long an origin is left alone after it could not be reached or was too slow.
        package var rest = Duration.seconds(5)
        /// The longest `Retry-After` that is obeyed.
        package var longestRest = Duration.seconds(600)
        /// For how long an answer counts as fresh that does not say.
        package var lifetime = 3_600
        /// The shortest and the longest lifetime that an answer may give itself. `no-store` and `no-cache` are obeyed.
        package var lifetimes = 10...604_800
        /// For how long it is remembered that there is nothing (404, 410).
        package var absence = 300
        /// For how long another failure is remembered.
        package var failure = 5
        /// For how long what is stale stands in for what cannot be had, where the origin does not say.
        package var staleIfError = 604_800
        /// How soon, and how late at most, an archive is asked whether it has changed.
        package var checks = 60...86_400
        /// When an archive is asked that says nothing of its freshness.
        package var check = 300
        /// How often the validators change of tiles by templates, and of styles that name addresses of other servers
        /// themselves; with them the tags of all pictures of these.
        package var refresh = Duration.seconds(86_400)
        /// The largest archive that is taken whole from an origin that knows no ranges.
        package var wholeArchiveByteCount = 32 << 20
        /// Parts of an archive with no more bytes between them are asked for together.
        package var gap = 64 << 10
        /// The most bytes that are asked for together, but for a single tile.
        package var partByteCount = 4 << 20

        package init() {}
    }
}
