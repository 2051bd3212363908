import Bytes
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import Parameters
import ResponseCache

/// `/asset`: a picture of the library, cut, turned, filtered and sized.
struct AssetPlanner {
    private let originals: Originals
    let options: RenderOptions
    private let varied: VariedFields
    private let qualities: QualityMemo?
    private let masters: MasterStore?

    init(_ service: ServiceParts) {
        self.init(
            originals: service.originals, options: service.renderOptions, varied: service.varied,
            qualities: service.qualities, masters: service.masters)
    }

    /// Pictures of `originals`.
    init(
        originals: Originals, options: RenderOptions, varied: VariedFields = VariedFields(usesHints: false),
        qualities: QualityMemo? = nil, masters: MasterStore? = nil
    ) {
        self.masters = masters
        self.originals = originals
        self.options = options
        self.varied = varied
        self.qualities = qualities
    }

    /// What a query of `/asset` asks for.
    enum Asked {
        /// A picture, or what is known of one.
        case picture(PicturePlan)
        /// How a picture comes about.
        case explanation(Explanation)
    }

    /// Reads parameters and what the fields of the request say beside them.
    func asked(
        _ items: [QueryItem], _ head: RequestHead, _ presets: PresetTable = .none
    ) throws(Problem) -> Asked {
        let hints = varied.hints(head.fields)
        var request = try parse(items, presets, hints)
        // Variants of one resource differ by what the fields of the request say.
        let resource = hints == .none ? nil : try parse(items, presets).canonical
        let acceptance = Self.acceptance(head.fields)
        guard request.isExplained, !request.isDescription else {
            return .picture(try plan(request, accepting: acceptance, resource: resource, head))
        }
        request.isExplained = false
        let maker = maker(of: request, acceptance)
        return .explanation(
            Explanation(
                plan: try plan(request, accepting: acceptance, resource: resource, head), usesMasters: masters != nil,
                render: { job throws(Problem) in try maker.make(job) }))
    }

    /// The plan of a query that asks for a picture.
    func plan(_ items: [QueryItem], _ head: RequestHead) throws(Problem) -> PicturePlan {
        try plan(try parse(items), accepting: Self.acceptance(head.fields), resource: nil, head)
    }

    /// The plan of what is told of the asset with this id, at an address of its own.
    func descriptionPlan(id: String, takesGzip: Bool) throws(Problem) -> PicturePlan {
        var request = try parse([QueryItem(name: "id", value: id)])
        request.isDescription = true
        return descriptionPlan(request, route: .assetDescription, takesGzip: takesGzip)
    }

    func parse(
        _ items: [QueryItem], _ presets: PresetTable = .none, _ hints: ClientHints = .none
    ) throws(Problem) -> ImageRequest {
        var request: ImageRequest
        do throws(ParameterFaults) {
            request = try ImageRequest.parse(items, presets: presets, hints: hints)
            try Self.checkWritable(request.format)
        } catch {
            throw Problem(withFaultyID(items, error))
        }
        request.capEffort(at: options.effortLimit)
        request.id = try originals.canonicalID(request.id)
        if let id = request.overlay?.id { request.overlay?.id = try canonicalID(id, of: "overlay") }
        if let id = request.fallbackID { request.fallbackID = try canonicalID(id, of: "default") }
        return request
    }

    /// The one spelling of an id that a parameter other than `id` names, which a fault of it names too.
    private func canonicalID(_ id: String, of parameter: String) throws(Problem) -> String {
        do throws(Problem) {
            return try originals.canonicalID(id)
        } catch {
            guard !error.faults.isEmpty else { throw error }
            throw Problem(
                ParameterFaults(
                    error.faults.map { ParameterFault(parameter: parameter, value: $0.value, reason: $0.reason) }))
        }
    }

    /// The formats that this libvips has encoders for.
    private static let writable = OutputFormat.allCases.filter(ImageEngine.canWrite)

    private static func checkWritable(_ format: OutputFormat?) throws(ParameterFaults) {
        guard let format, !writable.contains(format) else { return }
        let allowed = ParameterReader.list(["auto"] + writable.map(\.rawValue) + ["json"]) + " on this server"
        throw ParameterFaults([
            ParameterFault(parameter: "format", value: format.rawValue, reason: .malformed(allowed: allowed))
        ])
    }

    private func sources(of request: ImageRequest) -> AssetSources {
        AssetSources(request, in: originals, byteLimit: options.limits.sourceByteCount, qualities: qualities)
    }

    private static func acceptance(_ fields: Fields) -> Acceptance {
        let accept = AcceptField.parse(fields)
        return Acceptance { format in
            guard writable.contains(format) else { return AcceptedQuality(quality: 0, isExplicit: false) }
            return AcceptedQuality(
                quality: accept.quality(of: format.mediaType), isExplicit: accept.isExplicit(format.mediaType))
        }
    }

    private func plan(
        _ request: ImageRequest, accepting acceptance: Acceptance, resource: String?, _ head: RequestHead
    ) throws(Problem) -> PicturePlan {
        if request.isDescription {
            return descriptionPlan(request, route: .asset, takesGzip: AcceptEncoding.takesGzip(head.fields))
        }
        let maker = maker(of: request, acceptance)
        return PicturePlan(
            route: .asset, canonical: request.canonical, resource: resource,
            variant: request.format?.rawValue ?? acceptance.text,
            vary: varied.vary(isFormatOpen: request.format == nil),
            causes: options.causes + (masters == nil ? "" : " masters"),
            kind: PictureKind(assetID: request.id),
            tag: CacheTag(assetID: request.id), overlayIDs: [request.overlay?.id].compactMap(\.self),
            fallbackID: request.fallbackID,
            preparation: PicturePreparation(
                [request.id, request.overlay?.id], instead: request.fallbackID, originals),
            currentValidator: { () throws(Problem) in try maker.sources.currentValidator() },
            render: { job throws(Problem) in
                let made = try maker.make(job)
                let picture = made.picture
                return RenderedPicture(
                    content: picture.content, mediaType: picture.format.mediaType,
                    fields: PictureFields.lines(picture, request), validator: made.loaded.validator,
                    timings: [
                        ("fetch", made.fetchDuration), ("open", picture.openDuration),
                        ("decode", picture.decodeDuration), ("encode", picture.encodeDuration),
                    ])
            })
    }

    private func maker(of request: ImageRequest, _ acceptance: Acceptance) -> AssetMaker {
        AssetMaker(
            sources: sources(of: request), request: request, acceptance: acceptance, options: options,
            masters: masters)
    }

    private func descriptionPlan(_ request: ImageRequest, route: Endpoint, takesGzip: Bool) -> PicturePlan {
        let limits = options.limits
        return jsonPlan(request, route: route, step: "describe", takesGzip: takesGzip) { loaded, job throws(Problem) in
            try Self.describe(loaded, limits, job)
        }
    }

    /// A plan of `text`, JSON that a worker makes of the picture of `request`; `parameters`, in canonical form, are what has a
    /// say in it beside the picture. `step` names the work in `Server-Timing`.
    func jsonPlan(
        _ request: ImageRequest, route: Endpoint, parameters: String = "", step: StaticString, takesGzip: Bool,
        text: @escaping @Sendable (AssetSources.Loaded, RenderJob) throws(Problem) -> AssetJSON
    ) -> PicturePlan {
        // Nothing but the picture has a say, so that all ways to ask for its description share one entry.
        var plain = ImageRequest(id: request.id)
        plain.fallbackID = request.fallbackID
        let sources = sources(of: plain)
        return PicturePlan(
            route: route, canonical: plain.canonical + parameters, variant: CodedText.variant(takesGzip),
            vary: CodedText.field, mediaTypes: [Self.jsonType],
            kind: PictureKind(assetID: plain.id), tag: CacheTag(assetID: plain.id),
            fallbackID: plain.fallbackID,
            preparation: PicturePreparation(
                [plain.id], instead: plain.fallbackID, originals),
            takesGzip: takesGzip,
            currentValidator: { () throws(Problem) in try sources.currentValidator() },
            render: { job throws(Problem) in
                let started = ContinuousClock.now
                let loaded = try sources.read()
                let fetched = ContinuousClock.now
                let made = try text(loaded, job)
                let coded = CodedText(made.text, gzip: takesGzip)
                var fields = coded.codingFields
                fields.append(made.fields)
                return RenderedPicture(
                    content: coded.content, mediaType: Self.jsonType, fields: fields,
                    validator: loaded.validator,
                    timings: [("fetch", fetched - started), (step, ContinuousClock.now - fetched)])
            })
    }

    private static let jsonType = "application/json"

    /// The faults of the parameters, and with them that of an id which can name nothing.
    private func withFaultyID(_ items: [QueryItem], _ faults: ParameterFaults) -> ParameterFaults {
        guard let id = items.first(where: { $0.name == "id" })?.value, !id.isEmpty else { return faults }
        do throws(Problem) {
            _ = try originals.canonicalID(id)
            return faults
        } catch {
            // In the order of the URL, as the other faults are; what is missing comes last.
            let all = error.faults + faults.faults
            func position(_ fault: ParameterFault) -> Int {
                items.firstIndex { $0.name == fault.parameter } ?? items.count
            }
            return ParameterFaults(all.sorted { position($0) < position($1) })
        }
    }

    // MARK: On a worker

    private static func describe(
        _ loaded: AssetSources.Loaded, _ limits: ImageLimits, _ job: RenderJob
    ) throws(Problem) -> AssetJSON {
        do {
            let description = try ImageEngine.describe(
                loaded.sources.picture, in: RenderContext(job, limits: limits))
            return AssetJSON(text: DescriptionJSON.text(description, id: loaded.id))
        } catch {
            throw Problem(error, source: loaded.sources.picture)
        }
    }
}
