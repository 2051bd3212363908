import AssetLibrary
import Bytes
package import HTTPMessage
import ImageEngine
package import Origin
import OriginCache
package import Reactor

/// Uploads as objects in a bucket: `--uploads s3://bucket/prefix`. The bucket alone knows what there is, so any number
/// of servers may share it.
package struct UploadBucket: Sendable {
    /// nil where no other server may be asked.
    package let storage: S3Storage?
    package let endpoint: OriginURL
    package let byteLimit: Int
    package let spoolFolder: String
    /// Of changes: they go on when the client has left, so nothing else bounds them. What is written has a file open.
    package static let requestLimit = 128
    private let changes = CountLimit(requestLimit)
    private let listings: BucketListings
    private let bucket: String
    /// Empty, or with a slash at its end.
    private let prefix: String

    package init(storage: S3Storage?, endpoint: OriginURL, _ place: Place, byteLimit: Int, spoolFolder: String) {
        (self.storage, self.endpoint, self.byteLimit, self.spoolFolder) = (storage, endpoint, byteLimit, spoolFolder)
        let (bucket, prefix) = (place.bucket, place.prefix)
        (self.bucket, self.prefix) = (bucket, prefix)
        listings = BucketListings { asked, completion in
            guard let storage else {
                completion(.failure(.remote(.offline)))
                return nil
            }
            let ticket = storage.list(bucket, prefix: prefix, after: asked.after?.text, limit: asked.limit) { result in
                completion(result.mapError(OriginalError.bucket).map { Self.assets($0, beneath: prefix) })
            }
            guard let ticket else { return nil }
            return { storage.cancel(ticket) }
        }
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

    /// Up to `limit` objects after `after`; their keys are ids here. Calls `done` unless the result is called first, because the
    /// client has left.
    package func list(
        after: String?, limit: Int, for client: ClientNetwork?,
        done: @escaping @Sendable (Result<S3Listing, OriginalError>) -> Void
    ) throws(OriginalError) -> @Sendable () -> Void {
        let asked = BucketListings.Asked(after: after.map { ExactText($0) }, limit: limit)
        return try listings.list(asked, for: client, done: done)
    }

    private static func assets(_ listing: S3Listing, beneath prefix: String) -> S3Listing {
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
    }

    private typealias Done<Value> = @Sendable (Result<Value, OriginalError>) -> Void

    private func change<Value>(
        _ id: String, _ done: @escaping Done<Value>, _ body: (S3Storage, S3Location, @escaping Done<Value>) -> Void
    ) {
        let location: S3Location
        do throws(OriginalError) { location = try self.location(id) } catch { return done(.failure(error)) }
        guard let storage else { return done(.failure(.remote(.offline))) }
        let limit = changes
        guard limit.begin() else { return done(.failure(.busy)) }
        body(storage, location) { result in
            limit.end()
            done(result)
        }
    }
}
