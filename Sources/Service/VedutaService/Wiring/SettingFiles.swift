import CardPlan
import ImagePlan
import Origin
import Originals
import ServiceConfiguration

/// What is read of the files that settings name, before anything is opened.
struct SettingFiles {
    let presets: PresetTable
    let templates: CardTemplates
    let identities: OriginIdentities
    let tokens: [AccessToken]
    let rewrites: AddressRewrites
    /// Who is asked for objects; nil: nobody.
    let objects: S3Service?

    /// - Parameter environment: its variables may say where credentials are.
    init(_ configuration: Configuration, environment: [String: String]) throws(ServiceError) {
        do throws(SettingFileError) {
            identities = try IdentityFile.read(configuration.remoteIdentities)
        } catch {
            throw .identities(path: error.path, cause: error.cause)
        }
        do throws(SettingFileError) {
            rewrites = try RewriteFile.read(configuration.remoteRewrite)
        } catch {
            throw .rewrites(path: error.path, cause: error.cause)
        }
        presets = try Self.presets(configuration)
        templates = try Self.templates(configuration)
        tokens = try Self.tokens(configuration)
        if configuration.s3Endpoint == nil, let path = configuration.remoteIdentities, !identities.buckets.isEmpty {
            throw .identities(path: path, cause: "its buckets need --s3-endpoint or VEDUTA_S3_ENDPOINT")
        }
        do throws(S3CredentialFault) {
            objects = try Self.objects(configuration, identities, AWSEnvironment(environment))
        } catch {
            throw .credentials(cause: error.description)
        }
    }

    private static func objects(
        _ configuration: Configuration, _ identities: OriginIdentities, _ environment: AWSEnvironment
    ) throws(S3CredentialFault) -> S3Service? {
        guard let endpoint = configuration.s3Endpoint else { return nil }
        var buckets = Set(configuration.s3Buckets)
        if let place = configuration.uploadPlace { buckets.insert(place.bucket) }
        let hasKeys = configuration.s3KeyID != nil || configuration.s3Secret != nil
        let keys =
            hasKeys
            ? S3Credentials(
                id: configuration.s3KeyID?.text ?? "", secret: configuration.s3Secret?.text ?? "",
                sessionToken: configuration.s3SessionToken?.text) : nil
        var service = S3Service(
            endpoint: endpoint, region: configuration.s3Region, style: configuration.s3Style,
            credentials: try environment.source(
                configuration.s3Credentials, keys: keys, region: configuration.s3Region),
            buckets: buckets)
        for (bucket, identity) in identities.buckets {
            let region = identity.region ?? service.region
            let choice = identity.choice(orElse: configuration.s3Credentials)
            let inherited = choice == .keys || choice == .auto ? keys : nil
            service.others[bucket] = S3Service(
                endpoint: identity.endpoint ?? endpoint, region: region, style: identity.style ?? service.style,
                credentials: try environment.source(choice, keys: identity.keys ?? inherited, region: region),
                buckets: [bucket])
        }
        return service
    }

    static func tokens(_ configuration: Configuration) throws(ServiceError) -> [AccessToken] {
        do throws(SettingFileError) {
            return try TokenFile.read(configuration.tokenFile)
        } catch {
            throw .tokens(path: error.path, cause: error.cause)
        }
    }

    /// Those of the folder, in place of those of the program where they have the same name.
    static func templates(_ configuration: Configuration) throws(ServiceError) -> CardTemplates {
        do throws(SettingFileError) {
            let own = try TemplateFolder.read(configuration.cardTemplates)
            return CardTemplates(BuiltInTemplates.all + own)
        } catch {
            throw .templates(path: error.path, cause: error.cause)
        }
    }

    static func presets(_ configuration: Configuration) throws(ServiceError) -> PresetTable {
        do throws(SettingFileError) {
            return try PresetFile.read(configuration.presets)
        } catch {
            throw .presets(path: error.path, cause: error.cause)
        }
    }
}
