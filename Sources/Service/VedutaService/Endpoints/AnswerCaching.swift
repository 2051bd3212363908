/// For how long answers may be kept.
enum AnswerCaching: Sendable, Equatable {
    /// As the configuration says of pictures or maps.
    case configured
    /// For so many seconds.
    case seconds(Int)
    case never

    /// The value of `Cache-Control`; empty where the configuration says it.
    var cacheControl: String {
        switch self {
        case .configured: ""
        case .seconds(let count): "max-age=\(count)"
        case .never: "no-store"
        }
    }
}
