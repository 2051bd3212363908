import Bytes
import ImagePlan

@testable import ImageEngine

// The first byte of an input says whether the rest is an SVG or a PDF.

/// What `scripts/fuzz drawing` runs: counting the parts of drawings, before a library sees them.
enum DrawingInput {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var input = FuzzInput(bytes)
        let isDocument = input.next() & 1 == 1
        let file = SharedBytes(input.rest())
        let first = counted(file, isDocument)
        try BrokenInvariant.require(counted(file, isDocument) == first, "another result the second time")
        if isDocument {
            let labels = (try? PDFPageLabels.labels(of: file, 0..<20, in: RenderContext())) ?? []
            try BrokenInvariant.require(
                labels.count == 20 && labels.allSatisfy { $0?.utf8.count ?? 0 < 2000 }, "labels \(labels)")
        }
        guard case .success(let drawing) = first else { return }
        let isHeld =
            drawing.elementCount >= 0 && drawing.layerCount >= 0 && drawing.filterCount >= 0 && drawing.lineLength >= 0
            && drawing.picturePixelCount >= 0 && drawing.heldByteCount >= 0
        try BrokenInvariant.require(isHeld, "\(drawing)")
        var header = ImageHeader(format: isDocument ? .pdf : .svg, widthPx: 100, heightPx: 100)
        header.drawing = drawing
        let request = ImageRequest(id: "a")
        guard case .plan(let plan)? = try? request.planning(for: header, accepting: Acceptance(only: .png)) else {
            throw BrokenInvariant("no plan")
        }
        let cost = plan.predictedCost(header)
        try BrokenInvariant.require(cost.microseconds >= 0 && cost.byteCount >= 0, "\(cost)")
    }

    private static func counted(_ file: SharedBytes, _ isDocument: Bool) -> Result<DrawingComplexity, ImageError> {
        Result { () throws(ImageError) in
            isDocument
                ? try PDFInspector.complexity(of: file)
                : try SVGInspector.complexity(of: CompressedSVG.unpacked(file))
        }
    }
}
