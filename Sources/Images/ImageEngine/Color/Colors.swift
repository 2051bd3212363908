import CVips

extension VipsImage {
    /// Lazily converted for the resampler: 8 bits, grey, RGB or CMYK, at most one alpha band.
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

    /// In sRGB, or grey. Done at the reduced size: a color transform costs some 5 ns per pixel. Profiles that describe
    /// sRGB are skipped. With an unusable profile the samples stay, as in a viewer without color management.
    consuming func inOutputColors() throws(ImageError) -> VipsImage {
        if model == CVIPS_CMYK { return try throughProfile() }
        guard needsProfile else { return self }
        do throws(ImageError) {
            return model == CVIPS_GREY ? try throughProfile().inGrey() : try throughProfile()
        } catch {
            return self
        }
    }

    var needsProfile: Bool { withProfile { ICCProfile($0).fits(model) && !ICCProfile($0).describesSRGB } ?? false }
}
