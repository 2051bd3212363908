package import AssetLibrary
package import Bytes
package import HTTPMessage
package import OriginCache

// Workers read originals, after a loop has looked at their state.
extension Originals {
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

        /// More than `limit` bytes are refused. `forAnotherProcess`: what is read from a file can be passed on without a copy.
        package borrowing func read(limit: Int, forAnotherProcess: Bool = false) throws(LibraryError) -> SharedBytes {
            switch source {
            case .file(let file): return try file.read(limit: limit, forAnotherProcess: forAnotherProcess)
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
        do throws(OriginalError) {
            if let asset = try openUpload(id) { return Opened(asset, isOfLibrary: false) }
        } catch {
            // No upload has the name of a file in the folder.
            guard let library, !Self.isUpload(id), let asset = try? library.open(id: id) else { throw error }
            return Opened(asset, isOfLibrary: true)
        }
        guard let library, !Self.isUpload(id) else { return nil }
        do throws(LibraryError) {
            return Opened(try library.open(id: id), isOfLibrary: true)
        } catch .notFound {
            return nil
        } catch {
            throw OriginalError(error, id: id)
        }
    }

    /// The original of another server with its content where that is, to be sent from there; nil where there is none. Waits for
    /// the disk, never for a network; workers only.
    package func openFetched(_ id: String) throws(OriginalError) -> CachedAnswer? {
        guard let remote, let source = try remoteSource(id) else { return nil }
        return try remote.open(source)
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
