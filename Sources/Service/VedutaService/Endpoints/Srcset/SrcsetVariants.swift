import ImageEngine
import ImagePlan
import Parameters

/// The images of one request for `/srcset`, as `/asset` reads them at their addresses. Filters, overlays and ids are read once, and
/// only box and format are set for each: a loop makes up to 48 of them, also for answers that are in memory.
struct SrcsetVariants {
    /// What the faults of an image depend on.
    private struct FaultCause: Hashable {
        let widthPx: Int?
        let format: OutputFormat?
    }

    private let base: ImageRequest
    private let endpoint: AssetEndpoint
    /// By width, by the rules of this server; with an open format.
    private var boxed: [Int: Result<ImageRequest, EndpointError>] = [:]
    /// The base with each id in its one spelling.
    private var spelled: Result<ImageRequest, EndpointError>?
    private var faults: [FaultCause: EndpointError] = [:]

    init(_ base: ImageRequest, of endpoint: AssetEndpoint) {
        self.base = base
        self.endpoint = endpoint
    }

    mutating func image(widthPx: Int, _ format: OutputFormat) throws(EndpointError) -> ImageRequest {
        let height = heightPx(widthPx: widthPx)
        var asked = base
        (asked.width, asked.height, asked.format) = (.pixels(widthPx), height.map { BoxLength.pixels($0) }, format)
        let (isTooHigh, hasConflicts) = (height.map { $0 > 8192 } ?? false, asked.hasConflicts)
        if isTooHigh || hasConflicts {
            let cause = FaultCause(widthPx: isTooHigh ? widthPx : nil, format: hasConflicts ? format : nil)
            if let known = faults[cause] { throw known }
            if let found = fault(of: asked) {
                faults[cause] = found
                throw found
            }
        }
        var request = try sized(asked, widthPx: widthPx).encoded(as: format)
        do throws(ParameterFaults) {
            try AssetEndpoint.checkWritable(format)
        } catch {
            let items = [
                QueryItem(name: "id", value: request.id), QueryItem(name: "format", value: format.rawValue),
            ]
            throw .parameters(endpoint.withFaultyID(items, error))
        }
        request.capEffort(at: endpoint.options.effortLimit)
        try spellIDs(of: &request)
        return request
    }

    /// By the ratio of the base; nil without one.
    private func heightPx(widthPx: Int) -> Int? {
        guard case .pixels(let width)? = base.width, case .pixels(let height)? = base.height else { return nil }
        return max(1, (widthPx * height + width / 2) / width)
    }

    /// That of the canonical text; nil if it has none.
    private func fault(of asked: ImageRequest) -> EndpointError? {
        var plain = asked
        // They take the most time, and are no part of what is wrong.
        (plain.filters, plain.overlays) = ([], [])
        do throws(EndpointError) {
            _ = try endpoint.imageRequest(try Self.items(of: plain))
            return nil
        } catch {
            return error
        }
    }

    private mutating func sized(_ asked: ImageRequest, widthPx: Int) throws(EndpointError) -> ImageRequest {
        if let known = boxed[widthPx] { return try known.get() }
        let result = Result { [base, endpoint] () throws(EndpointError) -> ImageRequest in
            var request = base.boxed(width: .pixels(widthPx), height: asked.height)
            do throws(ParameterFaults) {
                try request.apply(endpoint.rules.sizes)
            } catch {
                throw .parameters(endpoint.withFaultyID(try Self.items(of: asked), error))
            }
            return request
        }
        boxed[widthPx] = result
        return try result.get()
    }

    private mutating func spellIDs(of request: inout ImageRequest) throws(EndpointError) {
        let result =
            spelled
            ?? Result { [base, endpoint] () throws(EndpointError) -> ImageRequest in
                var request = base
                try endpoint.spellIDs(of: &request)
                return request
            }
        spelled = result
        let source = try result.get()
        (request.id, request.fallbackID) = (source.id, source.fallbackID)
        for (index, overlay) in zip(request.overlays.indices, source.overlays) {
            if let id = overlay.id { request.overlays[index].replaceID(with: id) }
        }
    }

    private static func items(of request: ImageRequest) throws(EndpointError) -> [QueryItem] {
        do throws(ParameterFaults) { return try QueryItems.parse(request.canonical) } catch { throw .parameters(error) }
    }
}
