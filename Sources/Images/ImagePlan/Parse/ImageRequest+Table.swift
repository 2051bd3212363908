package import Parameters

extension ImageRequest {
    /// The parameters of `/asset`, in canonical order. The names that the design has and this version does not build are
    /// listed too: their use is refused as not supported yet, not as a typing slip.
    package static let table = ParameterTable([
        .init("id"),
        .init("width", aliases: ["w"]),
        .init("height", aliases: ["h"]),
        .init("scale", aliases: ["dpr"]),
        .init("fit"),
        .init("enlarge"),
        .init("dpi"),
        .init("trim"),
        .init("crop"),
        .init("gravity"),
        .init("rotate"),
        .init("flip"),
        .init("filter"),
        .init("background", aliases: ["bg"]),
        .init("radius"),
        .init("mask"),
        .init("overlay"),
        .init("page"),
        .init("pages"),
        .init("format"),
        .init("quality", aliases: ["q"]),
        .init("bytes"),
        .init("lossless"),
        .init("progressive"),
        .init("effort"),
        .init("metadata"),
        .init("profile"),
        .init("default"),
        .init("download"),
        .init("explain"),
        .init("preset"),
        .init("expires", isBuilt: false),
        .init("sig", isBuilt: false),
    ])
}
