import AssetLibrary
import Bytes
import Origin

/// The originals of all pictures: files of the library, and what is held of other servers.
///
/// What ids mean is decided here alone: `https://…` and `http://…` are remote, all others are paths in the library.
struct Originals: Sendable {
    /// nil: nothing is served from a folder.
    let library: FolderLibrary?
    /// nil: nothing may be fetched.
    let remote: RemoteOriginals?

    /// Originals of `library` and of the origins that `remote` may ask.
    init(library: FolderLibrary?, remote: RemoteOriginals? = nil) {
        self.library = library
        self.remote = remote
    }

    /// Checks that `id` can name an original, and returns it in its one spelling. Touches no disk and no network.
    func canonicalID(_ id: String) throws(Problem) -> String {
        if let source = try remoteSource(id) { return source.id }
        do throws(LibraryError) {
            try FolderLibrary.checkID(id)
        } catch {
            throw Problem(error, id: id)
        }
        return id
    }

    /// The remote original that `id` names; nil: it names one of another kind.
    ///
    /// - Throws: a fault of the id, or that its origin may not be asked.
    func remoteSource(_ id: String) throws(Problem) -> RemoteSource? {
        guard Self.remotePrefixes.contains(where: { id.utf8.starts(with: $0) }) else { return nil }
        let url: OriginURL
        do throws(OriginURLFault) {
            url = try OriginURL(id)
        } catch {
            throw Problem(error, id: id)
        }
        guard let remote, remote.parts.origins.contains(url.origin) else { throw Problem(OriginError.originNotAllowed) }
        return RemoteSource(id: url.description, url: url)
    }

    private static let remotePrefixes = ["https://", "http://", "HTTPS://", "HTTP://"].map { Array($0.utf8) }

    // MARK: Looking

    /// The state of the original with `id`, without opening it; nil where there is none, for good. One that is remote is
    /// known when it was prepared; see `PicturePreparation`.
    func state(of id: String) throws(Problem) -> OriginalState? {
        if let source = try remoteSource(id) { return try remote?.state(of: source) }
        guard let library else { return nil }
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

    // MARK: Reading

    /// An original that is ready to be read.
    struct Opened: ~Copyable {
        /// Its state, also when it is replaced while it is read.
        let state: OriginalState
        private let source: Source

        private enum Source: ~Copyable {
            case file(OpenedAsset)
            case octets(SharedBytes)
        }

        init(_ file: consuming OpenedAsset) {
            state = OriginalState(file.state)
            source = .file(file)
        }

        init(_ content: SharedBytes, _ state: OriginalState) {
            self.state = state
            source = .octets(content)
        }

        /// All of it; more than `limit` octets are refused.
        borrowing func read(limit: Int) throws(LibraryError) -> SharedBytes {
            switch source {
            case .file(let file): return try file.read(limit: limit)
            case .octets(let content):
                guard content.count <= limit else { throw .tooLarge(limit: limit) }
                return content
            }
        }
    }

    /// Opens the original with `id`; nil where there is none. It waits for the disk, never for a network; workers only.
    func open(_ id: String) throws(Problem) -> Opened? {
        if let remote, let source = try remoteSource(id) {
            guard let (content, state) = try remote.read(source) else { return nil }
            return Opened(content, state)
        }
        guard let library else { return nil }
        do throws(LibraryError) {
            return Opened(try library.open(id: id))
        } catch .notFound {
            return nil
        } catch {
            throw Problem(error, id: id)
        }
    }
}
