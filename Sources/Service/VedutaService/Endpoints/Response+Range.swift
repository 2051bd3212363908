import HTTPMessage
import HTTPServer

extension Response {
    /// Cuts this 200 to what `request` asks for with Range and If-Range; to be called after the preconditions.
    ///
    /// Without Range this is one look for the field. `validators` are those of the bytes that this answer has.
    mutating func cut(
        for request: Request, _ validators: @autoclosure () -> Validators, now: @autoclosure () -> Int64
    ) throws(Problem) {
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
