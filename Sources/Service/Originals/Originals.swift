package import AssetLibrary
package import Bytes
package import HTTPMessage
import Origin
package import OriginCache

/// The originals of all images: uploads, files of the library, and what is held of other servers.
///
/// Ids get their meaning here: `https://…` and `http://…` are of other servers, `s3://…` are objects in buckets, `~…`
/// is an upload without a name, and all others are names of uploads or paths in the library. Where uploads are objects
/// in a bucket, a file of the library comes first, as looking at it costs nothing.
package struct Originals: Sendable {
    package let library: FolderLibrary?
    package let uploads: UploadLibrary?
    /// Set where uploads go to a bucket instead of a folder.
    package let bucket: UploadBucket?
    package let remote: RemoteOriginals?
    /// nil: whoever looks reads.
    package let reader: LibraryReader?

    package init(
        library: FolderLibrary?, uploads: UploadLibrary? = nil, bucket: UploadBucket? = nil,
        remote: RemoteOriginals? = nil, reader: LibraryReader? = nil
    ) {
        self.library = library
        self.uploads = uploads
        self.bucket = bucket
        self.remote = remote
        self.reader = reader
    }

    /// In bytes; nil where nothing can be uploaded.
    package var uploadLimit: Int? { uploads?.byteLimit ?? bucket?.byteLimit }

    /// The one spelling of `id`, if it can name an original. Touches no disk and no network.
    package func canonicalID(_ id: String) throws(OriginalError) -> String {
        if let source = try remoteSource(id) { return source.id }
        do throws(UploadError) { try UploadLibrary.checkID(id) } catch { throw OriginalError(error, id: id) }
        return id
    }

    /// nil: `id` names an original of another kind.
    /// - Throws: a fault of the id, or that its origin may not be asked.
    package func remoteSource(_ id: String) throws(OriginalError) -> RemoteSource? {
        if Self.webPrefixes.contains(where: { id.utf8.starts(with: $0) }) { return try webSource(id) }
        if id.utf8.starts(with: Self.objectPrefix) { return try objectSource(id) }
        guard let bucket else { return nil }
        do throws(UploadError) { try UploadLibrary.checkID(id) } catch { throw OriginalError(error, id: id) }
        if isInFolder(id) { return nil }
        return RemoteSource(id: id, url: bucket.endpoint, object: try bucket.location(id))
    }

    private func webSource(_ id: String) throws(OriginalError) -> RemoteSource {
        let url: OriginURL
        do throws(OriginURLFault) { url = try OriginURL(id) } catch { throw OriginalError(error, id: id) }
        guard let remote, remote.origins.contains(url.origin) else { throw .remote(.origin(.originNotAllowed)) }
        return RemoteSource(id: url.description, url: url)
    }

    private func objectSource(_ id: String) throws(OriginalError) -> RemoteSource {
        let object: S3Location
        do throws(S3LocationFault) { object = try S3Location(id) } catch { throw OriginalError(error, id: id) }
        guard let remote, let service = remote.objects, remote.readableBuckets.contains(object.bucket)
        else { throw .remote(.origin(.originNotAllowed)) }
        return RemoteSource(id: object.description, url: service.endpoint, object: object)
    }

    /// Whether it may have to be fetched.
    package func mayBeRemote(_ id: String) -> Bool { bucket != nil || ((try? remoteSource(id)) ?? nil) != nil }

    private func isInFolder(_ id: String) -> Bool {
        guard let library, !Self.isUpload(id) else { return false }
        return (try? library.isStateKnown(of: id)) != nil
    }

    /// Whether it may have to be read before its state is known.
    package func mayBeRead(_ id: String) -> Bool { reader != nil && !Self.isUpload(id) }
    package func isFileKnown(_ id: String) -> Bool { isInUploads(id) || reader?.isKnown(id) ?? true }

    /// Fetches or reads what is needed to look at the original. nil: nothing; otherwise `done` is called once it is
    /// there, on any thread, unless the result is called first, because nobody waits any more.
    package func prepare(
        _ id: String, for client: RemoteDirectives, via: [String], done: @escaping @Sendable () -> Void
    ) throws(OriginalError) -> (@Sendable () -> Void)? {
        if let source = (try? remoteSource(id)) ?? nil {
            return try remote?.prepare(source, client, via: via, done: done)
        }
        // Reading goes on though nobody waits.
        guard try readFile(id, done: done) else { return nil }
        return {}
    }

    /// Has another server's original checked in the background, if its time has come.
    package func refresh(_ id: String) {
        guard let source = (try? remoteSource(id)) ?? nil else { return }
        _ = try? remote?.prepare(source, .none, via: [], done: {})
    }

    /// False, and nothing is called, where the file need not be read.
    private func readFile(_ id: String, done: @escaping @Sendable () -> Void) throws(OriginalError) -> Bool {
        guard let reader, !Self.isUpload(id), !isInUploads(id) else { return false }
        return try reader.read(id, done: done)
    }

    private func isInUploads(_ id: String) -> Bool { uploads.map { (try? $0.state(of: id)) != nil } ?? false }

    private static let webPrefixes = ["https://", "http://", "HTTPS://", "HTTP://"].map { Array($0.utf8) }
    private static let objectPrefix = Array("s3://".utf8)

    // MARK: Looking

    /// The state of the original, without opening it; nil where there is none, for good. A remote one must have been
    /// prepared.
    package func state(of id: String) throws(OriginalError) -> OriginalState? {
        if let source = try remoteSource(id) { return try remote?.state(of: source) }
        if let state = try uploadState(id) { return state }
        guard let library, !Self.isUpload(id) else { return nil }
        do throws(LibraryError) {
            return OriginalState(try library.state(of: id))
        } catch .notFound {
            // A library that is gone has lost all its images for now, not this one for good.
            do { try library.checkAvailable() } catch { throw OriginalError(error) }
            return nil
        } catch {
            throw OriginalError(error, id: id)
        }
    }

    /// Refuses the name of a file of the folder, which this service never changes.
    package func checkNotInFolder(_ id: String) throws(OriginalError) {
        guard let library, !Self.isUpload(id) else { return }
        do throws(LibraryError) {
            _ = try library.isStateKnown(of: id)
        } catch .notFound {
            return
        } catch .notRegularFile {
            return
        } catch {
            throw OriginalError(error, id: id)
        }
        throw .readOnly
    }

    /// Refuses a name that an upload cannot have beside the folder: that of a file or folder, or one below a file.
    package func checkFree(_ id: String) throws(OriginalError) {
        try checkNotInFolder(id)
        guard let library, !Self.isUpload(id) else { return }
        let isOccupied: Bool
        do throws(LibraryError) { isOccupied = try library.occupies(id) } catch { throw OriginalError(error, id: id) }
        if isOccupied { throw OriginalError(.nameTaken, id: id) }
    }

    /// Whether only an upload without a name can have this id.
    package static func isUpload(_ id: String) -> Bool { id.utf8.first == UInt8(ascii: "~") }

    private func uploadState(_ id: String) throws(OriginalError) -> OriginalState? {
        guard let uploads else { return nil }
        do throws(LibraryError) {
            return OriginalState(try uploads.state(of: id))
        } catch .notFound, .notRegularFile {
            do throws(LibraryError) { try uploads.checkAvailable() } catch { throw OriginalError(error) }
            return nil
        } catch {
            throw OriginalError(error, id: id)
        }
    }

    // MARK: Reading

    package struct Opened: ~Copyable {
        /// As it was opened, also if it is replaced meanwhile.
        package let state: OriginalState
        package let entityTag: EntityTag?
        /// Whether it is a file of the library, which the operator chose.
        package let isOfLibrary: Bool
        private let source: Source

        private enum Source: ~Copyable {
            case file(OpenedAsset)
            case bytes(SharedBytes)
        }

        package init(_ file: consuming OpenedAsset, isOfLibrary: Bool) {
            self.isOfLibrary = isOfLibrary
            state = OriginalState(file.state)
            entityTag = nil
            source = .file(file)
        }

        package init(_ content: SharedBytes, _ state: OriginalState, _ entityTag: EntityTag?) {
            self.state = state
            self.entityTag = entityTag
            isOfLibrary = false
            source = .bytes(content)
        }

        /// More than `limit` bytes are refused.
        package borrowing func read(limit: Int) throws(LibraryError) -> SharedBytes {
            switch source {
            case .file(let file): return try file.read(limit: limit)
            case .bytes(let content):
                guard content.count <= limit else { throw .tooLarge(limit: limit) }
                return content
            }
        }
    }

    /// nil where there is none. Waits for the disk, never for a network; workers only.
    package func open(_ id: String) throws(OriginalError) -> Opened? {
        if let remote, let source = try remoteSource(id) {
            guard let (content, state, entityTag) = try remote.read(source) else { return nil }
            return Opened(content, state, entityTag)
        }
        if let asset = try openUpload(id) { return Opened(asset, isOfLibrary: false) }
        guard let library, !Self.isUpload(id) else { return nil }
        do throws(LibraryError) {
            return Opened(try library.open(id: id), isOfLibrary: true)
        } catch .notFound {
            return nil
        } catch {
            throw OriginalError(error, id: id)
        }
    }
    private func openUpload(_ id: String) throws(OriginalError) -> OpenedAsset? {
        guard let uploads else { return nil }
        do throws(LibraryError) {
            return try uploads.open(id: id)
        } catch .notFound, .notRegularFile {
            return nil
        } catch {
            throw OriginalError(error, id: id)
        }
    }
}
