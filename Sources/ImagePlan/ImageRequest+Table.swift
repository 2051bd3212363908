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
        .init("crop"),
        .init("gravity"),
        .init("rotate"),
        .init("flip"),
        .init("filter"),
        .init("background", aliases: ["bg"]),
        .init("format"),
        .init("quality", aliases: ["q"]),
        .init("radius", isBuilt: false),
        .init("mask", isBuilt: false),
        .init("trim", isBuilt: false),
        .init("overlay", isBuilt: false),
        .init("page", isBuilt: false),
        .init("pages", isBuilt: false),
        .init("bytes", isBuilt: false),
        .init("lossless", isBuilt: false),
        .init("progressive", isBuilt: false),
        .init("effort", isBuilt: false),
        .init("metadata", isBuilt: false),
        .init("profile", isBuilt: false),
        .init("preset", isBuilt: false),
        .init("default", isBuilt: false),
        .init("download", isBuilt: false),
        .init("expires", isBuilt: false),
        .init("sig", isBuilt: false),
    ])
}
