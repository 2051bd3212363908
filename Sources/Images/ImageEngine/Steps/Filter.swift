import ImagePlan

struct FilterStage: PixelStage {
    private let filters: [ImageFilter]

    init?(_ plan: ImagePlan) {
        filters = plan.steps.compactMap { if case .filter(let filter) = $0 { filter } else { nil } }
        if filters.isEmpty { return nil }
    }

    var name: String { "filter \(filters.map(\.canonical).joined(separator: ","))" }

    func apply(to image: consuming VipsImage, in work: inout StageWork) throws(ImageError) -> VipsImage {
        try Filters.apply(filters, to: image, in: work.context)
    }
}
