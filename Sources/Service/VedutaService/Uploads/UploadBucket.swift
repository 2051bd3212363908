import AssetLibrary
import Bytes
import Digest
import HTTPMessage
import ImageEngine
import Origin
import Reactor

/// Where uploads are kept that are objects in a bucket: `--uploads s3://bucket/prefix`. The bucket alone knows what there
/// is, so any number of servers may share it.
struct UploadBucket: Sendable {
    /// What speaks to the bucket; nil while no other server may be asked.
    let storage: S3Storage?
    let endpoint: OriginURL
    /// The most bytes of an upload.
    let byteLimit: Int
    /// Where files without a name are made.
    let spoolFolder: String
    private let bucket: String
    /// Empty, or with a slash at its end.
    private let prefix: String

    /// `bucket` and `prefix` as `location(_:)` of a setting reads them.
    init(storage: S3Storage?, endpoint: OriginURL, _ place: Place, byteLimit: Int, spoolFolder: String) {
        (self.storage, self.endpoint, self.byteLimit, self.spoolFolder) = (storage, endpoint, byteLimit, spoolFolder)
        (bucket, prefix) = (place.bucket, place.prefix)
    }

    /// What `s3://bucket` or `s3://bucket/prefix` names.
    struct Place: Sendable, Equatable {
        let bucket: String
        let prefix: String

        /// nil for anything else.
        init?(_ text: String) {
            guard text.hasPrefix("s3://") else { return nil }
            let rest = text.dropFirst("s3://".count)
            bucket = String(rest.prefix { $0 != "/" })
            let folder = rest.dropFirst(bucket.count).split(separator: "/").joined(separator: "/")
            prefix = folder.isEmpty ? "" : folder + "/"
            guard (try? S3Location(bucket: bucket, key: prefix + "x")) != nil, prefix.utf8.count <= 512 else {
                return nil
            }
        }
    }

    /// The object that the upload with this id is.
    func location(_ id: String) throws(Problem) -> S3Location {
        do throws(S3LocationFault) {
            return try S3Location(bucket: bucket, key: prefix + id)
        } catch {
            throw Problem(LibraryError.notFound)
        }
    }

    // MARK: Asking

    /// What is known of an object; nil: there is none. `done` is called on the fetch thread.
    func find(_ id: String, done: @escaping @Sendable (Result<ResponseHead?, Problem>) -> Void) {
        run(id, done) { storage, location in
            storage.head(location) { result in
                switch result {
                case .success(let head): done(.success(head))
                case .failure(.notFound): done(.success(nil))
                case .failure(let error): done(.failure(Problem.storeFailed(error)))
                }
            }
        }
    }

    /// Writes an object; `done` is told its entity tag. Reads all of `content`: workers only.
    func write(
        _ id: String, _ content: ExchangeContent, mediaType: String, ifAbsent: Bool,
        done: @escaping @Sendable (Result<String, Problem>) -> Void
    ) {
        run(id, done) { storage, location in
            storage.put(location, content, contentType: mediaType, ifAbsent: ifAbsent) { result in
                done(result.mapError { $0 == .status(412) ? .preconditionFailed : Problem.storeFailed($0) })
            }
        }
    }

    func remove(_ id: String, done: @escaping @Sendable (Result<Void, Problem>) -> Void) {
        run(id, done) { storage, location in
            storage.delete(location) { done($0.mapError(Problem.storeFailed)) }
        }
    }

    /// Up to `limit` objects, from where `after` says; their keys are ids here.
    func list(after: String?, limit: Int, done: @escaping @Sendable (Result<S3Listing, Problem>) -> Void) {
        guard let storage else { return done(.failure(.sourceOffline)) }
        let prefix = prefix
        storage.list(bucket, prefix: prefix, after: after, limit: limit) { result in
            done(
                result.mapError(Problem.storeFailed).map { listing in
                    var listing = listing
                    // What stands for the folder itself is no asset.
                    listing.objects = listing.objects.compactMap { object in
                        let key = object.key.utf8
                        guard key.starts(with: prefix.utf8), key.count > prefix.utf8.count else { return nil }
                        var object = object
                        object.key = String(decoding: key.dropFirst(prefix.utf8.count), as: UTF8.self)
                        return object
                    }
                    return listing
                })
        }
    }

    private func run<Value>(
        _ id: String, _ done: @escaping @Sendable (Result<Value, Problem>) -> Void,
        _ body: (S3Storage, S3Location) -> Void
    ) {
        guard let storage else { return done(.failure(.sourceOffline)) }
        do throws(Problem) { body(storage, try location(id)) } catch { done(.failure(error)) }
    }
}
