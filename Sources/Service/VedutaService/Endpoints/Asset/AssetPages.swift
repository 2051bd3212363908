import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import ImageWorkers
import JSON
import Parameters
import Renditions

struct PagesRequest: Equatable, Sendable {
    static let table = ParameterTable([.init("after"), .init("limit")])
    /// Pages of an answer: by default, and at most.
    static let usualCount = 100
    static let countLimit = 200
    /// As of `page` of `/asset`.
    static let pageLimit = 100_000

    let id: String
    /// Pages up to this one are left out.
    let after: Int
    let limit: Int

    init(_ target: RequestTarget) throws(EndpointError) {
        var (after, limit) = (0, Self.usualCount)
        id = try DescribedPath.id(target, before: DescribedPath.pages, Self.table) { reader in
            after = reader.int("after", 0...Self.pageLimit) ?? after
            limit = reader.int("limit", 1...Self.countLimit) ?? limit
        }
        self.after = after
        self.limit = limit
    }
}

/// `/assets/{id}/pages`: descriptions of some pages of an asset.
extension AssetEndpoint {
    func pages(_ pages: PagesRequest, takesGzip: Bool) throws(EndpointError) -> Rendition {
        let request = try imageRequest([QueryItem(name: "id", value: pages.id)])
        let limits = options.limits
        return jsonRendition(
            of: request, .assetPages, parameters: "&after=\(pages.after)&limit=\(pages.limit)", step: "pages",
            takesGzip: takesGzip
        ) { loaded, job throws(RenditionError) in
            do throws(PageListError) {
                let list = try loaded.images.describePages(
                    loaded.sources.picture, after: pages.after, limit: pages.limit,
                    in: RenderContext(job, limits: limits))
                return AssetJSON(text: PageListJSON.text(list), fields: Self.link(behind: list, pages, request.id))
            } catch {
                throw RenditionError(error, source: loaded.sources.picture)
            }
        }
    }

    /// The link to the next pages (RFC 8288), if there are any.
    private static func link(behind list: PageList, _ pages: PagesRequest, _ id: String) -> FieldLines {
        var fields = FieldLines()
        if let last = list.pages.last, last.number < list.pageCount {
            let path = AssetAddress.path(id) + DescribedPath.pages
            fields.append(.link, "<\(path)?after=\(last.number)&limit=\(pages.limit)>; rel=\"next\"")
        }
        return fields
    }
}

/// A description of an asset, and its field lines.
struct AssetJSON: Sendable {
    let text: String
    var fields = FieldLines()

    static let mediaType = "application/json"

    typealias Make = @Sendable (AssetReader.Loaded, RenderJob) throws(RenditionError) -> AssetJSON

    struct Renderer: RenditionRenderer {
        let reader: AssetReader
        let step: StaticString
        let mediaType: String
        let takesGzip: Bool
        let text: Make

        func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent {
            let started = ContinuousClock.now
            let loaded = try reader.read()
            let fetched = ContinuousClock.now
            let made = try text(loaded, job)
            let coded = CodedText(made.text, gzip: takesGzip)
            var fields = coded.codingFields
            fields.append(made.fields)
            return RenderedContent(
                coded.content, mediaType: mediaType, fields: fields, validator: loaded.validator,
                timings: [("fetch", fetched - started), (step, ContinuousClock.now - fetched)])
        }
    }
}

enum PageListJSON {
    /// An array, one object for each page, a line.
    static func text(_ list: PageList) -> String {
        var json = JSONText()
        json.array { json in
            for page in list.pages { write(page, isDrawing: list.format.isDrawing, into: &json) }
        }
        return json.text + "\n"
    }

    private static func write(_ page: PageDescription, isDrawing: Bool, into json: inout JSONText) {
        json.object { json in
            json.member("page", page.number)
            json.size(page.size)
            if isDrawing { json.object("points") { $0.size(page.size) } }
            if let label = page.label { json.member("label", label) }
            json.member("thumbHash", page.thumbHashText)
        }
    }
}
