import AssetLibrary
import Bytes
import ClientBudgets
import HTTPMessage
import HTTPServer
import Logging
import Parameters
import Reactor
import Renditions

/// One request for an endpoint, and all that answering it takes.
struct RequestContext: Sendable {
    let admission: AdmittedRequest
    let endpoint: Endpoint
    /// What the configuration says about answers, as it was when the request came.
    let policy: AnswerPolicy
    /// What it adds to answers to this client.
    let lines: PolicyLines
    let responder: Responder
    let service: OpenedService
    /// What the work is charged to; nil: nobody.
    let bill: WorkBill?

    init(
        admission: AdmittedRequest, endpoint: Endpoint, policy: AnswerPolicy, lines: PolicyLines, responder: Responder,
        service: OpenedService
    ) {
        self.admission = admission
        self.endpoint = endpoint
        self.policy = policy
        self.lines = lines
        self.responder = responder
        self.service = service
        bill = service.budgets.bill(admission, policy)
    }

    var request: Request { admission.request }
    var head: RequestHead { request.head }
    /// With whom its jobs take turns.
    var client: ClientNetwork? { ClientNetwork(of: request, policy.addresses.trustedProxies) }
    /// Whom what is sent counts for.
    var payer: BudgetClient { service.budgets.client(of: admission, policy) }

    /// The same for an answer that no shared cache may keep.
    var unshared: RequestContext {
        var bound = lines.bound
        bound.isPrivate = true
        return RequestContext(
            admission: admission, endpoint: endpoint, policy: policy, lines: lines.bounded(by: bound),
            responder: responder, service: service)
    }

    func queryItems() throws(EndpointError) -> [QueryItem] {
        do { return try QueryItems.parse(head.target.query ?? "") } catch { throw .parameters(error) }
    }

    /// What `read` takes out of the query, whose parameters are those of `table`.
    func parameters<Value>(
        _ table: ParameterTable, _ read: (inout ParameterReader) -> Value
    ) throws(EndpointError) -> Value {
        var reader = ParameterReader(try queryItems(), table: table)
        let value = read(&reader)
        do throws(ParameterFaults) { try reader.finish() } catch { throw .parameters(error) }
        return value
    }

    func checkHasNoQuery() throws(EndpointError) { try parameters(ParameterTable([])) { _ in } }

    func openBill() throws(EndpointError) {
        do throws(BudgetRefusal) { try bill?.open() } catch { throw .overBudget(error) }
    }

    /// A client without the token learns that it needs one.
    func explained(_ error: EndpointError) -> EndpointError {
        guard case .disabled(let restricted) = error, let access = policy.access else { return error }
        return access.refusal(restricted, head, policy.writes)
    }

    func checkMayWrite() throws(EndpointError) {
        do throws(WriteGuard.Refusal) { try policy.writes.check(head) } catch { throw .unauthorized(error) }
    }

    /// What the preconditions of the request come to for content with these validators.
    func evaluate(_ validators: Validators) -> Preconditions.Outcome {
        Preconditions.evaluate(head.method, head.fields, validators, now: service.clock.unixSeconds())
    }

    func counted(_ response: Response) -> Response {
        service.metrics.answered(endpoint.route, response.status, after: service.clock.monotonic() - request.arrived)
        return response
    }

    /// The answer that says what went wrong, counted and logged; `vary` are the fields that decided something.
    func response(to error: EndpointError, vary: String = "") -> Response {
        let isResumable = endpoint.isResumable
        var response = ProblemReply.response(
            Problem(error), to: request, lines, vary: vary, isKept: !isResumable, log: service.log)
        let mayBeDraft = isResumable || endpoint.row.accepts == .file
        if mayBeDraft, let draft = DraftUploadRequest(head) {
            draft.append(to: &response.ownFields, of: error)
        } else if isResumable {
            Tus.append(to: &response.ownFields, of: error)
        }
        return counted(response)
    }

    func refused(_ error: EndpointError, vary: String = "") -> Answer { .now(response(to: error, vary: vary)) }

    /// What `body` answers, or the problem that its error is.
    func orProblem(_ body: (RequestContext) throws(EndpointError) -> Answer) -> Answer {
        do throws(EndpointError) { return try body(self) } catch { return refused(error) }
    }

    /// Sends `result` as the answer, from any thread; in place of content that there is no memory for, that the server is busy.
    func respond(_ result: Result<Response, EndpointError>) {
        switch result.flatMap({ counting($0) }) {
        case .success(let response): responder.respond(counted(response))
        case .failure(let error): responder.respond(response(to: error))
        }
    }

    /// `response`, whose content counts for the client until it is sent. Answers to what changes something are short.
    private func counting(_ response: Response) -> Result<Response, EndpointError> {
        guard head.method == .get, let content = response.content else { return .success(response) }
        guard let counted = service.renditions.sending(content, to: payer) else { return .failure(.busy) }
        var response = response
        response.content = counted
        return .success(response)
    }

    /// Refuses to read into memory what a client that reads nothing would keep there.
    func checkHasRoom() throws(EndpointError) {
        guard service.renditions.hasRoom(for: payer) else { throw .busy }
    }

    /// Answers on a worker, as it waits for the disk. Where it changes something, it is carried out also when its client leaves.
    func onWorker(_ body: @escaping @Sendable () throws(EndpointError) -> Response) throws(EndpointError) -> Answer {
        try beginOnWorker { () throws(EndpointError) in try body() }
    }

    /// The same for work that may go on elsewhere: where `body` returns nil, what it began calls ``respond(_:)``.
    func beginOnWorker(
        _ body: @escaping @Sendable () throws(EndpointError) -> Response?
    ) throws(EndpointError) -> Answer {
        try beginStoppable { _ throws(EndpointError) in try body() }
    }

    /// The same for reads that may take long. `stop` is set when the client leaves, and nil where work is carried out anyway; a
    /// `body` that sees it set may return nil, as nobody waits for an answer.
    func beginStoppable(
        _ body: @escaping @Sendable (_ stop: SharedFlag?) throws(EndpointError) -> Response?
    ) throws(EndpointError) -> Answer {
        try openBill()
        let answer: @Sendable (Result<Response?, EndpointError>) -> Void = { result in
            switch result {
            case .success(let response?): respond(.success(response))
            case .success(nil): break
            case .failure(let error): respond(.failure(error))
            }
        }
        // What changes nothing gives way to clients that have less in line, and ends with its client.
        var displaced: WorkerPool.Job?
        if head.method.isRead {
            displaced = {
                bill?.close()
                respond(.failure(.busy))
            }
        }
        let abandonment = head.method.isRead ? SharedFlag() : nil
        let work: @Sendable () -> Result<Response?, EndpointError> = {
            Result { () throws(EndpointError) in try body(abandonment) }
        }
        let isAdmitted = service.workers.submit(for: client, cancelledBy: abandonment, displaced: displaced) {
            guard let bill else { return answer(work()) }
            answer(bill.measure(work))
            bill.close()
        }
        guard isAdmitted else { throw .busy }
        return .later(onAbandon: { abandonment?.set() })
    }

    /// `text` as it is, never compressed: short answers, and metrics, whose readers are near.
    func text(_ text: String, mediaType: String = "text/plain; charset=utf-8", vary: String = "") -> Answer {
        var fields = fields(mediaType, endpoint.row.caching)
        if !vary.isEmpty { fields.append(.vary, vary) }
        let response = Response(status: .ok, fields: fields, content: SharedBytes(Array(text.utf8)))
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

    /// A page that is kept for as long as the table says, unless `caching` says otherwise.
    func page(_ html: String, _ haste: CodedText.Haste = .onWorker, caching: AnswerCaching? = nil) -> Response {
        var response = response(CodedText(html, for: head, haste), "\(PageFields.mediaType)", caching: caching)
        response.fields.append(PageFields.page)
        return response
    }

    /// JSON that nobody keeps.
    func json(_ json: String, status: Status = .ok) -> Response {
        response(CodedText(json, for: head), "application/json", status: status, caching: .never)
    }

    /// The field lines of a text that no script of a page may take for anything else.
    private func fields(_ mediaType: String, _ caching: AnswerCaching) -> FieldLines {
        var fields = FieldLines()
        fields.append(.contentType, mediaType)
        fields.append(.cacheControl, lines.bound.applied(to: caching.cacheControl))
        fields.append(.xContentTypeOptions, literal: "nosniff")
        fields.append(lines.common)
        return fields
    }
}

// Renditions.
extension RequestContext {
    func renditionRequest(
        _ rendition: Rendition, contentLocation: String? = nil, preparing prepare: RenditionResponses.Prepare? = nil,
        asked: AskedSize? = nil
    ) -> RenditionRequest {
        RenditionRequest(
            rendition, request, policy: lines.renditions(rendition.kind).policy, limits: lines.limits,
            responder: responder,
            writer: RenditionResponses(
                service: service, lines: lines, contentLocation: contentLocation, prepare: prepare, asked: asked),
            payer: payer, bill: bill)
    }

    /// Delivers what the path names. Memos know queries, so they are of no use.
    func deliver(
        _ rendition: Rendition, preparing prepare: RenditionResponses.Prepare? = nil, asked: AskedSize? = nil
    ) -> Answer {
        let renditions = service.renditions
        let request = renditionRequest(renditions.table.shared(rendition), preparing: prepare, asked: asked)
        return renditions.deliver(request, knowing: nil).answer
    }
}

extension Response {
    /// Cuts this 200 to what `request` asks for with Range and If-Range; call it after the preconditions. Without Range this
    /// is one look for the field. `validators` are those of the bytes that this answer has.
    mutating func cut(
        for request: Request, _ validators: @autoclosure () -> Validators, now: @autoclosure () -> Int64
    ) throws(EndpointError) {
        let head = request.head
        guard head.fields.contains(.range), let byteCount = content?.byteCount else { return }
        let selection = RangeSelection.evaluate(
            head.method, head.fields, validators(), byteCount: byteCount, now: now())
        switch selection {
        case .whole: break
        case .single(let range): cut(to: [range])
        case .multiple(let ranges): cut(to: ranges)
        case .unsatisfiable: throw .rangeNotSatisfiable(byteCount: byteCount)
        }
    }
}
