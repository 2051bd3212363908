import Foundation

/// The schemes of an app's loading system that stand for pictures of a service.
enum LocalScheme: String, CaseIterable {
    case asset, map, avatar, poll

    /// Nil for other URLs.
    init?(_ url: URL?) {
        guard let scheme = url?.scheme, let known = LocalScheme(rawValue: scheme.lowercased()) else { return nil }
        self = known
    }

    /// What `url` of this scheme stands for at `service`.
    func url(_ url: URL, for service: VedutaEndpoint) throws(VedutaError) -> URL {
        switch self {
        case .asset: try AssetURL(parsing: url).url(for: service)
        case .map: try MapURL(parsing: url).url(for: service)
        case .avatar: try AvatarURL(parsing: url).url(for: service)
        case .poll: try PollURL(parsing: url).url(for: service)
        }
    }

    /// `url` with its parameters in canonical order; as it is where it has faults.
    func canonical(_ url: URL) -> URL {
        let service = url.host().flatMap { $0.isEmpty ? nil : $0 }
        let canonical =
            switch self {
            case .asset: (try? AssetURL(parsing: url))?.local(named: service)
            case .map: (try? MapURL(parsing: url))?.local(named: service)
            case .avatar: (try? AvatarURL(parsing: url))?.local(named: service)
            case .poll: (try? PollURL(parsing: url))?.local(named: service)
            }
        return canonical ?? url
    }
}
