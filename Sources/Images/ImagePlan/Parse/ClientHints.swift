package import Parameters

/// A client's screen and connection, from fields of the request, for parameters that it leaves open. Numbers are
/// rounded up to few values, so that clients share images.
package struct ClientHints: Hashable, Sendable {
    /// `Save-Data: on`.
    package let savesData: Bool
    /// `Sec-CH-DPR`: device pixels per CSS pixel, 0.5–4 in quarters.
    package let pixelRatio: PlainDecimal?
    /// `Sec-CH-Width`: the width of the image in device pixels, a multiple of 64.
    package let widthPx: Int?
    /// `Sec-CH-Viewport-Width`: the width of the window in CSS pixels, a multiple of 64.
    package let viewportWidthPx: Int?

    /// The score for `Save-Data` if the request names no quality.
    package static let savingTarget: PlainDecimal = 60

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

    /// The canonical text, empty without hints.
    package var text: String {
        [
            savesData ? "save" : nil, pixelRatio.map { "dpr \($0)" }, widthPx.map { "width \($0)" },
            viewportWidthPx.map { "viewport \($0)" },
        ].compactMap { $0 }.joined(separator: " ")
    }

    /// Adds parameters for the hints. A width is used if both sides of the box are open; the pixel ratio for `scale`,
    /// with a window width in CSS pixels and unless data is saved. Saving data means `quality=auto:60` if the format
    /// has a quality and the request names no quality, bytes or loss.
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
