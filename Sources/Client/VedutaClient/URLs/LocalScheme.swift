import Foundation

/// The schemes of an app's loading system that stand for pictures of a service.
enum LocalScheme: CaseIterable {
    case asset, map, avatar, poll

    /// Nil for other URLs.
    init?(_ url: URL?) {
        let scheme = url?.scheme?.lowercased()
        guard let known = Self.allCases.first(where: { $0.name == scheme }) else { return nil }
        self = known
    }

    private var name: String {
        switch self {
        case .asset: AssetURL.scheme
        case .map: MapURL.scheme
        case .avatar: AvatarURL.scheme
        case .poll: PollURL.scheme
        }
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
