package import Parameters

/// What a client says of its screen and its line, outside the URL. Counts only where the configuration wants it and only for
/// parameters that the request leaves open.
///
/// Numbers are rounded up to few values, so that not every screen has pictures of its own: the pixel ratio to quarters, widths
/// to multiples of 64.
package struct ClientHints: Hashable, Sendable {
    /// `Save-Data: on`: fewer bytes, please.
    package let savesData: Bool
    /// `Sec-CH-DPR`: device pixels per CSS pixel, 0.5–4 in quarters.
    package let pixelRatio: PlainDecimal?
    /// `Sec-CH-Width`: the width of the picture on the page, in device pixels, a multiple of 64.
    package let widthPx: Int?
    /// `Sec-CH-Viewport-Width`: the width of the window, in CSS pixels, a multiple of 64.
    package let viewportWidthPx: Int?

    /// The score that `Save-Data` asks for where the request names no quality.
    package static let savingTarget: PlainDecimal = 60

    /// Takes the values of the fields, nil where they are absent; what cannot be read is ignored.
    package init(
        saveData: String? = nil, pixelRatio: String? = nil, width: String? = nil, viewportWidth: String? = nil
    ) {
        savesData = saveData.map { ["on", "?1"].contains($0.lowercased()) } ?? false
        self.pixelRatio = pixelRatio.flatMap { try? PlainNumber.decimal($0) }.flatMap { ratio in
            guard ratio > 0, ratio <= 16 else { return nil }
            let quarter = Int64(250_000_000)
            let quarters = (ratio.billionths + quarter - 1) / quarter
            return PlainDecimal(billionths: min(max(quarters, 2), 16) * quarter)
        }
        widthPx = Self.rounded(width)
        viewportWidthPx = Self.rounded(viewportWidth)
    }

    package static let none = ClientHints()

    /// The canonical text, empty where nothing is hinted.
    package var text: String {
        [
            savesData ? "save" : nil, pixelRatio.map { "dpr \($0)" }, widthPx.map { "width \($0)" },
            viewportWidthPx.map { "viewport \($0)" },
        ].compactMap { $0 }.joined(separator: " ")
    }

    /// The request with what the hints say added to it.
    ///
    /// A width stands for a box that is left open on both sides; the pixel ratio for `scale`, where the width is that of the
    /// window, in CSS pixels, and data is not to be saved: a width or height of the URL is final, as that of a candidate of
    /// `srcset` is. Saving data stands for `quality=auto:60`, where the format has a quality and the request says nothing of
    /// quality, bytes or loss.
    func applied(to items: [QueryItem]) -> [QueryItem] {
        let open = OpenParameters(items)
        var added: [QueryItem] = []
        let isBoxOpen = ["width", "height", "dpi"].allSatisfy(open.contains)
        if isBoxOpen, open.contains("scale"), let widthPx {
            added.append(QueryItem(name: "width", value: "\(widthPx)"))
        } else if isBoxOpen, let viewportWidthPx {
            added.append(QueryItem(name: "width", value: "\(viewportWidthPx)"))
            if open.contains("scale"), let pixelRatio, !savesData {
                added.append(QueryItem(name: "scale", value: "\(pixelRatio)"))
            }
        }
        let saysQuality = !["quality", "bytes", "lossless"].allSatisfy(open.contains)
        let withoutQuality: [String?] = ["png", "tiff", "gif", "json"]
        if savesData, !saysQuality, !withoutQuality.contains(open.format) {
            added.append(QueryItem(name: "quality", value: "auto:\(Self.savingTarget)"))
        }
        return items + added
    }

    private static func rounded(_ text: String?) -> Int? {
        guard let width = text.flatMap({ try? PlainNumber.int($0) }), width > 0, width <= 8192 else { return nil }
        return (width + 63) / 64 * 64
    }

    /// Which parameters a query leaves open.
    private struct OpenParameters {
        private let given: Set<String>
        let format: String?

        init(_ items: [QueryItem]) {
            let present = items.filter { !$0.value.isEmpty }
            given = Set(present.map { ImageRequest.table.parameter(named: $0.name)?.name ?? $0.name })
            format = present.first { $0.name == "format" }?.value
        }

        func contains(_ name: String) -> Bool { !given.contains(name) }
    }
}
