package import MapSources

/// Why the service did not start. The text is for the operator and names what to change.
package enum ServiceError: Error, Equatable, CustomStringConvertible {
    case listen(String, cause: String)
    case activation(cause: String)
    case library(path: String, cause: String)
    case uploads(path: String, cause: String)
    case maps([SourceProblem])
    case images(cause: String)
    case threads(cause: String)
    case fetcher(cause: String)
    case accessLog(path: String, cause: String)
    case cacheFolder(path: String, cause: String)
    case presets(path: String, cause: String)
    case identities(path: String, cause: String)
    case samples(path: String, cause: String)

    package var description: String {
        switch self {
        case .listen(let address, let cause):
            "cannot listen on \(address): \(cause); choose another --listen or VEDUTA_LISTEN (host:port, [v6]:port, unix:/path, systemd)"
        case .activation(let cause):
            "cannot listen on a socket of the service manager: \(cause); start veduta by its .socket unit, or give an address to --listen or VEDUTA_LISTEN"
        case .library(let path, let cause):
            "cannot serve the library \(path): \(cause); --library or VEDUTA_LIBRARY must name a folder that can be read"
        case .uploads(let path, let cause):
            "cannot keep uploads in \(path): \(cause); --uploads or VEDUTA_UPLOADS must name a folder that can be written, or that can be made in one that exists, for this server alone"
        case .maps(let problems):
            "cannot draw maps: "
                + problems.map { "\($0.name) cannot be used: \($0.cause)" }.joined(separator: "; ")
                + "; --map-archive, --map-style and --maps name what is used, and `veduta map check` says more"
        case .images(let cause): "libvips did not start: \(cause)"
        case .fetcher(let cause): "nothing can be fetched: \(cause)"
        case .threads(let cause): "threads cannot be started: \(cause)"
        case .accessLog(let path, let cause):
            "cannot log requests in \(path): \(cause); --access-log-file or VEDUTA_ACCESS_LOG_FILE must name a file that can be written, in a folder that exists"
        case .cacheFolder(let path, let cause):
            "cannot keep pictures in \(path): \(cause); --cache-dir or VEDUTA_CACHE_DIR must name a folder that can be written, or that can be made in one that exists"
        case .presets(let path, let cause):
            "cannot use the presets of \(path): \(cause); --presets or VEDUTA_PRESETS must name a file of lines name=query"
        case .identities(let path, let cause):
            "cannot use the identities of origins of \(path): \(cause); --remote-identities or VEDUTA_REMOTE_IDENTITIES must name a file as docs/CONFIGURATION.md describes it"
        case .samples(let path, let cause): "the sample pictures cannot be written to \(path): \(cause)"
        }
    }
}
