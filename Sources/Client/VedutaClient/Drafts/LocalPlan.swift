import ImagePlan

/// The steps by which an image can be drawn on this machine as the server would draw it: by the server's own plan. Sizes, crops,
/// right angles, mirroring, padding, `grayscale` and backgrounds can be; what looks at pixels, and everything else, cannot.
struct LocalPlan {
    let steps: [ImageStep]
    let format: OutputFormat
    /// 1–100.
    let quality: Int?

    /// Nil where the image cannot be drawn here.
    init?(_ url: AssetURL, of header: ImageHeader) {
        guard let request = try? ImageRequest.parse(url.parameters.queryItems), Self.isPlain(request, header) else {
            return nil
        }
        let format = request.format ?? (header.hasAlpha ? .png : .jpeg)
        guard case .plan(let plan)? = try? request.planning(for: header, accepting: Acceptance(only: format)),
            plan.steps.allSatisfy(Self.canDraw)
        else { return nil }
        (steps, self.format) = (plan.steps, format)
        if case .fixed(let number)? = plan.encoding.quality { quality = number } else { quality = nil }
    }

    private static func isPlain(_ request: ImageRequest, _ header: ImageHeader) -> Bool {
        let isKnown = request.format == nil || request.format == .jpeg || request.format == .png
        return isKnown && !request.isDescription && request.page == nil && !request.hasAllPages
            && header.pageCount == 1 && !header.format.isDrawing && request.byteLimit == nil
            && request.quality?.isAutomatic != true && request.profile == .srgb && request.metadata == .none
    }

    private static func canDraw(_ step: ImageStep) -> Bool {
        switch step {
        case .extract, .resize, .crop, .orient, .pad, .flatten: true
        case .filter(let filter): filter == .grayscale
        case .surround, .rotate, .overlay, .mask: false
        }
    }
}
