// `render` on one page. docs/IMAGES.md explains what each stage does to an image.

import ImagePlan

enum Stages {
    /// The stages on every frame after decoding, in this order; each is a file in `Steps`, used if the plan has its
    /// step.
    static let pixels: [any PixelStage.Type] = [
        OrientStage.self,  // EXIF orientation, `flip` and quarter turns, as one
        PadStage.self,  // to the box of `fit=contain`, and by `pad`
        SurroundStage.self,  // the same with `background=blur`
        RotateStage.self,  // by any other angle
        FilterStage.self,  // from left to right
        OverlayStage.self,  // other images and texts on top, in order
        MaskStage.self,  // rounded corners, circle, ellipse
        FlattenStage.self,  // on the background
    ]

    /// `opening` admits the work before the cost of the image is known: counting the text of drawings.
    static func run(
        _ request: RenderOrder, opening: RenderContext, in context: RenderContext
    ) throws(ImageError) -> RenderedImage {
        try context.checkStop()
        var (order, watch) = (request, StageWatch())

        // Open: unpack, sniff, read the header, check it against the limits. (Source, Masters)
        let source = try order.open(in: opening)

        // Plan: exact steps; pixels are looked at where the request leaves a choice to them. (ImagePlan, Analyze)
        let planned = try order.plan(source.header, opening: opening, in: context)
        defer { withExtendedLifetime(planned) {} }

        // Admit: the cost is predicted by the header, before anything is decoded. (ImagePlan/Cost)
        try context.admit(planned.cost())
        var pipeline = Pipeline(planned, source, isNamed: order.request.format != nil, in: context)
        watch.open = watch.lap()

        // Decode: extract, resize and crop in one walk; colors; then `pixels`. (Decode, Resample, Color, Steps)
        let image = try pipeline.run(pixels)
        watch.decode = watch.lap()

        // Encode: choose format and quality, write the bytes and their metadata. (Quality, Encode, Metadata)
        return try order.encode(image, planned, pipeline, watch: &watch, in: context)
    }

    /// The finished pixels in place of a file.
    static func draw(_ request: RenderOrder, in context: RenderContext) throws(ImageError) -> DecodedPixels {
        try context.checkStop()
        var order = request
        let source = try order.open(in: context)
        let planned = try order.plan(source.header, opening: context, in: context)
        defer { withExtendedLifetime(planned) {} }
        try context.admit(planned.cost())
        var pipeline = Pipeline(planned, source, isNamed: order.request.format != nil, in: context)
        var drawn = try DecodedPixels(pipeline.run(pixels), in: context)
        drawn.analysis = planned.analysis
        return drawn
    }
}
