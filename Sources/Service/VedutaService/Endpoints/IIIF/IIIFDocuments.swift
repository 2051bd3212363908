import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import ImageWorkers
import JSON
import Parameters
import Renditions

// What viewers read first: the description of an image, `info.json` (Image API 2.1 and 3.0, §5), and the manifest of an asset
// (Presentation API 3.0), with a canvas for each page.

extension AssetEndpoint {
    func iiifDescription(
        _ path: IIIFPath, _ version: IIIFPath.Version, _ base: BaseAddress, takes acceptance: IIIFAcceptance
    ) throws(EndpointError) -> Rendition {
        let id = try canonicalID(path.id)
        let address = base.text + IIIFPath.path(version, id, page: path.page)
        let sideLimitPx = iiifSideLimitPx
        return try document(
            path, id: id, at: base, takes: acceptance, profile: version.profile, pages: path.page ?? 1, count: 1
        ) {
            list throws(RenditionError) in
            guard let page = list.pages.first else {
                throw RenditionError(
                    ImageError.plan(.pageOutside(page: path.page ?? 1, pageCount: list.pageCount)), source: nil)
            }
            return IIIFDescription(address: address, size: page.size, sideLimitPx: sideLimitPx).text(version)
        }
    }

    func iiifManifest(
        _ path: IIIFPath, _ base: BaseAddress, takes acceptance: IIIFAcceptance
    ) throws(EndpointError) -> Rendition {
        let id = try canonicalID(path.id)
        return try document(
            path, id: id, at: base, takes: acceptance, profile: nil, pages: 1, count: PagesRequest.countLimit
        ) {
            list throws(RenditionError) in
            IIIFManifest(base: base.text, id: id, list: list).text
        }
    }

    /// What `text` tells of `count` pages from `first`.
    private func document(
        _ path: IIIFPath, id: String, at base: BaseAddress, takes acceptance: IIIFAcceptance, profile: String?,
        pages first: Int, count: Int, _ text: @escaping @Sendable (PageList) throws(RenditionError) -> String
    ) throws(EndpointError) -> Rendition {
        let (limits, finePixelLimit) = (options.limits, finePixelLimit)
        return jsonRendition(
            of: ImageRequest(id: id), .iiif,
            parameters: "&\(path.canonical(id))&\(base.text)&\(iiifSideLimitPx)&\(finePixelLimit)", step: "pages",
            takesGzip: acceptance.takesGzip, mediaType: acceptance.mediaType,
            vary: ["Accept", CodedText.field, base.vary].filter { !$0.isEmpty }.joined(separator: ", ")
        ) { loaded, job throws(RenditionError) in
            var list: PageList
            do throws(PageListError) {
                list = try loaded.images.describePages(
                    loaded.sources.picture, after: first - 1, limit: count, in: RenderContext(job, limits: limits))
            } catch {
                throw RenditionError(error, source: loaded.sources.picture)
            }
            for index in list.pages.indices where list.format == .pdf {
                list.pages[index].size = list.pages[index].size.finelyDrawn(pixelLimit: finePixelLimit)
            }
            var fields = FieldLines()
            if let profile { fields.append(.link, "<\(profile)>;rel=\"profile\"") }
            return AssetJSON(text: try text(list), fields: fields)
        }
    }
}

/// `info.json`.
struct IIIFDescription {
    private static let longestTileSidePx = 512
    /// Those beyond what the level demands, by their names in version 3.
    private static let features = ["mirroring", "rotationArbitrary", "sizeUpscaling", "profileLinkHeader"]
    /// Those of version 2, where the level demands less.
    private static let formerFeatures = [
        "mirroring", "rotationArbitrary", "sizeAboveFull", "sizeByDistortedWh", "regionSquare", "profileLinkHeader",
    ]

    /// Without a slash at the end.
    let address: String
    let size: PixelSize
    let sideLimitPx: Int

    /// No longer than other sides (§5.2).
    private var tileSidePx: Int { min(Self.longestTileSidePx, sideLimitPx) }

    /// 1, 2, 4 … until the whole image is one tile.
    var scaleFactors: [Int] {
        var factors = [1]
        while max(size.widthPx, size.heightPx) > tileSidePx * factors[factors.count - 1], factors.count < 20 {
            factors.append(factors[factors.count - 1] * 2)
        }
        return factors
    }

    /// The sizes of the whole image at these factors, the smallest first.
    var sizes: [PixelSize] {
        scaleFactors.reversed().map { factor in
            PixelSize(
                widthPx: (size.widthPx + factor - 1) / factor, heightPx: (size.heightPx + factor - 1) / factor)
        }.filter { max($0.widthPx, $0.heightPx) <= sideLimitPx }
    }

    func text(_ version: IIIFPath.Version) -> String {
        JSONText.line { json in
            json.member("@context", "http://iiif.io/api/image/\(version.rawValue)/context.json")
            json.member(version == .two ? "@id" : "id", address)
            if version == .three { json.member("type", "ImageService3") }
            json.member("protocol", "http://iiif.io/api/image")
            if version == .three {
                json.member("profile", "level2")
                writeLimits(&json)
            }
            json.size(size)
            json.array("sizes", of: sizes) { json, size in json.object { $0.size(size) } }
            json.array("tiles", of: [scaleFactors]) { json, factors in
                json.object { json in
                    json.member("width", tileSidePx)
                    json.array("scaleFactors", of: factors) { $0.number($1) }
                }
            }
            let formats = IIIFImage.formats.filter { ImageEngine.canWrite($0.format) }.map(\.name)
            if version == .two {
                json.array("profile", of: [true, false]) { json, isLevel in
                    if isLevel { return json.string(version.profile) }
                    json.object { json in
                        json.array("formats", of: formats) { $0.string($1) }
                        json.array("qualities", of: IIIFImage.qualities) { $0.string($1) }
                        json.array("supports", of: Self.formerFeatures) { $0.string($1) }
                        writeLimits(&json)
                    }
                }
                return
            }
            json.array("preferredFormats", of: ["webp", "jpg"]) { $0.string($1) }
            json.array("extraFormats", of: formats.dropFirst(2)) { $0.string($1) }
            json.array("extraQualities", of: IIIFImage.qualities.dropFirst()) { $0.string($1) }
            json.array("extraFeatures", of: Self.features) { $0.string($1) }
        }
    }

    private func writeLimits(_ json: inout JSONText) {
        json.member("maxWidth", sideLimitPx)
        json.member("maxHeight", sideLimitPx)
    }
}

/// A manifest with a canvas for each page.
struct IIIFManifest {
    /// Pages beyond it are left out.
    static let canvasLimit = 2_000
    /// Fewer where their addresses, of which each has ten, are long.
    static let byteLimit = 8 << 20
    private static let thumbnailSidePx = 200

    let base: String
    let id: String
    let list: PageList

    var text: String {
        let address = base + IIIFPath.manifestPath(id)
        return JSONText.line { json in
            json.member("@context", "http://iiif.io/api/presentation/3/context.json")
            json.member("id", address)
            json.member("type", "Manifest")
            label(id, &json)
            json.array("items", of: canvases(address)) { json, page in write(page, address, &json) }
        }
    }

    /// The size of a page that was not looked at is taken to be that of the last one that was.
    private func canvases(_ address: String) -> [PageDescription] {
        let limit = min(Self.canvasLimit, Self.byteLimit / (10 * (address.utf8.count + 100)))
        var pages = Array(list.pages.prefix(limit))
        guard let last = pages.last else { return [] }
        while pages.count < min(limit, list.pageCount) {
            var page = last
            (page.number, page.label) = (pages.count + 1, nil)
            pages.append(page)
        }
        return pages
    }

    private func write(_ page: PageDescription, _ address: String, _ json: inout JSONText) {
        let canvas = "\(address)/canvas/\(page.number)"
        let image = base + IIIFPath.path(.three, id, page: list.pageCount == 1 ? nil : page.number)
        json.object { json in
            json.member("id", canvas)
            json.member("type", "Canvas")
            label(page.label ?? "\(page.number)", &json)
            json.size(page.size)
            json.array("thumbnail", of: [Self.thumbnailSidePx]) { json, side in
                let isSmall = max(page.size.widthPx, page.size.heightPx) <= side
                body("\(image)/full/\(isSmall ? "max" : "!\(side),\(side)")/0/default.jpg", of: image, &json)
            }
            json.array("items", of: [1]) { json, _ in
                json.object { json in
                    json.member("id", canvas + "/page")
                    json.member("type", "AnnotationPage")
                    json.array("items", of: [1]) { json, _ in
                        json.object { json in
                            json.member("id", canvas + "/image")
                            json.member("type", "Annotation")
                            json.member("motivation", "painting")
                            json.member("target", canvas)
                            json.name("body")
                            body("\(image)/full/max/0/default.jpg", of: image, size: page.size, &json)
                        }
                    }
                }
            }
        }
    }

    private func body(_ id: String, of service: String, size: PixelSize? = nil, _ json: inout JSONText) {
        json.object { json in
            json.member("id", id)
            json.member("type", "Image")
            json.member("format", "image/jpeg")
            if let size { json.size(size) }
            json.array("service", of: [service]) { json, service in
                json.object { json in
                    json.member("id", service)
                    json.member("type", "ImageService3")
                    json.member("profile", "level2")
                }
            }
        }
    }

    private func label(_ text: String, _ json: inout JSONText) {
        json.object("label") { $0.array("none", of: [text]) { $0.string($1) } }
    }
}
