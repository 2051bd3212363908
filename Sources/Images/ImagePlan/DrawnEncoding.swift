package import Parameters

/// What a request says of the encoding of an image that is drawn, such as a map.
package struct DrawnEncoding: Sendable {
    /// Of the finished image, as for `/asset`.
    package var filters: [ImageFilter] = []
    /// nil: chosen by `Accept`.
    package var format: OutputFormat?
    /// Whether shapes are wanted in place of pixels: SVG.
    package var isVector = false
    /// 1…100; nil: the format's default.
    package var quality: Int?
    package var downloadName: String?

    package static let vector = "svg"
    package static let formats: [OutputFormat] = [.jpeg, .png, .webp, .avif]

    /// In canonical order.
    package static let parameters: [ParameterTable.Parameter] = [
        .init("filter"), .init("format"), .init("quality", aliases: ["q"]), .init("download"),
    ]

    package init() {}

    /// Faults become those of `reader`.
    package init(_ reader: inout ParameterReader, formats: [OutputFormat] = Self.formats, takesVector: Bool = false) {
        filters = (reader.value("filter", ImageFilter.parseList) ?? []).filter { !$0.changesNothing }
        let format = reader.choice("format", ["auto"] + formats.map(\.rawValue) + (takesVector ? [Self.vector] : []))
        isVector = format == Self.vector
        self.format = format.flatMap(OutputFormat.init(rawValue:))
        let quality = reader.int("quality", 1...100)
        self.quality = if let format = self.format { format.settled(quality) } else { quality }
        downloadName = reader.value("download", DownloadText.parse)
    }

    package var canonicalItems: [QueryItem] {
        [
            ("filter", filters.isEmpty ? nil : filters.map(\.canonical).joined(separator: ",")),
            ("format", isVector ? Self.vector : format?.rawValue), ("quality", quality?.description),
            ("download", downloadName),
        ].compactMap { name, value in value.map { QueryItem(name: name, value: $0) } }
    }

    /// Of pictures that move: the format asked for, WebP where `Accept` names it, else PNG, whose first picture is the last one
    /// where it does not move.
    package func movingFormat(
        accepting quality: (OutputFormat) -> Double, named: (OutputFormat) -> Bool
    ) -> OutputFormat {
        format ?? (named(.webp) && quality(.webp) > 0 ? .webp : .png)
    }

    /// The format asked for; else, of those that `Accept` names explicitly, the one with the highest quality (WebP
    /// before AVIF at equal quality: on flat color it is as small and costs a tenth); else PNG, or JPEG if the client
    /// refuses PNG. `usual`: what stands in for PNG where drawings hold photographs.
    package func outputFormat(
        accepting quality: (OutputFormat) -> Double, named: (OutputFormat) -> Bool, usual: OutputFormat = .png
    ) -> OutputFormat {
        if let format { return format }
        let other = usual == .png ? OutputFormat.jpeg : .png
        var best = quality(usual) > 0 || quality(other) == 0 ? usual : other
        var isChosen = false
        for candidate in [OutputFormat.webp, .avif] where named(candidate) && quality(candidate) > 0 {
            let isBetter = isChosen ? quality(candidate) > quality(best) : quality(candidate) >= quality(best)
            if isBetter {
                best = candidate
                isChosen = true
            }
        }
        return best
    }
}
