import Bytes
import ImagePlan

/// The source as an answer: for plans that change no pixel.
struct UnchangedSource {
    private let content: SharedBytes
    private let format: OutputFormat

    /// nil where the source is no answer: something of it changes, its format is not wanted, or its metadata cannot be taken
    /// out without touching the pixels.
    init?(_ context: EncodingContext) {
        let (plan, header) = (context.plan, context.header)
        guard let format = header.format.output, plan.encoding.acceptsSource, plan.steps.isEmpty, plan.omission == nil,
            !context.changesColors, !plan.encoding.isProgressive,
            plan.pages == .one(0) && header.pageCount == 1 || plan.pages == .first(header.pageCount)
        else { return nil }
        self.format = format
        switch plan.encoding.metadata {
        case .keep:
            // An orientation that the request ignores would be obeyed by viewers of the original.
            guard header.orientation == 1 else { return nil }
            content = context.source
        case .copyright: return nil
        case .none:
            let keepsProfile = context.settings.profile != nil
            guard let bare = MetadataStripper.stripped(context.source, header.format, keepsProfile: keepsProfile) else {
                return nil
            }
            content = bare
        }
    }

    /// The answer, where it has at most `limit` bytes.
    func encoded(within limit: Int?) -> EncodedImage? {
        guard content.count <= limit ?? .max else { return nil }
        return EncodedImage(content: content, format: format, isOriginal: true)
    }
}
