import CVips
import Colors
import ImagePlan

extension VipsImage {
    private func operated(
        _ call: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<cvips_error>) -> Int32
    ) throws(ImageError) -> VipsImage { try unsafe Self.made({ .operationFailed(log: $0) }, call) }

    func normalised() throws(ImageError) -> VipsImage {
        try unsafe Self.made({ .corrupt(log: $0) }) { unsafe cvips_to_8bit(raw, $0, $1) }
    }

    func extractingBands(from first: Int, count: Int) throws(ImageError) -> VipsImage {
        try unsafe operated { unsafe cvips_extract_bands(raw, Int32(first), Int32(count), $0, $1) }
    }

    /// To sRGB by `through`, without a profile.
    func throughProfile() throws(ImageError) -> VipsImage {
        // The WebP saver would write the profile in spite of "strip".
        try through("srgb").withoutProfile()
    }

    /// To the built-in profile `name`, which is attached. Keeps alpha and bit depth.
    func through(_ name: String) throws(ImageError) -> VipsImage {
        try unsafe operated { unsafe cvips_icc_to(raw, name, $0, $1) }
    }

    /// From sRGB to the colors of `profile`. Throws `operationFailed` if that does not fit.
    func inColors(of profile: [UInt8]) throws(ImageError) -> VipsImage {
        try unsafe operated { unsafe cvips_icc_into(raw, profile, profile.count, $0, $1) }
    }

    func withoutProfile() throws(ImageError) -> VipsImage {
        try unsafe operated { unsafe cvips_without_profile(raw, $0, $1) }
    }

    func in16Bits() throws(ImageError) -> VipsImage {
        try unsafe Self.made({ .corrupt(log: $0) }) { unsafe cvips_to_16bit(raw, $0, $1) }
    }

    /// Resampled by libvips' Lanczos-3; 16 bits.
    func resizedIn16Bits(across: Double, down: Double, isLinear: Bool) throws(ImageError) -> VipsImage {
        try unsafe operated { unsafe cvips_resize_16bit(raw, across, down, isLinear ? 1 : 0, $0, $1) }
    }

    /// Three color bands, and alpha if there was any.
    func inSRGB() throws(ImageError) -> VipsImage { try unsafe operated { unsafe cvips_to_srgb(raw, $0, $1) } }

    /// One band of luma, and alpha if there was any.
    func inGrey() throws(ImageError) -> VipsImage { try unsafe operated { unsafe cvips_to_grey(raw, $0, $1) } }

    func withAlpha() throws(ImageError) -> VipsImage { try unsafe operated { unsafe cvips_add_alpha(raw, $0, $1) } }

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

    func extracting(_ rect: PixelRect) throws(ImageError) -> VipsImage {
        try unsafe operated {
            unsafe cvips_extract_area(raw, rect.x.cInt, rect.y.cInt, rect.widthPx.cInt, rect.heightPx.cInt, $0, $1)
        }
    }

    /// On a canvas of `background`, one sample per band.
    func padded(to canvas: PixelSize, x: Int, y: Int, background: [Double]) throws(ImageError) -> VipsImage {
        guard background.count == bands else { throw .operationFailed(log: "background and bands differ") }
        return try unsafe operated {
            unsafe cvips_embed(raw, x.cInt, y.cInt, canvas.widthPx.cInt, canvas.heightPx.cInt, background, $0, $1)
        }
    }

    /// On a larger canvas at (`x`, `y`), repeating the nearest edge.
    func extended(to canvas: PixelSize, x: Int, y: Int) throws(ImageError) -> VipsImage {
        try unsafe operated {
            unsafe cvips_extend(raw, x.cInt, y.cInt, canvas.widthPx.cInt, canvas.heightPx.cInt, $0, $1)
        }
    }

    func flattened(on color: Color) throws(ImageError) -> VipsImage {
        try flattened(on: [Double(color.red), Double(color.green), Double(color.blue)])
    }

    /// Composited on levels of 0–255, three or, for grey, one; without alpha.
    func flattened(on levels: [Double]) throws(ImageError) -> VipsImage {
        let background = levels + [Double](repeating: 0, count: max(0, 3 - levels.count))
        return try unsafe operated { unsafe cvips_flatten(raw, background, $0, $1) }
    }

    func withoutAlpha() throws(ImageError) -> VipsImage { try extractingBands(from: 0, count: colorBands) }

    func tagged(with profile: [UInt8]) throws(ImageError) -> VipsImage {
        try unsafe operated { unsafe cvips_with_profile(raw, profile, profile.count, $0, $1) }
    }
}
