import ImagePlan
import Parameters

/// The images that one request for `/srcset` names.
struct SrcsetRequest: Sendable {
    /// One image: what `/asset` makes at its address.
    struct Output: Sendable {
        let format: OutputFormat
        let request: ImageRequest
    }

    let options: SrcsetOptions
    /// By format, then by width.
    let outputs: [Output]
    let signer: AnswerSigner?

    /// The image of the largest width; of its ratio are all.
    var largest: ImageRequest { outputs[outputs.count - 1].request }

    var canonical: String {
        var plain = largest
        plain.format = nil
        return plain.canonical + "&" + options.canonical + (signer.map { "&\($0.canonical)" } ?? "")
    }

    /// As `/asset` takes it, with the signature where one is needed.
    func address(of output: Output) -> String {
        let signature = signer.map { "&" + $0.query(for: output.request) } ?? ""
        let address = "/asset?" + output.request.canonical + signature
        // The last comma of an address would end it in a `srcset`.
        return address.hasSuffix(",") ? address.dropLast() + "%2C" : address
    }
}

extension AssetEndpoint {
    /// Reads the parameters; the faults of all images are thrown at once, by the names that the client wrote.
    func srcset(
        _ items: [QueryItem], _ presets: PresetTable, signer: AnswerSigner?
    ) throws(EndpointError) -> SrcsetRequest {
        do throws(ParameterFaults) { try rules.check(items) } catch { throw .parameters(error) }
        var found: [ParameterFault] = []
        var options = SrcsetOptions()
        do throws(ParameterFaults) { options = try SrcsetOptions.parse(items) } catch { found += error.faults }
        let asked = SrcsetOptions.imageItems(items)
        var base: ImageRequest?
        do throws(ParameterFaults) {
            base = try ImageRequest.parse(asked, presets: presets)
        } catch {
            found += withFaultyID(items, error).faults
        }
        found += Self.ratioFaults(asked)
        guard let base, found.isEmpty else { throw .parameters(Self.ordered(found, items)) }
        let hasFormats = items.contains { $0.name == "formats" && !$0.value.isEmpty }
        var variants = SrcsetVariants(base, of: self)
        var outputs: [SrcsetRequest.Output] = []
        for format in options.formats {
            for width in options.widthsPx {
                do throws(EndpointError) {
                    let request = try variants.image(widthPx: width, format)
                    outputs.append(SrcsetRequest.Output(format: format, request: request))
                } catch .parameters(let faults) {
                    let renamed = faults.faults.map { Self.renamed($0, hasFormats: hasFormats) }
                    found += renamed.filter { !found.contains($0) }
                }
            }
        }
        guard found.isEmpty else { throw .parameters(Self.ordered(found, items)) }
        return SrcsetRequest(options: options, outputs: outputs, signer: signer)
    }

    /// `width` and `height` are a ratio here, for which both are needed.
    private static func ratioFaults(_ items: [QueryItem]) -> [ParameterFault] {
        let sides = items.filter { !$0.value.isEmpty }.compactMap { item in
            ImageRequest.table.parameter(named: item.name).map { (item: item, name: $0.name) }
        }.filter { $0.name == "width" || $0.name == "height" }
        if let side = sides.first, Set(sides.map(\.name)).count == 1 {
            let other = side.name == "width" ? "height" : "width"
            return [
                ParameterFault(parameter: side.item.name, value: side.item.value, reason: .incomplete(without: [other]))
            ]
        }
        return sides.filter { $0.item.value.hasSuffix("p") }.map { side in
            ParameterFault(
                parameter: side.item.name, value: side.item.value,
                reason: .malformed(allowed: "a whole number: width and height are a ratio here, such as 4 and 3"))
        }
    }

    /// A fault of one image under the name of the list that it comes from. What conflicts with the usual formats needs others.
    private static func renamed(_ fault: ParameterFault, hasFormats: Bool) -> ParameterFault {
        func listed(_ name: String) -> String { ["width": "widths", "format": "formats"][name] ?? name }
        var reason = fault.reason
        if case .conflict(let others) = reason {
            let asked = others.filter { hasFormats || $0 != "format" }
            reason = asked.isEmpty ? .incomplete(without: others.map(listed)) : .conflict(with: asked.map(listed))
        }
        return ParameterFault(parameter: listed(fault.parameter), value: fault.value, reason: reason)
    }

    private static func ordered(_ faults: [ParameterFault], _ items: [QueryItem]) -> ParameterFaults {
        func place(_ fault: ParameterFault) -> Int { items.firstIndex { $0.name == fault.parameter } ?? items.count }
        return ParameterFaults(faults.sorted { place($0) < place($1) })
    }
}
