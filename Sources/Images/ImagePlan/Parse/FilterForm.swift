// Names and arguments of the filters in one place, for reading, faults and the canonical text.

import Parameters

enum FilterForm: String, CaseIterable {
    case blur, sharpen, unsharp, median, pixelate, noise, grayscale, sepia, invert, threshold, posterize, tint, duotone
    case brightness, contrast, saturation, vibrance, highlights, shadows, temperature, hue, gamma, exposure
    case normalize, equalize, clahe, vignette, edges, emboss, look

    var usage: String { "a list in which \(rawValue) is written \(arguments)" }

    private var arguments: String {
        switch self {
        case .blur: "blur:sigma or blur:sigma:\(Self.region), with a sigma from 0.1 to 100\(Self.regionRange)"
        case .sharpen: "sharpen or sharpen:sigma, with a sigma from 0.1 to 10"
        case .unsharp:
            "unsharp:radius:amount:threshold, with a radius from 0.1 to 50, an amount from 0 to 10 and a threshold from 0 to 255"
        case .median: "median:radius, with a whole number from 1 to 10"
        case .pixelate:
            "pixelate:size or pixelate:size:\(Self.region), with a whole number from 2 to 256\(Self.regionRange)"
        case .noise:
            "noise:amount or noise:amount:seed, with an amount from 0 to 100 and a whole seed from 0 to 4294967295"
        case .posterize: "posterize:levels, with a whole number from 2 to 64"
        case .threshold: "threshold or threshold:level, with a whole number from 0 to 255"
        case .tint: "tint:color or tint:color:percent, with an opaque color and a number from 0 to 100"
        case .duotone: "duotone:dark:light or duotone:dark:light:percent, with opaque colors and a number from 0 to 100"
        case .sepia, .vignette: "\(rawValue) or \(rawValue):percent, with a number from 0 to 100"
        case .brightness, .contrast, .saturation, .vibrance, .highlights, .shadows, .temperature:
            "\(rawValue):amount, with a number from -100 to 100"
        case .hue: "hue:degrees, with a number from -360 to 360"
        case .gamma: "gamma:x, with a number from 0.1 to 10"
        case .exposure: "exposure:EV, with a number from -5 to 5"
        case .grayscale, .invert, .normalize, .equalize, .clahe, .edges, .emboss: "without an argument"
        case .look: "look:name, with \(ParameterReader.list(ImageFilter.Look.allCases.map(\.rawValue)))"
        }
    }

    private static let region = "x:y:width:height"
    private static let regionRange = " and a rectangle in pixels up to 16384 or percent such as 25p"

    /// The expected text for an unknown filter; does not repeat the input.
    static func list(forUnknown name: String, at position: Int) -> String {
        let names = allCases.map(\.rawValue)
        guard let nearest = Suggestion.nearest(to: name, among: names) else {
            return "a list of \(ParameterReader.list(names)); filter \(position) is unknown"
        }
        return "a list of known filters; filter \(position) is unknown, did you mean `\(nearest)`?"
    }

    func filter(_ reader: inout FilterArguments) throws(ParameterFault.Reason) -> ImageFilter {
        switch self {
        case .blur: try reader.within(.blur(sigma: try reader.number(0.1...100)))
        case .sharpen: .sharpen(sigma: try reader.number(0.1...10, default: 1))
        case .unsharp:
            .unsharp(
                radius: try reader.number(0.1...50), amount: try reader.number(0...10, default: 1),
                threshold: try reader.number(0...255, default: 0))
        case .median: .median(radius: try reader.int(1...10))
        case .pixelate: try reader.within(.pixelate(size: try reader.int(2...256)))
        case .noise: .noise(amount: try reader.number(0...100), seed: try reader.int(0...4_294_967_295, default: 0))
        case .grayscale: .grayscale
        case .sepia: .sepia(percent: try reader.number(0...100, default: 100))
        case .invert: .invert
        case .threshold: .threshold(level: try reader.int(0...255, default: 128))
        case .posterize: .posterize(levels: try reader.int(2...64))
        case .tint: .tint(color: try reader.color(), percent: try reader.number(0...100, default: 100))
        case .duotone:
            .duotone(
                dark: try reader.color(), light: try reader.color(), percent: try reader.number(0...100, default: 100))
        case .brightness: .brightness(try reader.number(-100...100))
        case .contrast: .contrast(try reader.number(-100...100))
        case .saturation: .saturation(try reader.number(-100...100))
        case .vibrance: .vibrance(try reader.number(-100...100))
        case .highlights: .highlights(try reader.number(-100...100))
        case .shadows: .shadows(try reader.number(-100...100))
        case .temperature: .temperature(try reader.number(-100...100))
        case .hue: .hue(degrees: try reader.number(-360...360).direction)
        case .gamma: .gamma(try reader.number(0.1...10))
        case .exposure: .exposure(ev: try reader.number(-5...5))
        case .normalize: .normalize
        case .equalize: .equalize
        case .clahe: .clahe
        case .vignette: .vignette(percent: try reader.number(0...100, default: 50))
        case .edges: .edges
        case .emboss: .emboss
        case .look: .look(try reader.look())
        }
    }
}
