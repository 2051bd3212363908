import HTTPMessage
import ImageEngine
import ImagePlan
import ImageWorkers
import Originals
import Parameters
import Renditions
import ResponseCache
import TextEngine

/// `/asset`: an image of the library, cropped, turned, filtered and resized.
struct AssetEndpoint {
    let originals: Originals
    let options: RenderOptions
    var varied = VariedFields(usesHints: false)
    var qualities: QualityMemo?
    var masters: MasterStore?
    var regions: RegionStore?
    var rules = ImageRules()
    var images = ImageProcessor.here

    enum Target {
        case rendition(Rendition)
        case explanation(Explanation)
    }

    func parse(
        _ items: [QueryItem], _ head: RequestHead, _ presets: PresetTable = .none,
        refusing refused: Set<Restricted> = []
    ) throws(EndpointError) -> Target {
        let hints = varied.hints(head.fields)
        do throws(ParameterFaults) { try rules.check(items) } catch { throw .parameters(error) }
        var request = try imageRequest(items, presets, hints)
        if request.isExplained, refused.contains(.explain) { throw .disabled(.explain) }
        if request.isDescription || request.metadata != .none, refused.contains(.metadata) {
            throw .disabled(.metadata)
        }
        // Variants of one resource differ by request fields.
        let resource = hints == .none ? nil : try imageRequest(items, presets).canonical
        let acceptance = Self.acceptance(head.fields)
        guard request.isExplained, !request.isDescription else {
            return .rendition(rendition(of: request, accepting: acceptance, resource: resource, head))
        }
        request.isExplained = false
        return .explanation(
            Explanation(
                rendition: rendition(of: request, accepting: acceptance, resource: resource, head),
                make: { [renderer = renderer(of: request, acceptance)] job throws(RenditionError) in
                    let made = try renderer.make(job)
                    return Explained(timings: made.timings) { isFallback, json in
                        ExplanationJSON.write(
                            made, isMasterOn: renderer.masters != nil, isFallback: isFallback, into: &json)
                    }
                }))
    }

    func rendition(_ items: [QueryItem], _ head: RequestHead) throws(EndpointError) -> Rendition {
        rendition(of: try imageRequest(items), accepting: Self.acceptance(head.fields), resource: nil, head)
    }

    /// The description of an asset, at an address of its own.
    func description(id: String, takesGzip: Bool) throws(EndpointError) -> Rendition {
        var request = try imageRequest([QueryItem(name: "id", value: id)])
        request.isDescription = true
        return description(of: request, .assetDescription, takesGzip: takesGzip)
    }

    func imageRequest(
        _ items: [QueryItem], _ presets: PresetTable = .none, _ hints: ClientHints = .none
    ) throws(EndpointError) -> ImageRequest {
        var request: ImageRequest
        do throws(ParameterFaults) {
            request = try ImageRequest.parse(items, presets: presets, hints: hints)
            try request.apply(rules.sizes)
            try Self.checkWritable(request.format)
        } catch {
            throw .parameters(withFaultyID(items, error))
        }
        request.capEffort(at: options.effortLimit)
        try spellIDs(of: &request)
        return request
    }

    /// Writes each id in its one spelling.
    func spellIDs(of request: inout ImageRequest) throws(EndpointError) {
        request.id = try canonicalID(request.id)
        for index in request.overlays.indices {
            guard let id = request.overlays[index].id else { continue }
            request.overlays[index].replaceID(with: try canonicalID(id, of: "overlay"))
        }
        if let id = request.fallbackID { request.fallbackID = try canonicalID(id, of: "default") }
    }

    /// The one spelling of the id that `parameter` names, which a fault of it names too.
    func canonicalID(_ id: String, of parameter: String = "id") throws(EndpointError) -> String {
        do throws(OriginalError) {
            return try originals.canonicalID(id)
        } catch {
            guard let fault = ParameterFault(error, of: parameter) else { throw .original(error) }
            throw .parameters(ParameterFaults([fault]))
        }
    }

    /// Those of texts. They are found when the first text is drawn.
    private static let fonts = FontSet()

    /// The formats that this libvips can write.
    private static let writable = OutputFormat.allCases.filter(ImageEngine.canWrite)

    static func checkWritable(_ format: OutputFormat?) throws(ParameterFaults) {
        guard let format, !writable.contains(format) else { return }
        let allowed = ParameterReader.list(["auto"] + writable.map(\.rawValue) + ["json"]) + " on this server"
        throw ParameterFaults([
            ParameterFault(parameter: "format", value: format.rawValue, reason: .malformed(allowed: allowed))
        ])
    }

    func source(of request: ImageRequest) -> AssetSources {
        AssetSources(requested: RequestedOriginals(request), originals: originals)
    }

    private func reader(_ requested: RequestedOriginals) -> AssetReader {
        AssetReader(
            requested, in: originals, byteLimit: options.limits.sourceByteCount, qualities: qualities,
            images: images)
    }

    private static func acceptance(_ fields: Fields) -> Acceptance {
        let accept = AcceptField.parse(fields)
        return Acceptance { format in
            guard writable.contains(format) else { return AcceptedQuality(quality: 0, isExplicit: false) }
            return AcceptedQuality(
                quality: accept.quality(of: format.mediaType), isExplicit: accept.isExplicit(format.mediaType))
        }
    }

    private func rendition(
        of request: ImageRequest, accepting acceptance: Acceptance, resource: String?, _ head: RequestHead
    ) -> Rendition {
        if request.isDescription {
            return description(of: request, .asset, takesGzip: AcceptEncoding.takesGzip(head.fields))
        }
        return imageRendition(of: request, accepting: acceptance, resource: resource)
    }

    func imageRendition(
        of request: ImageRequest, accepting acceptance: Acceptance, resource: String? = nil
    ) -> Rendition {
        Rendition(
            Endpoint.asset.route, RequestedOriginals(request).kind, source(of: request),
            renderer: renderer(of: request, acceptance),
            fingerprint: .service, causes: options.causes + (masters == nil ? "" : " masters"),
            canonical: request.canonical,
            resource: resource, variant: request.format?.rawValue ?? acceptance.text,
            vary: varied.vary(isFormatOpen: request.format == nil), mediaTypes: OutputFormat.allCases.map(\.mediaType),
            tag: CacheTag(assetID: request.id), overlayIDs: request.overlays.compactMap(\.id),
            fallbackID: request.fallbackID)
    }

    func renderer(
        of request: ImageRequest, _ acceptance: Acceptance, _ options: RenderOptions? = nil
    ) -> AssetRenderer {
        AssetRenderer(
            reader: reader(RequestedOriginals(request)), request: request, acceptance: acceptance,
            options: options ?? self.options, masters: masters, fonts: Self.fonts, regions: regions)
    }

    private func description(of request: ImageRequest, _ endpoint: Endpoint, takesGzip: Bool) -> Rendition {
        let limits = options.limits
        return jsonRendition(
            of: request, endpoint, step: "describe", takesGzip: takesGzip, tellsFocalPoint: true
        ) { loaded, job throws(RenditionError) in
            do throws(ImageError) {
                let description = try loaded.images.describe(
                    loaded.sources.picture, in: RenderContext(job, limits: limits))
                return AssetJSON(text: DescriptionJSON.text(description, id: loaded.id, loaded.focalPoint))
            } catch {
                throw RenditionError(error, source: loaded.sources.picture)
            }
        }
    }

    /// JSON, or a text of another `mediaType`, that a worker makes of the image of `request`; only `parameters`, in canonical
    /// form, decide it besides the image. `step` names the work in `Server-Timing`.
    func jsonRendition(
        of request: ImageRequest, _ endpoint: Endpoint, parameters: String = "", step: StaticString, takesGzip: Bool,
        mediaType: String = AssetJSON.mediaType, vary: String = CodedText.field, tellsFocalPoint: Bool = false,
        text: @escaping AssetJSON.Make
    ) -> Rendition {
        // All ways to ask for the description share one entry.
        var plain = ImageRequest(id: request.id)
        plain.fallbackID = request.fallbackID
        let requested = RequestedOriginals(plain, usesFocalPoint: tellsFocalPoint)
        return Rendition(
            endpoint.route, requested.kind, AssetSources(requested: requested, originals: originals),
            renderer: AssetJSON.Renderer(
                reader: reader(requested), step: step, takesGzip: takesGzip, mediaType: mediaType, text: text),
            fingerprint: .service, canonical: plain.canonical + parameters,
            variant: CodedText.variant(takesGzip) + (mediaType == AssetJSON.mediaType ? "" : " ld"),
            vary: vary, mediaTypes: [mediaType], tag: CacheTag(assetID: plain.id),
            fallbackID: plain.fallbackID, takesGzip: takesGzip)
    }

    /// The faults of the parameters, and that of an id that can name nothing.
    func withFaultyID(_ items: [QueryItem], _ faults: ParameterFaults) -> ParameterFaults {
        guard let id = items.first(where: { $0.name == "id" })?.value, !id.isEmpty else { return faults }
        do throws(OriginalError) {
            _ = try originals.canonicalID(id)
            return faults
        } catch {
            guard let fault = ParameterFault(error) else { return faults }
            // In the order of the URL, as the other faults are; what is missing comes last.
            func position(_ fault: ParameterFault) -> Int {
                items.firstIndex { $0.name == fault.parameter } ?? items.count
            }
            return ParameterFaults(([fault] + faults.faults).sorted { position($0) < position($1) })
        }
    }
}
