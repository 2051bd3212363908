import AssetLibrary
package import HTTPMessage
import ImageEngine
package import Origin
import OriginCache
import Reactor

/// Uploads as objects in a bucket: `--uploads s3://bucket/prefix`. The bucket alone knows what there is, so any number
/// of servers may share it.
package struct UploadBucket: Sendable {
    /// nil where no other server may be asked.
    package let storage: S3Storage?
    package let endpoint: OriginURL
    package let byteLimit: Int
    package let spoolFolder: String
    /// Of each kind: what a bucket is asked goes on when the client has left, so nothing else bounds it. What is written has a
    /// file open.
    package static let requestLimit = 128
    private let changes = CountLimit(requestLimit)
    private let listings = CountLimit(requestLimit)
    private let bucket: String
    /// Empty, or with a slash at its end.
    private let prefix: String

    package init(storage: S3Storage?, endpoint: OriginURL, _ place: Place, byteLimit: Int, spoolFolder: String) {
        (self.storage, self.endpoint, self.byteLimit, self.spoolFolder) = (storage, endpoint, byteLimit, spoolFolder)
        (bucket, prefix) = (place.bucket, place.prefix)
    }

    /// `s3://bucket` or `s3://bucket/prefix`.
    package struct Place: Sendable, Equatable {
        package let bucket: String
        package let prefix: String

        package init?(_ text: String) {
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

    package func location(_ id: String) throws(OriginalError) -> S3Location {
        do throws(S3LocationFault) { return try S3Location(bucket: bucket, key: prefix + id) } catch { throw .absent }
    }

    /// nil: there is no such object. `done` is called on the fetch thread.
    package func find(_ id: String, done: @escaping @Sendable (Result<ResponseHead?, OriginalError>) -> Void) {
        change(id, done) { storage, location, done in
            storage.head(location) { result in
                switch result {
                case .success(let head): done(.success(head))
                case .failure(.notFound): done(.success(nil))
                case .failure(let error): done(.failure(.bucket(error)))
                }
            }
        }
    }

    /// `done` gets the entity tag. Reads all of `content`: workers only. Large files go in parts.
    package func write(
        _ id: String, _ content: ExchangeContent, mediaType: String, ifAbsent: Bool,
        done: @escaping @Sendable (Result<String, OriginalError>) -> Void
    ) {
        change(id, done) { storage, location, done in
            storage.put(location, content, contentType: mediaType, ifAbsent: ifAbsent) { result in
                done(result.mapError { $0 == .status(412) ? .uploads(.preconditionFailed, id: id) : .bucket($0) })
            }
        }
    }

    package func remove(_ id: String, done: @escaping @Sendable (Result<Void, OriginalError>) -> Void) {
        change(id, done) { storage, location, done in
            storage.delete(location) { done($0.mapError(OriginalError.bucket)) }
        }
    }

    /// Up to `limit` objects after `after`; their keys are ids here.
    package func list(after: String?, limit: Int, done: @escaping @Sendable (Result<S3Listing, OriginalError>) -> Void)
    {
        let prefix = prefix
        run(within: listings, done) { storage, done in
            storage.list(bucket, prefix: prefix, after: after, limit: limit) { result in
                done(
                    result.mapError(OriginalError.bucket).map { listing in
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
    }

    private typealias Done<Value> = @Sendable (Result<Value, OriginalError>) -> Void

    private func change<Value>(
        _ id: String, _ done: @escaping Done<Value>, _ body: (S3Storage, S3Location, @escaping Done<Value>) -> Void
    ) {
        let location: S3Location
        do throws(OriginalError) { location = try self.location(id) } catch { return done(.failure(error)) }
        run(within: changes, done) { body($0, location, $1) }
    }

    private func run<Value>(
        within limit: CountLimit, _ done: @escaping Done<Value>, _ body: (S3Storage, @escaping Done<Value>) -> Void
    ) {
        guard let storage else { return done(.failure(.remote(.offline))) }
        guard limit.begin() else { return done(.failure(.busy)) }
        body(storage) { result in
            limit.end()
            done(result)
        }
    }
}
