import AssetLibrary
import Bytes
import HTTPMessage
import Origin

/// The originals of all pictures: uploads, files of the library, and what is held of other servers.
///
/// What ids mean is decided here alone: `https://…` and `http://…` are of other servers, `s3://…` are objects in buckets,
/// `~…` is an upload without a name, and all others are names of uploads or paths in the library. Where uploads are objects
/// in a bucket, a file of the library goes before them, as looking at it costs nothing.
struct Originals: Sendable {
    /// nil: nothing is served from a folder.
    let library: FolderLibrary?
    /// nil: nothing can be uploaded.
    let uploads: UploadLibrary?
    /// Where uploads are kept in a bucket instead of a folder.
    let bucket: UploadBucket?
    /// nil: nothing may be fetched.
    let remote: RemoteOriginals?
    /// Reads what has to be known of files of the library; nil: who looks reads.
    let reader: LibraryReader?

    /// Originals of `library`, `uploads` and the origins that `remote` may ask.
    init(
        library: FolderLibrary?, uploads: UploadLibrary? = nil, bucket: UploadBucket? = nil,
        remote: RemoteOriginals? = nil, reader: LibraryReader? = nil
    ) {
        self.library = library
        self.uploads = uploads
        self.bucket = bucket
        self.remote = remote
        self.reader = reader
    }

    /// The most bytes of an upload; nil where nothing can be uploaded.
    var uploadLimit: Int? { uploads?.byteLimit ?? bucket?.byteLimit }

    /// Checks that `id` can name an original, and returns it in its one spelling. Touches no disk and no network.
    func canonicalID(_ id: String) throws(Problem) -> String {
        if let source = try remoteSource(id) { return source.id }
        do throws(UploadError) {
            try UploadLibrary.checkID(id)
        } catch {
            throw Problem(error, id: id)
        }
        return id
    }

    /// The remote original that `id` names; nil: it names one of another kind.
    ///
    /// - Throws: a fault of the id, or that its origin may not be asked.
    func remoteSource(_ id: String) throws(Problem) -> RemoteSource? {
        if Self.webPrefixes.contains(where: { id.utf8.starts(with: $0) }) { return try webSource(id) }
        if id.utf8.starts(with: Self.objectPrefix) { return try objectSource(id) }
        guard let bucket else { return nil }
        do throws(UploadError) {
            try UploadLibrary.checkID(id)
        } catch {
            throw Problem(error, id: id)
        }
        if isInFolder(id) { return nil }
        return RemoteSource(id: id, url: bucket.endpoint, object: try bucket.location(id))
    }

    private func webSource(_ id: String) throws(Problem) -> RemoteSource {
        let url: OriginURL
        do throws(OriginURLFault) {
            url = try OriginURL(id)
        } catch {
            throw Problem(error, id: id)
        }
        guard let remote, remote.origins.contains(url.origin) else { throw Problem(OriginError.originNotAllowed) }
        return RemoteSource(id: url.description, url: url)
    }

    private func objectSource(_ id: String) throws(Problem) -> RemoteSource {
        let object: S3Location
        do throws(S3LocationFault) {
            object = try S3Location(id)
        } catch {
            throw Problem(error, id: id)
        }
        guard let remote, let service = remote.objects, remote.readableBuckets.contains(object.bucket)
        else {
            throw Problem(OriginError.originNotAllowed)
        }
        return RemoteSource(id: object.description, url: service.endpoint, object: object)
    }

    /// Whether an original with this id may have to be fetched.
    func mayBeRemote(_ id: String) -> Bool { bucket != nil || ((try? remoteSource(id)) ?? nil) != nil }

    /// Whether the library has a file with this id now.
    private func isInFolder(_ id: String) -> Bool {
        guard let library, !Self.isUpload(id) else { return false }
        return (try? library.isStateKnown(of: id)) != nil
    }

    /// Whether an original with this id may have to be read before its state is known.
    func mayBeRead(_ id: String) -> Bool { reader != nil && !Self.isUpload(id) }

    /// Whether nothing has to be read before the state of the file with this id is known.
    func isFileKnown(_ id: String) -> Bool { isInUploads(id) || reader?.isKnown(id) ?? true }

    /// Calls `done` when the file of the library with this id is read; false, and nothing is called, where it need not be.
    func readFile(_ id: String, done: @escaping @Sendable () -> Void) throws(Problem) -> Bool {
        guard let reader, !Self.isUpload(id), !isInUploads(id) else { return false }
        return try reader.read(id, done: done)
    }

    private func isInUploads(_ id: String) -> Bool { uploads.map { (try? $0.state(of: id)) != nil } ?? false }

    private static let webPrefixes = ["https://", "http://", "HTTPS://", "HTTP://"].map { Array($0.utf8) }
    private static let objectPrefix = Array("s3://".utf8)

    // MARK: Looking

    /// The state of the original with `id`, without opening it; nil where there is none, for good. One that is remote is
    /// known when it was prepared; see `PicturePreparation`.
    func state(of id: String) throws(Problem) -> OriginalState? {
        if let source = try remoteSource(id) { return try remote?.state(of: source) }
        if let state = try uploadState(id) { return state }
        guard let library, !Self.isUpload(id) else { return nil }
        do throws(LibraryError) {
            return OriginalState(try library.state(of: id))
        } catch .notFound {
            // A library that is gone has lost all its pictures for now, not this one for good.
            do {
                try library.checkAvailable()
            } catch {
                throw Problem(error)
            }
            return nil
        } catch {
            throw Problem(error, id: id)
        }
    }

    /// Refuses a name that a file of the folder has, which nobody may change by way of this service.
    func checkNotInFolder(_ id: String) throws(Problem) {
        guard let library, !Self.isUpload(id) else { return }
        do throws(LibraryError) {
            _ = try library.isStateKnown(of: id)
        } catch .notFound {
            return
        } catch .notRegularFile {
            return
        } catch {
            throw Problem(error, id: id)
        }
        throw .assetReadOnly
    }

    /// Refuses a name that an upload cannot have beside the folder: that of one of its files or folders, or one below a file.
    func checkFree(_ id: String) throws(Problem) {
        try checkNotInFolder(id)
        guard let library, !Self.isUpload(id) else { return }
        let isOccupied: Bool
        do throws(LibraryError) { isOccupied = try library.occupies(id) } catch { throw Problem(error, id: id) }
        if isOccupied { throw Problem(UploadError.nameTaken) }
    }

    /// Whether nothing but an upload without a name can have this id.
    static func isUpload(_ id: String) -> Bool { id.utf8.first == UInt8(ascii: "~") }

    private func uploadState(_ id: String) throws(Problem) -> OriginalState? {
        guard let uploads else { return nil }
        do throws(LibraryError) {
            return OriginalState(try uploads.state(of: id))
        } catch .notFound, .notRegularFile {
            do throws(LibraryError) { try uploads.checkAvailable() } catch { throw Problem(error) }
            return nil
        } catch {
            throw Problem(error, id: id)
        }
    }

    // MARK: Reading

    /// An original that is ready to be read.
    struct Opened: ~Copyable {
        /// Its state, also when it is replaced while it is read.
        let state: OriginalState
        /// What another server calls it, if it is of one.
        let entityTag: EntityTag?
        private let source: Source

        private enum Source: ~Copyable {
            case file(OpenedAsset)
            case bytes(SharedBytes)
        }

        init(_ file: consuming OpenedAsset) {
            state = OriginalState(file.state)
            entityTag = nil
            source = .file(file)
        }

        init(_ content: SharedBytes, _ state: OriginalState, _ entityTag: EntityTag?) {
            self.state = state
            self.entityTag = entityTag
            source = .bytes(content)
        }

        /// All of it; more than `limit` bytes are refused.
        borrowing func read(limit: Int) throws(LibraryError) -> SharedBytes {
            switch source {
            case .file(let file): return try file.read(limit: limit)
            case .bytes(let content):
                guard content.count <= limit else { throw .tooLarge(limit: limit) }
                return content
            }
        }
    }

    /// Opens the original with `id`; nil where there is none. It waits for the disk, never for a network; workers only.
    func open(_ id: String) throws(Problem) -> Opened? {
        if let remote, let source = try remoteSource(id) {
            guard let (content, state, entityTag) = try remote.read(source) else { return nil }
            return Opened(content, state, entityTag)
        }
        if let asset = try openUpload(id) { return Opened(asset) }
        guard let library, !Self.isUpload(id) else { return nil }
        do throws(LibraryError) {
            return Opened(try library.open(id: id))
        } catch .notFound {
            return nil
        } catch {
            throw Problem(error, id: id)
        }
    }
    private func openUpload(_ id: String) throws(Problem) -> OpenedAsset? {
        guard let uploads else { return nil }
        do throws(LibraryError) {
            return try uploads.open(id: id)
        } catch .notFound, .notRegularFile {
            return nil
        } catch {
            throw Problem(error, id: id)
        }
    }
}
