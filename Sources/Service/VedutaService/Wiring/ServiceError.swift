import AssetLibrary
package import MapSources
import Reactor

/// Why the service did not start. The text tells the operator what to change.
package enum ServiceError: Error, Equatable, CustomStringConvertible {
    case listen(String, cause: String)
    case metricsListen(String, cause: String)
    case activation(cause: String)
    case handover(path: String, cause: String)
    case library(path: String, cause: String)
    case uploads(path: String, cause: String)
    case maps([SourceProblem])
    case images(cause: String)
    case threads(cause: String)
    case decoding(cause: String)
    case fetcher(cause: String)
    case accessLog(path: String, cause: String)
    case cacheFolder(path: String, cause: String)
    case sharedObjects(place: String, cause: String)
    case presets(path: String, cause: String)
    case templates(path: String, cause: String)
    case identities(path: String, cause: String)
    case credentials(cause: String)
    case tokens(path: String, cause: String)
    case rewrites(path: String, cause: String)
    case samples(path: String, cause: String)
    /// No fault: it was told to end while it waited for the server that it takes over from.
    case ended

    package var description: String {
        switch self {
        case .listen(let address, let cause):
            "cannot listen on \(address): \(cause); choose another --listen or VEDUTA_LISTEN (host:port, [v6]:port, unix:/path, systemd)"
        case .metricsListen(let address, let cause):
            "cannot listen on \(address) for metrics: \(cause); choose another --metrics-listen or VEDUTA_METRICS_LISTEN (host:port, [v6]:port, unix:/path)"
        case .activation(let cause):
            "cannot use the socket from the service manager: \(cause); start veduta through its .socket unit, or set --listen or VEDUTA_LISTEN to an address"
        case .handover(let path, let cause):
            "cannot take over from another server by \(path): \(cause); --handover or VEDUTA_HANDOVER must name a socket in a folder that only the user of both servers can write to, and their --listen must be the same"
        case .library(let path, let cause):
            "cannot serve the library \(path): \(cause); --library or VEDUTA_LIBRARY must name a readable folder"
        case .uploads(let path, let cause):
            "cannot store uploads in \(path): \(cause); --uploads or VEDUTA_UPLOADS must name a writable folder, or a new one in an existing folder, that no other server uses"
        case .maps(let problems):
            "cannot draw maps: " + problems.map { "\($0.name) cannot be used: \($0.cause)" }.joined(separator: "; ")
                + "; check --map-archive, --map-style and --maps; `veduta map check` gives details"
        case .images(let cause): "libvips did not start: \(cause)"
        case .fetcher(let cause): "cannot start fetching from other servers: \(cause)"
        case .threads(let cause): "cannot start threads: \(cause)"
        case .decoding(let cause):
            "cannot start a process that decodes images: \(cause); allow more processes and threads, or set --isolation or VEDUTA_ISOLATION to off"
        case .accessLog(let path, let cause):
            "cannot write the access log to \(path): \(cause); --access-log-file or VEDUTA_ACCESS_LOG_FILE must name a writable file in an existing folder"
        case .cacheFolder(let path, let cause):
            "cannot use the cache folder \(path): \(cause); --cache-dir or VEDUTA_CACHE_DIR must name a writable folder, or a new one in an existing folder"
        case .sharedObjects(let place, let cause):
            "cannot share large results in \(place): \(cause); --shared-objects or VEDUTA_SHARED_OBJECTS needs a bucket of at least three characters, --s3-endpoint and --shared-cache"
        case .presets(let path, let cause):
            "cannot use the presets in \(path): \(cause); --presets or VEDUTA_PRESETS must name a file of lines name=query"
        case .templates(let path, let cause):
            "cannot use the templates of cards in \(path): \(cause); --card-templates or VEDUTA_CARD_TEMPLATES must name a folder of files in the format that docs/CARDS.md describes"
        case .identities(let path, let cause):
            "cannot use the credentials in \(path): \(cause); --remote-identities or VEDUTA_REMOTE_IDENTITIES must name a file in the format that docs/ORIGINS.md describes"
        case .rewrites(let path, let cause):
            "cannot use the rewrites in \(path): \(cause); --remote-rewrite or VEDUTA_REMOTE_REWRITE must name a file in the format that docs/ORIGINS.md describes"
        case .credentials(let cause):
            "cannot find credentials for S3: \(cause); --s3-credentials, VEDUTA_S3_CREDENTIALS or the file of --remote-identities must name a place that has them"
        case .tokens(let path, let cause):
            "cannot use the tokens in \(path): \(cause); --token-file or VEDUTA_TOKEN_FILE must name such a file"
        case .samples(let path, let cause): "cannot write the sample images to \(path): \(cause)"
        case .ended: "told to end before it served"
        }
    }
}

/// Why a folder cannot be used, in words for the operator. Exhaustive, as `Problem+Mapping.swift` is for clients.
enum StartCause {
    static func text(_ error: LibraryError) -> String {
        switch error {
        case .rootUnavailable(let code), .io(let code): words(code)
        case .accessDenied: words(13)
        case .notFound, .notRegularFile, .invalidID, .tooLarge, .changedWhileReading: "it cannot be opened"
        }
    }

    static func text(_ error: UploadError) -> String {
        switch error {
        case .inUse: "another process is using it"
        case .newerCatalogue(let version): "its catalogue has version \(version), which a later release wrote"
        case .damagedCatalogue: "its catalogue is damaged; `veduta library check --repair` rebuilds it from the files"
        case .noRoom: "the file system is full"
        case .busy: "another process is using its catalogue"
        case .catalogue(let code, let log): "its catalogue cannot be used: \(log) (\(code))"
        case .io(let code): words(code)
        case .notFound, .invalidID, .preconditionFailed, .nameTaken, .unknownMedia, .tooLarge, .tooMany,
            .tooManyFocalPoints, .full:
            "it cannot be opened"
        }
    }

    static func text(_ error: ResumableError) -> String {
        switch error {
        case .noRoom: "the file system is full"
        case .io(let code): words(code)
        case .notFound, .wrongOffset, .busy, .tooLarge, .tooMany, .full: "it cannot be opened"
        }
    }

    private static func words(_ code: Int32) -> String { Errno(code: code).description }
}
