extension PredictedCost {
    /// The most parts of a drawing that are counted (`DrawingLimits`), and about how many bytes one of them takes at least.
    private static let partLimit = 500_000.0
    private static let bytesPerPart = 4.0

    /// What counting what there is to draw costs, before anything is known but how long the file is.
    package static func counting(_ format: SourceFormat, byteCount: Int) -> PredictedCost {
        let count = Double(max(0, byteCount))
        let parts = min(partLimit, count / bytesPerPart)
        let units = count * (format == .pdf ? CostTable.countedDocumentByte : CostTable.countedByte)
        let step = Step(
            "count \(format.rawValue)", nanoseconds: units * CostTable.unit,
            bytes: count + parts * CostTable.countedPartBytes)
        return PredictedCost(steps: [step], frameCount: 1, isDrawing: true).holding(byteCount)
    }

    /// What parsing it for its size costs, when it has been counted.
    package static func parsing(_ drawing: DrawingComplexity, _ format: SourceFormat, byteCount: Int) -> PredictedCost {
        let count = Double(max(0, byteCount))
        let units =
            format == .pdf
            ? CostTable.parsedDocument + count * CostTable.parsedDocumentByte : count * CostTable.parsedByte
        let step = Step(
            "parse \(format.rawValue)", nanoseconds: units * CostTable.unit,
            bytes: Double(drawing.heldByteCount))
        return PredictedCost(steps: [step], frameCount: 1, isDrawing: true).holding(byteCount)
    }
}
