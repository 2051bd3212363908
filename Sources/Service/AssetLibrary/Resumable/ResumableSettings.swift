package import Reactor

/// Where uploads lie that may be resumed, and how much of them.
package struct ResumableSettings: Sendable {
    /// Their folder, made if it is missing. One process at a time has it.
    package var path: String
    /// The most bytes of one.
    package var byteLimit: Int
    /// How many may be incomplete at a time; as many complete ones are remembered.
    package var countLimit = 1000
    /// The most bytes that all incomplete ones together may come to have.
    package var totalByteLimit: Int
    /// For how many seconds one is kept that nothing happens to.
    package var lifetimeSeconds: Int
    /// Where the time comes from; what lies on disk has the times of the operating system.
    package var clock: Clock

    /// Uploads in `path` with these bounds.
    package init(
        path: String, byteLimit: Int, totalByteLimit: Int = .max, lifetimeSeconds: Int = 86_400, clock: Clock = .system
    ) {
        self.path = path
        self.byteLimit = byteLimit
        self.totalByteLimit = totalByteLimit
        self.lifetimeSeconds = lifetimeSeconds
        self.clock = clock
    }
}

/// What is known of an upload that may be resumed.
package struct ResumableState: Equatable, Sendable {
    /// Its name: 128 random bits in base64url. Who knows it may go on with it.
    package let token: String
    /// How many bytes it is to have.
    package let length: Int
    /// How many it has.
    package internal(set) var offset: Int
    /// What its creator said about it.
    package let metadata: UploadMetadata
    /// When it will be forgotten if nothing happens, in seconds since 1970.
    package internal(set) var expiresUnixSeconds: Int64
    /// What it has become; nil as long as it is nothing.
    package internal(set) var assetID: String?

    /// Whether all bytes are there.
    package var isComplete: Bool { offset == length }
}
