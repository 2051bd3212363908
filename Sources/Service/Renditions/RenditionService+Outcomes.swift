import Bytes
package import ClientBudgets
package import HTTPServer
import ResponseCache
import Telemetry

extension RenditionService {
    /// The answer to one who waited for a render.
    func response(to request: RenditionRequest, _ outcome: RenderOutcome, isCollapsed: Bool) -> Response {
        switch outcome {
        case .success(let finished):
            guard let stored = counted(finished.stored, for: request) else { return refusal(of: request) }
            guard let (reason, isKept) = finished.made else {
                metrics.lateHit(stored.kept.response)
                return request.response(.rendition(stored, .cache))
            }
            return request.response(
                .rendition(
                    stored,
                    .rendered(
                        request.decision.forwardReason(reason), isStored: isKept && !isCollapsed,
                        isCollapsed: isCollapsed, timings: finished.timings)))
        case .failure(let failed):
            if let stale = failed.stale, request.mayServeStale(stale.state, for: failed.error) {
                return counted(stale, for: request).map { staleResponse($0, for: failed.error, request) }
                    ?? refusal(of: request)
            }
            if let (age, timeToLive) = failed.known {
                metrics.negativeHits.add()
                return request.response(
                    .failure(failed.error, .remembered(ageSeconds: age, timeToLiveSeconds: timeToLive)))
            }
            guard let reason = failed.reason else { return request.response(.failure(failed.error)) }
            return request.response(
                .failure(
                    failed.error,
                    .render(
                        request.decision.forwardReason(reason), isRemembered: failed.isRemembered && !isCollapsed,
                        isCollapsed: isCollapsed)))
        }
    }

    /// `stored`, whose content counts for the client of `request` until it is sent; nil where that would be too much.
    func counted(_ stored: StoredRendition, for request: RenditionRequest) -> StoredRendition? {
        guard stored.kept.file == nil else { return stored }
        let response = stored.kept.response
        return unsent.sending(response.content, to: request.payer).map {
            StoredRendition(kept: KeptAnswer(response.with($0)), state: stored.state)
        }
    }

    /// Whether something more may be read into memory to be sent to `client`.
    package func hasRoom(for client: BudgetClient) -> Bool { unsent.hasRoom(for: client) }

    /// Content up to here is not counted.
    private static let freeByteCount = 64 << 10

    /// `content` of any answer, whose bytes in memory count for `client` until they are sent; nil where that would be too much.
    package func sending(_ content: ResponseContent, to client: BudgetClient) -> ResponseContent? {
        switch content {
        case .bytes(let bytes): return sending(bytes, to: client).map { ResponseContent.bytes($0) }
        case .parts(let parts):
            var counted: [ContentPart] = []
            for part in parts {
                guard case .bytes(let bytes, let range) = part else {
                    counted.append(part)
                    continue
                }
                // A part keeps all of its content.
                guard let whole = sending(bytes, to: client) else { return nil }
                counted.append(.bytes(whole, range))
            }
            return .parts(counted)
        case .file, .stream: return content
        }
    }

    private func sending(_ bytes: SharedBytes, to client: BudgetClient) -> SharedBytes? {
        guard bytes.count > Self.freeByteCount else { return bytes }
        if let counted = unsent.sending(bytes, to: client) { return counted }
        metrics.refusals.add()
        return nil
    }

    func refusal(of request: RenditionRequest) -> Response {
        metrics.refusals.add()
        return request.response(.failure(.busy))
    }
}
