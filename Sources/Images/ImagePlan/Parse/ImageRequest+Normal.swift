import Parameters

extension ImageRequest {
    /// Drops what cannot change the image, so that requests for one image have one canonical text.
    func normalised() -> ImageRequest {
        guard !isDescription else { return described() }
        var normal = self
        normal.normaliseGeometry()
        normal.normaliseEncoding()
        normal.filters.removeAll(where: \.changesNothing)
        // Both shapes lie inside any rounded corners.
        if mask != nil { normal.radius = nil }
        normal.overlays.removeAll { $0.opacity == 0 }
        // What is dropped in any case.
        if !gainMapConflicts.isEmpty { normal.hdr = nil }
        return normal
    }

    /// For formats whose highest efforts take minutes. The canonical text changes with it, so such requests share
    /// images.
    package mutating func capEffort(at limit: Int) {
        guard let effort, effort > limit, format?.isSlowAtHighEffort ?? true else { return }
        self.effort = limit
    }

    private func described() -> ImageRequest {
        var description = ImageRequest(id: id)
        description.isDescription = true
        description.page = page
        description.fallbackID = fallbackID
        description.downloadName = downloadName
        return description
    }

    private mutating func normaliseGeometry() {
        if padding?.isEmpty == true { padding = nil }
        if width == nil || height == nil { fit = .inside }
        if fit != .cover, fit != .contain { gravity = .center }
        if fit == .contain { gravity = .compass(gravity.place) }
        if width == nil, height == nil {
            mayEnlarge = false
            // A scale applies to it: a drawing without either has no box.
            if dpi == 72, scale == 1 { dpi = nil }
            if dpi == nil, !hasLength { scale = 1 }
        }
        if !hasBars { isBackgroundBlurred = false }
        if case .fractions(x: 0, y: 0, width: 1, height: 1) = crop { crop = nil }
    }

    /// Whether the canvas is larger than the image, before it is rotated.
    var hasBars: Bool { padding != nil || (fit == .contain && width != nil && height != nil) }

    /// Whether anything besides the box is measured in pixels.
    private var hasLength: Bool {
        if mask == nil, case .pixels = radius { return true }
        if padding?.hasPixels == true { return true }
        if overlays.contains(where: { $0.opacity != 0 && $0.hasLength }) { return true }
        return filters.contains { $0.hasLength && !$0.changesNothing }
    }

    private mutating func normaliseEncoding() {
        // Neither format with a palette has a quality.
        if colorCount != nil { quality = nil }
        guard let format else { return }
        // A quality with a byte limit is the highest wanted, so the default matters too.
        if byteLimit == nil || format.defaultQuality == nil, case .fixed(let number) = quality {
            quality = format.settled(number).map(Quality.fixed)
        }
        if format.isAlwaysLossless { isLossless = false }
        if format != .jpeg, format != .png { isProgressive = false }
        if !format.knowsEffort { effort = nil }
    }
}
