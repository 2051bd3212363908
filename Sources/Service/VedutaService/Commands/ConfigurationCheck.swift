package import ServiceConfiguration

extension Service {
    /// Reads the files that `configuration` names: presets, templates, tokens, identities, rewrites, and with
    /// some values of `--s3-credentials` a file of credentials. Opens nothing else. Checks addresses and buckets too.
    /// - Parameter environment: its variables may say where credentials are.
    package static func check(_ configuration: Configuration, environment: [String: String]) throws(ServiceError) {
        _ = try SettingFiles(configuration, environment: environment)
        _ = try ListenAddress(configuration.listen)
        _ = try metricsAddress(configuration)
        try OpenedService.checkUploadBucket(configuration)
        try OpenedService.checkSharedObjects(configuration)
    }
}
