import HTTPMessage
import ImagePlan
import Parameters

extension Problem {
    /// The same with what `target` says for parameters that only the source shows to be wrong, by the names that it has for them.
    func quoting(_ target: RequestTarget) -> Problem {
        guard faults.contains(where: { $0.value.isEmpty }), self == Problem(ParameterFaults(faults)) else {
            return self
        }
        let written = Self.written(in: target)
        return Problem(
            ParameterFaults(
                faults.map { fault in
                    guard fault.value.isEmpty, let item = written[fault.parameter] else { return fault }
                    return ParameterFault(parameter: item.name, value: item.value, reason: fault.reason)
                }))
    }

    /// By the names of the parameters of `/asset`.
    private static func written(in target: RequestTarget) -> [String: QueryItem] {
        var written: [String: QueryItem] = [:]
        guard target.path.hasPrefix(IIIFPath.prefix) else {
            for item in (try? QueryItems.parse(target.query ?? "")) ?? [] where !item.value.isEmpty {
                guard let parameter = ImageRequest.table.parameter(named: item.name) else { continue }
                if written[parameter.name] == nil { written[parameter.name] = item }
            }
            return written
        }
        guard let path = try? IIIFPath(target), case .part(_, let parts) = path.resource else { return written }
        for item in IIIFImage.items(parts) { written[item.name == "region" ? "crop" : item.name] = item }
        if let page = path.page { written["page"] = QueryItem(name: "page", value: "\(page)") }
        return written
    }
}
