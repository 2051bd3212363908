import ImageEngine
import ImageWorkers
import Parameters
import Renditions

extension AssetEndpoint {
    /// The page of a document. Its price is that of the list of its first pages, which has a limit of its own.
    func view(_ view: ViewRequest, takesGzip: Bool) throws(EndpointError) -> Rendition {
        let request = try imageRequest([QueryItem(name: "id", value: view.ids.first ?? "")])
        let limits = options.limits
        return jsonRendition(
            of: request, .view, parameters: "&after=\(view.after)", step: "pages",
            takesGzip: takesGzip, mediaType: "\(PageFields.mediaType)"
        ) { loaded, job throws(RenditionError) in
            do throws(PageListError) {
                let list = try loaded.images.describePages(
                    loaded.sources.picture, after: view.after, limit: ViewRequest.listedCount,
                    in: RenderContext(job, limits: limits))
                return AssetJSON(text: ViewPage.html(view, list), fields: PageFields.page)
            } catch {
                throw RenditionError(error, source: loaded.sources.picture)
            }
        }
    }
}
