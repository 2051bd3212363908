import CVips
import Colors
import ImagePlan
import Parameters

/// Which colors the steps work in, and which profile goes out with them.
///
/// Filters take samples for sRGB whatever they are: Display P3 has the same curve, so they do the same to it.
struct WorkingColors {
    enum Target {
        /// sRGB, or grey of the same curve; no profile.
        case srgb
        /// Display P3, or grey.
        case displayP3
        /// What this profile of the source says.
        case kept(profile: [UInt8], model: cvips_model)
    }

    let target: Target
    /// Whether samples keep 16 bits.
    let is16Bit: Bool

    /// What `plan` asks for, as far as `source` and the formats allow. `isNamed` tells whether the format was asked for by
    /// name: what is sent by default has 8 bits.
    init(_ plan: ImagePlan, source: borrowing VipsImage, header: ImageHeader, isNamed: Bool) {
        let encoding = plan.encoding
        let isExact = encoding.formats.allSatisfy(\.holds16Bits) && encoding.quality == nil && encoding.byteLimit == nil
        let model = source.model
        is16Bit = isNamed && isExact && header.bitDepth == 16 && model != CVIPS_CMYK
        switch encoding.profile {
        case .srgb: target = .srgb
        case .p3: target = encoding.formats.contains(.gif) ? .srgb : .displayP3
        case .keep:
            if let profile = source.fittingProfile, Self.canKeep(model, plan) {
                target = .kept(profile: profile, model: model)
            } else {
                target = .srgb
            }
        }
    }

    /// Whether all formats hold such colors, and all steps know how to work in them: grey and CMYK are only turned and
    /// cut, for a color or another image would need bands that they have not.
    private static func canKeep(_ model: cvips_model, _ plan: ImagePlan) -> Bool {
        let isUnpainted = plan.steps.allSatisfy { step in
            switch step {
            case .extract, .resize, .crop, .orient: true
            case .pad, .rotate, .filter, .overlay, .mask, .flatten: false
            }
        }
        return switch model {
        case CVIPS_RGB: !plan.encoding.formats.contains(.gif)
        case CVIPS_GREY: isUnpainted && plan.encoding.formats.allSatisfy { [.jpeg, .png, .tiff].contains($0) }
        case CVIPS_CMYK: isUnpainted && plan.encoding.formats.allSatisfy { [.jpeg, .tiff].contains($0) }
        default: false
        }
    }

    /// `image`, which has the profile of its source if that matters, in these colors.
    func applied(to image: consuming VipsImage) throws(ImageError) -> VipsImage {
        switch target {
        case .srgb: return try image.inOutputColors()
        case .displayP3:
            // Grey of P3 is grey of sRGB: same curve, same white.
            if image.model == CVIPS_GREY { return try image.inOutputColors() }
            return try image.inDisplayP3()
        case .kept(_, let model):
            return image.model == model ? image : try image.inOutputColors()
        }
    }

    /// An image that is no part of the source, such as an overlay, in these colors.
    func appliedToGuest(_ image: consuming VipsImage) throws(ImageError) -> VipsImage {
        guard case .kept(let profile, _) = target else { return try applied(to: image) }
        var plain = try image.inOutputColors()
        if plain.model == CVIPS_GREY { plain = try plain.inSRGB() }
        return try plain.inColors(of: profile)
    }

    /// Whether samples of `source` come out as others, although no step touches them.
    func changes(_ source: borrowing VipsImage, of header: ImageHeader) -> Bool {
        if header.bitDepth == 16, !is16Bit { return true }
        return switch target {
        case .srgb: source.model == CVIPS_CMYK || source.needsProfile
        case .displayP3: true
        case .kept(_, let model): source.model != model
        }
    }

    /// The profile to attach to the finished `image`; nil where none is needed.
    func profile(for image: borrowing VipsImage) throws(ImageError) -> [UInt8]? {
        switch target {
        case .srgb: return nil
        case .displayP3: return image.model == CVIPS_RGB ? try Self.sample(.white).inDisplayP3().profileBytes : nil
        case .kept(let profile, let model): return image.model == model ? profile : nil
        }
    }

    /// `color` as samples of `image`, 0–1, alpha last where the image has any.
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

    /// One pixel of `color` in sRGB.
    private static func sample(_ color: Color) throws(ImageError) -> VipsImage {
        try PixelBuffer(bytes: [color.red, color.green, color.blue], model: CVIPS_RGB).image()
    }
}

extension Color {
    var isGrey: Bool { red == green && green == blue }
}

extension VipsImage {
    var profileBytes: [UInt8]? {
        withProfile { $0.array(0..<$0.byteCount) }
    }

    /// The bytes of the embedded profile if it is about colors like these.
    var fittingProfile: [UInt8]? {
        guard withProfile({ ICCProfile($0).fits(model) }) == true else { return nil }
        return profileBytes
    }

    /// In Display P3, with that profile; from sRGB where no profile of its own says anything else.
    consuming func inDisplayP3() throws(ImageError) -> VipsImage {
        let image = model == CVIPS_CMYK || needsProfile ? self : try withoutProfile()
        do throws(ImageError) {
            return try image.through("p3")
        } catch {
            // A profile that cannot be used says nothing.
            return try image.withoutProfile().through("p3")
        }
    }
}
