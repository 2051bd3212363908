import Bytes
import ImagePlan

/// The source as an answer: for plans that change no pixel.
struct Original {
    private let content: SharedBytes
    private let format: OutputFormat

    /// nil where the source is no answer: something of it changes, its format is not wanted, or its metadata cannot be taken
    /// out without touching the pixels.
    init?(_ context: EncodingContext) {
        let (plan, traits) = (context.plan, context.traits)
        guard let format = traits.format.output, plan.encoding.acceptsSource, plan.steps.isEmpty, plan.omission == nil,
            !context.changesColors, !plan.encoding.isProgressive,
            plan.pages == .one(0) && traits.pageCount == 1 || plan.pages == .first(traits.pageCount)
        else { return nil }
        self.format = format
        switch plan.encoding.metadata {
        case .keep:
            // An orientation that the request ignores would be obeyed by who shows the original.
            guard traits.orientation == 1 else { return nil }
            content = context.source
        case .copyright: return nil
        case .none:
            let keepsProfile = context.settings.profile != nil
            guard let bare = MetadataStripper.stripped(context.source, traits.format, keepsProfile: keepsProfile) else {
                return nil
            }
            content = bare
        }
    }

    /// The answer, where it has at most `limit` bytes.
    func picture(within limit: Int?) -> EncodedPicture? {
        guard content.count <= limit ?? .max else { return nil }
        return EncodedPicture(content: content, format: format, isOriginal: true)
    }
}
