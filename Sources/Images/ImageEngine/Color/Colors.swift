import CVips
import ImagePlan

extension VipsImage {
    /// What the resampler reads: 8 bits, one of grey, RGB or CMYK, at most one band of alpha. Lazy.
    consuming func readable() throws(ImageError) -> VipsImage {
        var image = consume self
        if !image.is8Bit || image.model == CVIPS_OTHER { image = try image.normalised() }
        let colors = image.colorBands
        let wanted = image.model == CVIPS_CMYK ? colors : min(image.bands, colors + 1)
        if image.bands > wanted { image = try image.extractingBands(from: 0, count: wanted) }
        return image
    }

    var colorBands: Int {
        switch model {
        case CVIPS_GREY: 1
        case CVIPS_CMYK: 4
        default: 3
        }
    }

    /// In sRGB, or grey: at the reduced size, because a color transform costs some 5 ns per pixel and the source has many
    /// more of them. Profiles that describe sRGB are believed and skipped; a grey image stays one band. A profile that
    /// cannot be used leaves the samples as they are, which is what a viewer without color management shows.
    consuming func inOutputColors() throws(ImageError) -> VipsImage {
        if model == CVIPS_CMYK { return try throughProfile() }
        guard needsProfile else { return self }
        do throws(ImageError) {
            return model == CVIPS_GREY ? try throughProfile().inGrey() : try throughProfile()
        } catch {
            return self
        }
    }

    /// Whether there is a profile for colors like these that says something else than sRGB.
    var needsProfile: Bool {
        withProfile { ICCProfile($0).fits(model) && !ICCProfile($0).describesSRGB } ?? false
    }
}
