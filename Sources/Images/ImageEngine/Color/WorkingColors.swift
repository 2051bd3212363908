import CVips
import Colors
import ImagePlan

/// The colors that the steps work in. Filters treat samples as sRGB; Display P3 has the same curve.
struct WorkingColors: Equatable {
    enum Target: Equatable {
        /// sRGB, or grey of the same curve; no profile.
        case srgb
        /// Display P3, or grey.
        case displayP3
        /// The colors of the source.
        case kept(profile: [UInt8], model: cvips_model)
    }

    let target: Target
    let is16Bit: Bool

    /// What `plan` asks for, as far as `source` and the formats allow. The default format has 8 bits.
    init(_ plan: ImagePlan, source: borrowing VipsImage, header: ImageHeader, isNamed: Bool) {
        let encoding = plan.encoding
        let model = source.model
        is16Bit = isNamed && encoding.mayHold16Bits && header.bitDepth == 16 && model != CVIPS_CMYK
        switch encoding.profile {
        case .srgb: target = .srgb
        case .p3: target = encoding.formats.contains(.gif) ? .srgb : .displayP3
        case .keep:
            let profile = Self.canKeep(model, plan) ? source.fittingProfile : nil
            target = profile.map { .kept(profile: $0, model: model) } ?? .srgb
        }
    }

    /// Grey and CMYK can only be turned and cut, as painting would need other bands.
    private static func canKeep(_ model: cvips_model, _ plan: ImagePlan) -> Bool {
        let isUnpainted = plan.steps.allSatisfy { step in
            switch step {
            case .extract, .resize, .crop, .orient: true
            case .pad, .surround, .rotate, .filter, .overlay, .mask, .flatten: false
            }
        }
        return switch model {
        case CVIPS_RGB: !plan.encoding.formats.contains(.gif)
        case CVIPS_GREY: isUnpainted && plan.encoding.formats.allSatisfy { [.jpeg, .png, .tiff].contains($0) }
        case CVIPS_CMYK: isUnpainted && plan.encoding.formats.allSatisfy { [.jpeg, .tiff].contains($0) }
        default: false
        }
    }

    func applied(to image: consuming VipsImage) throws(ImageError) -> VipsImage {
        switch target {
        case .srgb: return try image.inOutputColors()
        case .displayP3:
            // Grey is the same in P3 and sRGB: same curve, same white.
            if image.model == CVIPS_GREY { return try image.inOutputColors() }
            return try image.inDisplayP3()
        case .kept(_, let model): return image.model == model ? image : try image.inOutputColors()
        }
    }

    /// Converts an image that is not part of the source, such as an overlay.
    func appliedToGuest(_ image: consuming VipsImage) throws(ImageError) -> VipsImage {
        guard case .kept(let profile, _) = target else { return try applied(to: image) }
        var plain = try image.inOutputColors()
        if plain.model == CVIPS_GREY { plain = try plain.inSRGB() }
        return try plain.inColors(of: profile)
    }

    /// Whether samples of `source` change although no step touches them.
    func changes(_ source: borrowing VipsImage, of header: ImageHeader) -> Bool {
        if header.bitDepth == 16, !is16Bit { return true }
        return switch target {
        case .srgb: source.model == CVIPS_CMYK || source.needsProfile
        case .displayP3: true
        case .kept(_, let model): source.model != model
        }
    }

    func profile(for image: borrowing VipsImage) throws(ImageError) -> [UInt8]? {
        switch target {
        case .srgb: return nil
        case .displayP3: return image.model == CVIPS_RGB ? try Self.sample(.white).inDisplayP3().profileBytes : nil
        case .kept(let profile, let model): return image.model == model ? profile : nil
        }
    }

    /// `color` as samples of `image`, 0–1, alpha last if the image has any.
    func samples(of color: Color, in image: borrowing VipsImage) throws(ImageError) -> [Float] {
        var levels = [Float(color.red) / 255, Float(color.green) / 255, Float(color.blue) / 255]
        if image.model == CVIPS_GREY {
            levels = [levels[0]]
        } else if case .srgb = target {
        } else {
            let pixel = try PixelBuffer(appliedToGuest(Self.sample(color)), in: RenderContext())
            levels = (0..<3).map { band in
                Float(unsafe pixel.row(0)?.load(fromByteOffset: band, as: UInt8.self) ?? 0) / 255
            }
        }
        return image.hasAlpha ? levels + [Float(color.alpha) / 255] : levels
    }

    private static func sample(_ color: Color) throws(ImageError) -> VipsImage {
        try PixelBuffer(bytes: [color.red, color.green, color.blue], model: CVIPS_RGB).image()
    }
}

extension Color {
    var isGrey: Bool { red == green && green == blue }
}

extension VipsImage {
    var profileBytes: [UInt8]? { withProfile { $0.array(0..<$0.byteCount) } }

    var fittingProfile: [UInt8]? {
        guard withProfile({ ICCProfile($0).fits(model) }) == true else { return nil }
        return profileBytes
    }

    /// In Display P3, with that profile; taken for sRGB without a profile of its own.
    consuming func inDisplayP3() throws(ImageError) -> VipsImage {
        let image = model == CVIPS_CMYK || needsProfile ? self : try withoutProfile()
        do throws(ImageError) {
            return try image.through("p3")
        } catch {
            return try image.withoutProfile().through("p3")
        }
    }
}
