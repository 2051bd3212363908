import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import JSON
import Parameters
import Renditions

/// The parameters of `/assets/{id}/pages`.
struct PagesRequest: Equatable, Sendable {
    static let table = ParameterTable([.init("after"), .init("limit")])
    /// How many pages an answer has at most, unless the request says so, and the most that it can say.
    static let usualCount = 100
    static let countLimit = 200
    /// The highest number of a page, that of `page` of `/asset`.
    static let pageLimit = 100_000

    let id: String
    /// Pages up to this one are left out.
    let after: Int
    let limit: Int

    init(_ target: RequestTarget) throws(Problem) {
        var (after, limit) = (0, Self.usualCount)
        id = try DescribedPath.id(target, before: DescribedPath.pages, Self.table) { reader in
            after = reader.int("after", 0...Self.pageLimit) ?? after
            limit = reader.int("limit", 1...Self.countLimit) ?? limit
        }
        self.after = after
        self.limit = limit
    }
}

/// `/assets/{id}/pages`: what is known of the pages of an asset, some of them at a time.
extension AssetEndpoint {
    func pages(_ pages: PagesRequest, takesGzip: Bool) throws(Problem) -> Rendition {
        let request = try imageRequest([QueryItem(name: "id", value: pages.id)])
        let limits = options.limits
        return jsonRendition(
            of: request, .assetPages, parameters: "&after=\(pages.after)&limit=\(pages.limit)", step: "pages",
            takesGzip: takesGzip
        ) { loaded, job throws(RenditionError) in
            do throws(PageListError) {
                let list = try ImageEngine.describePages(
                    loaded.sources.picture, after: pages.after, limit: pages.limit,
                    in: RenderContext(job, limits: limits))
                return AssetJSON(text: PageListJSON.text(list), fields: Self.link(behind: list, pages, request.id))
            } catch {
                throw RenditionError(error, source: loaded.sources.picture)
            }
        }
    }

    /// Where the pages behind `list` are (RFC 8288); nothing where there are none.
    private static func link(behind list: PageList, _ pages: PagesRequest, _ id: String) -> FieldLines {
        var fields = FieldLines()
        if let last = list.pages.last, last.number < list.pageCount {
            let path = AssetAddress.path(id) + DescribedPath.pages
            fields.append(.link, "<\(path)?after=\(last.number)&limit=\(pages.limit)>; rel=\"next\"")
        }
        return fields
    }
}

/// What is known of pages, as JSON: the answer of `/assets/{id}/pages`.
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
            json.member("width", page.size.widthPx)
            json.member("height", page.size.heightPx)
            if isDrawing {
                json.name("points")
                json.object { json in
                    json.member("width", page.size.widthPx)
                    json.member("height", page.size.heightPx)
                }
            }
            if let label = page.label { json.member("label", label) }
            json.member("thumbHash", page.thumbHashText)
        }
    }
}
