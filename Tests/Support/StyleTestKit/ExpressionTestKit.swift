import Foundation
package import JSON
import MapStyle

/// Runs the public expression tests of the MapLibre style specification, a folder with a `test.json` each.
package struct ExpressionTestKit {
    package struct Outcome: Sendable {
        /// The test's folder, relative to the folder of all.
        package var name: String
        /// Why it failed; none when it passed.
        package var complaints: [String]
    }

    private let root: URL

    package init(path: String) { root = URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL }

    /// Runs every test below the folder, in the order of their names.
    package func run() throws -> [Outcome] {
        guard let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil) else { return [] }
        var paths: [String] = []
        for case let file as URL in files where file.lastPathComponent == "test.json" {
            paths.append(file.deletingLastPathComponent().standardizedFileURL.path)
        }
        return try paths.sorted().map { path in
            let file = URL(fileURLWithPath: path).appendingPathComponent("test.json")
            let json = try JSONReader.read([UInt8](Data(contentsOf: file)))
            return Outcome(name: String(path.dropFirst(root.path.count + 1)), complaints: Self.complaints(json))
        }
    }

    /// What is wrong with our answers to the test `json`.
    package static func complaints(_ json: JSONValue) -> [String] {
        let expected = json["expected"]
        let compiled = expected?["compiled"]
        do throws(ExpressionFailure) {
            let specification = PropertySpecification(test: json["propertySpec"])
            let input = json["expression"] ?? .null
            let expression =
                input.object?["stops"] != nil || input.object?["property"] != nil
                ? try PropertyExpression(value: input, for: specification, keys: PropertyKeys())
                : try PropertyExpression(input, for: specification, keys: PropertyKeys())
            guard compiled?["result"] == "success" else { return ["compiled, though it should not"] }
            return traits(of: expression, compiled)
                + outputs(of: expression, json, expected?["outputs"]?.elements ?? [])
        } catch {
            return issues(error, compiled)
        }
    }

    private static func issues(_ failure: ExpressionFailure, _ compiled: JSONValue?) -> [String] {
        let found = failure.issues.map { "\($0.path): \($0.message)" }
        let wanted = (compiled?["errors"]?.elements ?? []).map {
            "\($0["key"]?.text ?? ""): \($0["error"]?.text ?? "")"
        }
        return found == wanted ? [] : ["errors \(found), not \(wanted)"]
    }

    private static func traits(of expression: PropertyExpression, _ compiled: JSONValue?) -> [String] {
        var complaints: [String] = []
        if compiled?["type"]?.text != expression.type.name {
            complaints.append("type \(expression.type.name), not \(compiled?["type"]?.text ?? "none")")
        }
        for (name, found) in [
            "isFeatureConstant": expression.isFeatureConstant, "isZoomConstant": expression.isZoomConstant,
        ] where compiled?[name]?.boolean != found {
            complaints.append("\(name) is \(found)")
        }
        return complaints
    }

    private static func outputs(
        of expression: PropertyExpression, _ json: JSONValue, _ expected: [JSONValue]
    ) -> [String] {
        var complaints: [String] = []
        for (index, input) in (json["inputs"]?.elements ?? []).enumerated() where index < expected.count {
            let context = EvaluationContext(test: input, globalState: json["globalState"])
            do throws(EvaluationError) {
                let value = try expression.evaluate(context)
                if let difference = ExpectedValue.difference(value, from: expected[index]) {
                    complaints.append("output \(index): \(difference)")
                }
            } catch {
                let found = "layers[0].paint.some-property\(error.path): \(error.message)"
                if expected[index]["error"]?.text != found {
                    complaints.append("output \(index): error \(found), not \(expected[index])")
                }
            }
        }
        return complaints
    }
}

extension EvaluationContext {
    /// The context of one input of a test: what is global, and the feature.
    fileprivate convenience init(test input: JSONValue, globalState: JSONValue?) {
        self.init()
        guard let parts = input.elements, parts.count == 2 else { return }
        let (surroundings, subject) = (parts[0], parts[1])
        if let id = surroundings["canonicalID"], let z = id["z"]?.number, let x = id["x"]?.number,
            let y = id["y"]?.number
        {
            tile = TileCoordinate(z: Int(z), x: Int(x), y: Int(y))
        }
        zoom = surroundings["zoom"]?.number ?? 0
        heatmapDensity = surroundings["heatmapDensity"]?.number ?? 0
        elevation = surroundings["elevation"]?.number ?? 0
        availableImages = surroundings["availableImages"]?.elements.map { Set($0.compactMap(\.text)) }
        feature = TestFeature(subject, in: tile)
        if let state = subject["featureState"]?.object { featureState = OrderedObject(state) }
        if let state = globalState?.object { self.globalState = OrderedObject(state) }
    }
}

extension PropertySpecification {
    /// The property of a test; without one, a property that allows everything.
    fileprivate init(test json: JSONValue?) {
        let expression = json?["expression"]
        let parameters = expression?["parameters"]?.elements ?? ["zoom", "feature"]
        self.init(
            PropertyType(test: json), defaultValue: json?["default"], allowsZoom: parameters.contains("zoom"),
            allowsFeature: json?["property-type"]?.text.map { $0 == "data-driven" } ?? true,
            isInterpolated: expression == nil || expression?["interpolated"] == .boolean(true),
            hasTokens: json?["tokens"] == .boolean(true))
    }
}

extension PropertyType {
    fileprivate init(test json: JSONValue?) {
        let types: [String: ValueType] = [
            "number": .number, "string": .string, "boolean": .boolean, "color": .color, "formatted": .formatted,
            "padding": .padding, "numberArray": .numberArray, "colorArray": .colorArray,
            "resolvedImage": .resolvedImage,
            "projectionDefinition": .projectionDefinition,
            "variableAnchorOffsetCollection": .variableAnchorOffsetCollection,
        ]
        switch json?["type"]?.text {
        case "enum"?: self = .word(json?["values"]?.object?.members.map(\.name) ?? [])
        case "array"?:
            let element = json?["value"]?.text.flatMap { types[$0] } ?? .value
            self = .value(.array(element, count: json?["length"]?.number.map { Int($0) }))
        case let name?: self = types[name].map(PropertyType.value) ?? .any
        case nil: self = .any
        }
    }
}
