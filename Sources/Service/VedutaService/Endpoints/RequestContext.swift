import Bytes
import HTTPMessage
import HTTPServer
import Parameters
import Reactor
import Renditions

/// One request for an endpoint, and all that answering it takes.
struct RequestContext: Sendable {
    let request: Request
    let endpoint: Endpoint
    /// What the configuration says about answers, as it was when the request came.
    let policy: AnswerPolicy
    /// What it adds to answers to this client.
    let lines: PolicyLines
    let responder: Responder
    let service: ServiceParts

    var head: RequestHead { request.head }

    // MARK: Reading

    /// The parameters of the query.
    func queryItems() throws(Problem) -> [QueryItem] {
        do throws(ParameterFaults) {
            return try QueryItems.parse(head.target.query ?? "")
        } catch {
            throw Problem(error)
        }
    }

    /// What `read` takes out of the query, whose parameters are those of `table`.
    func parameters<Value>(
        _ table: ParameterTable, _ read: (inout ParameterReader) -> Value
    ) throws(Problem) -> Value {
        do throws(ParameterFaults) {
            var reader = ParameterReader(try QueryItems.parse(head.target.query ?? ""), table: table)
            let value = read(&reader)
            try reader.finish()
            return value
        } catch {
            throw Problem(error)
        }
    }

    /// Refuses a request with a query.
    func checkHasNoQuery() throws(Problem) {
        try parameters(ParameterTable([])) { _ in }
    }

    /// Refuses a request that may not change anything here.
    func checkMayWrite() throws(Problem) {
        do throws(WriteGuard.Refusal) { try policy.writes.check(head) } catch { throw Problem(error) }
    }

    /// What the preconditions of the request come to for content with these validators.
    func evaluate(_ validators: Validators) -> Preconditions.Outcome {
        Preconditions.evaluate(head.method, head.fields, validators, now: service.clock.unixSeconds())
    }

    // MARK: Answering

    /// `response`, counted.
    func counted(_ response: Response) -> Response {
        service.metrics.answered(endpoint.route, response.status)
        return response
    }

    /// The answer that says what went wrong, counted and logged; `vary` are the fields that had a say.
    func response(to problem: Problem, vary: String = "") -> Response {
        guard !endpoint.isResumable else { return TusReply(self).answer(problem) }
        return ProblemReply.response(problem, to: self, vary: vary)
    }

    /// The same as an answer that is known.
    func refused(_ problem: Problem, vary: String = "") -> Answer { .now(response(to: problem, vary: vary)) }

    /// What `body` answers, or the problem that it throws.
    func orProblem(_ body: (RequestContext) throws(Problem) -> Answer) -> Answer {
        do throws(Problem) { return try body(self) } catch { return refused(error) }
    }

    /// Sends `result` as the answer, from any thread.
    func respond(_ result: Result<Response, Problem>) {
        switch result {
        case .success(let response): responder.respond(counted(response))
        case .failure(let problem): responder.respond(response(to: problem))
        }
    }

    /// Answers on a worker, as it waits for the disk. It is carried out also when its client leaves.
    func onWorker(_ body: @escaping @Sendable () throws(Problem) -> Response) throws(Problem) -> Answer {
        let isAdmitted = service.workers.submit { respond(Result(catching: body)) }
        guard isAdmitted else { throw .overloaded }
        return .later(onAbandon: {})
    }

    // MARK: Texts

    /// `text` as it is, never compressed: short answers, and metrics, whose readers are near.
    func text(_ text: String, mediaType: String = "text/plain; charset=utf-8") -> Answer {
        let response = Response(
            status: .ok, fields: fields(mediaType, endpoint.row.caching),
            content: SharedBytes(Array(text.utf8)))
        return .now(counted(response))
    }

    /// `text`, kept for as long as the table says unless `caching` says otherwise.
    func response(
        _ text: CodedText, _ mediaType: String, status: Status = .ok, caching: AnswerCaching? = nil
    ) -> Response {
        var fields = fields(mediaType, caching ?? endpoint.row.caching)
        text.append(to: &fields)
        return Response(status: status, fields: fields, content: text.content)
    }

    /// JSON that nobody keeps.
    func json(_ json: String, status: Status = .ok) -> Response {
        response(CodedText(json, for: head), "application/json", status: status, caching: .never)
    }

    /// The field lines of a text that no script of a page may take for anything else.
    private func fields(_ mediaType: String, _ caching: AnswerCaching) -> FieldLines {
        var fields = FieldLines()
        fields.append(.contentType, mediaType)
        fields.append(.cacheControl, caching.cacheControl)
        fields.append(.xContentTypeOptions, literal: "nosniff")
        fields.append(lines.common)
        return fields
    }
}

// Renditions.
extension RequestContext {
    /// A request for `rendition`.
    func renditionRequest(_ rendition: Rendition, contentLocation: String? = nil) -> RenditionRequest {
        RenditionRequest(
            rendition, request, policy: lines.renditions(rendition.kind).policy, limits: lines.limits,
            responder: responder,
            writer: RenditionResponses(service: service, lines: lines, contentLocation: contentLocation))
    }

    /// Delivers what the path names. Memos know queries, so they are of no use.
    func deliver(_ rendition: Rendition) -> Answer {
        let renditions = service.renditions
        return renditions.deliver(renditionRequest(renditions.table.shared(rendition)), knowing: nil).answer
    }
}

extension ProblemReply {
    /// The answer to a request; `vary` are the fields that had a say. `isKept`: whether a cache may have it for as long as its
    /// status allows.
    static func response(
        _ problem: Problem, to context: RequestContext, vary: String = "", isKept: Bool = true
    ) -> Response {
        response(
            problem, to: context.request, context.lines, route: context.endpoint.route, vary: vary, isKept: isKept,
            metrics: context.service.metrics, log: context.service.log)
    }
}
