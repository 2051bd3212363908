import CardPlan
import ImagePlan
import Origin
import ServiceConfiguration

/// What is read of the files that settings name, before anything is opened.
struct SettingFiles {
    let presets: PresetTable
    let templates: CardTemplates
    let identities: OriginIdentities
    let tokens: [AccessToken]
    let rewrites: AddressRewrites

    init(_ configuration: Configuration) throws(ServiceError) {
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
