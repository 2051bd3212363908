import AssetLibrary
import Bytes
import HTTPMessage
import HTTPServer

/// Makes the answers to one request of the tus protocol.
struct TusReply: Sendable {
    private let context: RequestContext

    init(_ context: RequestContext) { self.context = context }

    /// An answer without content that tells of `state`; `adjust` adds more.
    func answer(
        _ status: Status, _ state: ResumableState?, _ adjust: (inout FieldLines) -> Void = { _ in }
    ) -> Response {
        var fields = FieldLines()
        fields.append(.tusResumable, literal: Tus.version)
        fields.append(.cacheControl, literal: "no-store")
        if let state {
            fields.append(.uploadOffset, state.offset)
            fields.append(.uploadExpires, date: state.expiresUnixSeconds)
            if let id = state.assetID {
                fields.append(.vedutaAsset, id)
                fields.append(.contentLocation, "/assets/\(id)")
            }
        }
        adjust(&fields)
        fields.append(context.lines.common)
        return Response(status: status, fields: fields)
    }

    /// An answer that says what went wrong.
    func answer(_ problem: Problem) -> Response {
        var response = ProblemReply.response(problem, to: context, isKept: false)
        response.ownFields.append(.tusResumable, literal: Tus.version)
        if problem.status == .preconditionFailed { response.ownFields.append(.tusVersion, literal: Tus.version) }
        return response
    }
}
