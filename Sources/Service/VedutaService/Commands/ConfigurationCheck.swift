package import ServiceConfiguration

extension Service {
    /// Reads the files that `configuration` names: presets, templates, tokens, identities, rewrites. Opens nothing else.
    package static func check(_ configuration: Configuration) throws(ServiceError) {
        _ = try SettingFiles(configuration)
        _ = try ListenAddress(configuration.listen)
    }
}
