import ImagePlan
import Parameters

/// What `/srcset` takes beside the parameters of `/asset`.
struct SrcsetOptions: Equatable, Sendable {
    static let widthCountLimit = 12
    static let formatCountLimit = 4
    static let textByteLimit = 500
    /// In the order of the sources of a `<picture>`: a browser takes the first that it can show.
    static let formatsInOrder: [OutputFormat] = [.avif, .jxl, .webp, .gif, .png, .jpeg]

    /// Ascending.
    var widthsPx: [Int] = []
    /// In the order of `formatsInOrder`; the last one is that of `<img>`.
    var formats: [OutputFormat] = [.avif, .webp, .jpeg]
    var sizes = "100vw"
    var alt = ""
    /// A finished `<picture>` in place of JSON.
    var isHTML = false
    /// Whether the images are made ahead.
    var isPreparing = true

    private static let own = ["widths", "formats", "sizes", "alt", "html", "prepare"]
    private static let replaced = ["format", "dpi", "download", "explain"]

    /// In canonical order.
    static let table = ParameterTable(
        ImageRequest.table.parameters.filter { !replaced.contains($0.name) } + own.map { .init($0) })

    static func imageItems(_ items: [QueryItem]) -> [QueryItem] {
        items.filter { item in table.parameter(named: item.name).map { !own.contains($0.name) } ?? false }
    }

    /// Reads all but the items for `/asset`; what neither has is a fault here.
    static func parse(_ items: [QueryItem]) throws(ParameterFaults) -> SrcsetOptions {
        let asset = imageItems(items)
        var reader = ParameterReader(items.filter { !asset.contains($0) }, table: table)
        var options = SrcsetOptions()
        options.widthsPx = reader.value("widths", widths) ?? []
        options.formats = reader.value("formats", formats) ?? options.formats
        options.sizes = reader.string("sizes", byteLimit: textByteLimit) ?? options.sizes
        options.alt = reader.string("alt", byteLimit: textByteLimit) ?? ""
        options.isHTML = reader.flag("html") ?? false
        options.isPreparing = reader.choice("prepare", ["off", "on"]) != "off"
        reader.require("widths")
        try reader.finish()
        return options
    }

    private static func widths(_ text: String) throws(ParameterFault.Reason) -> [Int] {
        let allowed = "1 to \(widthCountLimit) whole numbers of pixels from 1 to 8192, separated by commas"
        var widths: Set<Int> = []
        for part in text.split(separator: ",", maxSplits: widthCountLimit, omittingEmptySubsequences: false) {
            widths.insert(try PlainNumber.int(part, in: 1...8192, allowed: allowed))
        }
        guard widths.count <= widthCountLimit else { throw .outOfRange(allowed: allowed) }
        return widths.sorted()
    }

    private static func formats(_ text: String) throws(ParameterFault.Reason) -> [OutputFormat] {
        let names = ParameterReader.list(formatsInOrder.map(\.rawValue))
        let allowed = "1 to \(formatCountLimit) of \(names), separated by commas"
        var formats: Set<OutputFormat> = []
        for part in text.split(separator: ",", maxSplits: formatsInOrder.count, omittingEmptySubsequences: false) {
            guard let format = OutputFormat(rawValue: String(part)), formatsInOrder.contains(format) else {
                throw .malformed(allowed: allowed)
            }
            formats.insert(format)
        }
        guard formats.count <= formatCountLimit else { throw .outOfRange(allowed: allowed) }
        return formatsInOrder.filter(formats.contains)
    }

    /// Follows the canonical text of the parameters of `/asset`.
    var canonical: String {
        var query = CanonicalQuery()
        query.append("widths", widthsPx.map(String.init).joined(separator: ","))
        query.append("formats", formats.map(\.rawValue).joined(separator: ","))
        if sizes != "100vw" { query.append("sizes", sizes) }
        if !alt.isEmpty { query.append("alt", alt) }
        if isHTML { query.append("html", "1") }
        if !isPreparing { query.append("prepare", "off") }
        return query.text
    }

    static func signedQuery(of items: [QueryItem], idSpelling: (String) -> String) throws(ParameterFaults) -> String {
        let options = try parse(items)
        return try ImageRequest.signedQuery(of: imageItems(items), idSpelling: idSpelling) + "&" + options.canonical
    }
}
