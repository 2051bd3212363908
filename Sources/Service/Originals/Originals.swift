package import AssetLibrary
package import OriginCache
package import Reactor

/// The originals of all images: uploads, files of the library, and what is held of other servers.
///
/// Here a loop looks at them and has them fetched. `Originals+IDs` says what ids mean; workers read originals by
/// `Originals+Reading`.
package struct Originals: Sendable {
    package let library: FolderLibrary?
    package let uploads: UploadLibrary?
    /// Set where uploads go to a bucket instead of a folder.
    package let bucket: UploadBucket?
    package let remote: RemoteOriginals?
    /// nil: files are read on the calling thread.
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

    /// Whether it may have to be read before its state is known.
    package func mayBeRead(_ id: String) -> Bool { reader != nil && !Self.isUpload(id) }
    package func isFileKnown(_ id: String) -> Bool { isInUploads(id) || reader?.isKnown(id) ?? true }

    /// Fetches or reads what is needed to look at the original. nil: nothing; otherwise `done` is called once it is
    /// there, or with why it is not read, on any thread, unless the result is called first, because nobody waits any more.
    /// Everything is fetched and read in the turn of `network`.
    package func prepare(
        _ id: String, for client: RemoteDirectives, via: [String], of network: ClientNetwork?,
        done: @escaping @Sendable (OriginalError?) -> Void
    ) throws(OriginalError) -> (@Sendable () -> Void)? {
        if let source = (try? remoteSource(id)) ?? nil {
            guard let remote else { return nil }
            let begun = ClientNetwork.$current.withValue(network) {
                Result<(@Sendable () -> Void)?, OriginalError> { () throws(OriginalError) in
                    try remote.prepare(source, client, via: via, done: { done(nil) })
                }
            }
            return try begun.get()
        }
        guard let reader, !Self.isUpload(id), !isInUploads(id) else { return nil }
        return try reader.read(id, for: network, done: done)
    }

    /// See ``OriginCache/wake(after:_:)``; nothing where no other server is asked.
    package func wake(after duration: Duration, _ body: @escaping @Sendable () -> Void) {
        remote?.cache.wake(after: duration, body)
    }

    /// Has another server's original checked in the background, if its time has come.
    package func refresh(_ id: String) {
        guard let source = (try? remoteSource(id)) ?? nil else { return }
        _ = try? remote?.prepare(source, .none, via: [], done: {})
    }

    private func isInUploads(_ id: String) -> Bool { uploads.map { (try? $0.state(of: id)) != nil } ?? false }

    // MARK: Looking

    /// The state of the original, without opening it; nil where there is none, for good. A remote one must have been
    /// prepared.
    package func state(of id: String) throws(OriginalError) -> OriginalState? {
        if let source = try remoteSource(id) { return try remote?.state(of: source) }
        do throws(OriginalError) {
            if let state = try uploadState(id) { return state }
        } catch {
            // No upload has the name of a file in the folder.
            guard let library, !Self.isUpload(id), let state = try? library.state(of: id) else { throw error }
            return OriginalState(state)
        }
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
}
