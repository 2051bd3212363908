import CVips
import Colors
import ImagePlan
import Parameters

extension VipsImage {
    private func operated(
        _ call: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<cvips_error>) -> Int32
    ) throws(ImageError) -> VipsImage {
        try unsafe Self.made({ .operationFailed(log: $0) }, call)
    }

    /// 8-bit grey, sRGB or CMYK of the same picture, without extra bands.
    func normalised() throws(ImageError) -> VipsImage {
        try unsafe Self.made({ .corrupt(log: $0) }) { unsafe cvips_to_8bit(raw, $0, $1) }
    }

    /// Bands `first`, `first + 1`, … .
    func extractingBands(from first: Int, count: Int) throws(ImageError) -> VipsImage {
        try unsafe operated { unsafe cvips_extract_bands(raw, Int32(first), Int32(count), $0, $1) }
    }

    /// Through the embedded profile, or the built-in one of the same model, to sRGB. Alpha is kept.
    func throughProfile() throws(ImageError) -> VipsImage {
        // The result carries the profile of sRGB, which the WebP saver would write in spite of "strip".
        try through("srgb").withoutProfile()
    }

    /// Through the embedded profile, or the built-in one of the same model, to the built-in profile of this name, which
    /// the result carries. Alpha and the number of bits are kept.
    func through(_ name: String) throws(ImageError) -> VipsImage {
        try unsafe operated { unsafe cvips_icc_to(raw, name, $0, $1) }
    }

    /// From sRGB to the colors of `profile`. Throws `operationFailed` where that is no profile for such colors.
    func inColors(of profile: [UInt8]) throws(ImageError) -> VipsImage {
        try unsafe operated { unsafe cvips_icc_into(raw, profile, profile.count, $0, $1) }
    }

    /// The same samples without a profile.
    func withoutProfile() throws(ImageError) -> VipsImage {
        try unsafe operated { unsafe cvips_without_profile(raw, $0, $1) }
    }

    /// Grey or RGB of 16 bits of the same picture.
    func in16Bits() throws(ImageError) -> VipsImage {
        try unsafe Self.made({ .corrupt(log: $0) }) { unsafe cvips_to_16bit(raw, $0, $1) }
    }

    /// Resampled by these factors by libvips' Lanczos-3; 16 bits.
    func resizedIn16Bits(across: Double, down: Double) throws(ImageError) -> VipsImage {
        try unsafe operated { unsafe cvips_resize_16bit(raw, across, down, $0, $1) }
    }

    /// Three color bands; alpha is kept.
    func inSRGB() throws(ImageError) -> VipsImage {
        try unsafe operated { unsafe cvips_to_srgb(raw, $0, $1) }
    }

    /// One band of luma; alpha is kept.
    func inGrey() throws(ImageError) -> VipsImage {
        try unsafe operated { unsafe cvips_to_grey(raw, $0, $1) }
    }

    /// With an opaque alpha band.
    func withAlpha() throws(ImageError) -> VipsImage {
        try unsafe operated { unsafe cvips_add_alpha(raw, $0, $1) }
    }

    /// Mirrored and turned; O(1) until pixels are pulled.
    consuming func oriented(_ orientation: Orientation) throws(ImageError) -> VipsImage {
        var image = consume self
        if orientation.isMirrored {
            image = try unsafe image.operated { [raw = image.raw] in unsafe cvips_flip_horizontal(raw, $0, $1) }
        }
        if orientation.quarterTurns != 0 {
            let quarters = Int32(orientation.quarterTurns)
            image = try unsafe image.operated { [raw = image.raw] in
                unsafe cvips_rotate_quarters(raw, quarters, $0, $1)
            }
        }
        return image
    }

    /// The part under `rect`.
    func extracting(_ rect: PixelRect) throws(ImageError) -> VipsImage {
        try unsafe operated {
            unsafe cvips_extract_area(
                raw, Int32(clamping: rect.x), Int32(clamping: rect.y), Int32(clamping: rect.widthPx),
                Int32(clamping: rect.heightPx), $0, $1)
        }
    }

    /// On a canvas of `background`, which has one sample per band.
    func padded(to canvas: PixelSize, x: Int, y: Int, background: [Double]) throws(ImageError) -> VipsImage {
        guard background.count == bands else { throw .operationFailed(log: "background and bands differ") }
        return try unsafe operated {
            unsafe cvips_embed(
                raw, Int32(clamping: x), Int32(clamping: y), Int32(clamping: canvas.widthPx),
                Int32(clamping: canvas.heightPx), background, $0, $1)
        }
    }

    /// On a canvas of `canvas`, at (`x`, `y`); what is new repeats the nearest edge.
    func extended(to canvas: PixelSize, x: Int, y: Int) throws(ImageError) -> VipsImage {
        try unsafe operated {
            unsafe cvips_extend(
                raw, Int32(clamping: x), Int32(clamping: y), Int32(clamping: canvas.widthPx),
                Int32(clamping: canvas.heightPx), $0, $1)
        }
    }

    /// Laid on `color`; alpha is gone afterwards.
    func flattened(on color: Color) throws(ImageError) -> VipsImage {
        try flattened(on: [Double(color.red), Double(color.green), Double(color.blue)])
    }

    /// Laid on levels of 0–255, three of them or, for grey, one; alpha is gone afterwards.
    func flattened(on levels: [Double]) throws(ImageError) -> VipsImage {
        let background = levels + [Double](repeating: 0, count: max(0, 3 - levels.count))
        return try unsafe operated { unsafe cvips_flatten(raw, background, $0, $1) }
    }

    /// The color bands alone.
    func withoutAlpha() throws(ImageError) -> VipsImage {
        try extractingBands(from: 0, count: colorBands)
    }

    func tagged(with profile: [UInt8]) throws(ImageError) -> VipsImage {
        try unsafe operated { unsafe cvips_with_profile(raw, profile, profile.count, $0, $1) }
    }

    /// Luma sharpened by an unsharp mask; alpha is kept.
    func sharpened(sigma: Double) throws(ImageError) -> VipsImage {
        try unsafe operated { unsafe cvips_sharpen(raw, sigma, $0, $1) }
    }

    /// Color samples × `factor` + `offset`, clipped to 0–255; alpha is kept.
    func linear(factor: Double, offset: Double) throws(ImageError) -> VipsImage {
        try unsafe operated { unsafe cvips_linear(raw, factor, offset, $0, $1) }
    }
}
