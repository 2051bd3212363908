import Reactor
import Synchronization

// Large files go in parts (CreateMultipartUpload, UploadPart, CompleteMultipartUpload), each of which is sent again where its
// connection breaks. Parts that were sent cost money until the upload is completed or aborted.
extension S3Storage {
    /// Reads the file for the digests of its parts first.
    func putParts(
        _ location: S3Location, of file: SharedFile, contentType: String?, ifAbsent: Bool,
        completion: @escaping @Sendable (Result<String, OriginError>) -> Void
    ) {
        guard file.byteCount <= S3PartRules.objectLimit else {
            return completion(.failure(.tooLarge(limit: S3PartRules.objectLimit)))
        }
        var parts: [S3MultipartUpload.Part] = []
        for range in rules.ranges(of: file.byteCount) {
            guard let digest = Self.digest(of: .part(file, range)) else { return completion(.failure(.notKept)) }
            parts.append(S3MultipartUpload.Part(range: range, digest: digest))
        }
        let upload = S3MultipartUpload(
            self, location, of: file, parts, contentType: contentType, ifAbsent: ifAbsent, completion: completion)
        guard running.insert(upload) else { return completion(.failure(.cancelled)) }
        upload.start()
    }

    /// Aborts the uploads in parts that run, and takes no more. Waits until S3 knows, `patience` at most; before the fetcher
    /// is stopped.
    package func stopUploads(within patience: Duration) {
        let deadline = Clock.system.monotonic() + patience
        for upload in running.close() { upload.stop() }
        while running.count > 0, Clock.system.monotonic() < deadline { Processors.pause(.milliseconds(5)) }
        for upload in running.removeAll() { upload.abandon() }
    }
}

/// The uploads in parts that run.
final class S3RunningUploads: Sendable {
    private struct State {
        var uploads: [ObjectIdentifier: S3MultipartUpload] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.uploads.count } }

    /// False when no more are taken.
    func insert(_ upload: S3MultipartUpload) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.uploads[ObjectIdentifier(upload)] = upload
            return true
        }
    }

    func remove(_ upload: S3MultipartUpload) {
        // It is released after the lock.
        _ = state.withLock { $0.uploads.removeValue(forKey: ObjectIdentifier(upload)) }
    }

    func removeAll() -> [S3MultipartUpload] {
        state.withLock { state in
            defer { state.uploads = [:] }
            return Array(state.uploads.values)
        }
    }

    func close() -> [S3MultipartUpload] {
        state.withLock { state in
            state.isClosed = true
            return Array(state.uploads.values)
        }
    }
}
