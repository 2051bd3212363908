import Bytes

extension Configuration {
    /// Variables that look like settings but are none, with the nearest setting.
    package static func unknownVariables(in environment: [String: String]) -> [(name: String, suggestion: String?)] {
        let known = Set(Setting.all.map(\.variable) + Setting.all.compactMap(\.secretFileVariable))
            .union(Setting.testVariables + [Setting.fileVariable])
        return environment.keys.filter { $0.hasPrefix("VEDUTA_") && !known.contains($0) }.sorted().map {
            ($0, Setting.nearest(to: $0))
        }
    }

    /// Reads options (by name, without dashes) over environment variables over the lines of a file over defaults.
    /// - Throws: every fault at once, those of the file's form first.
    package static func load(
        options: [String: String], environment: [String: String], file: ConfigurationFile? = nil
    ) throws(ConfigurationError) -> Configuration {
        var configuration = Configuration()
        var faults = file?.faults ?? []
        var sizes: (source: String, text: String)?
        for setting in Setting.all {
            let found: (source: String, text: String)?
            do throws(ConfigurationError) {
                found = try given(for: setting, options, environment, file)
            } catch {
                faults += error.faults
                continue
            }
            guard let given = found else { continue }
            if setting.name == "sizes" { sizes = given }
            if !setting.apply(given.text, &configuration) {
                faults.append(
                    .init(
                        source: given.source, value: Setting.shown(given.text, of: setting.variable),
                        allowed: setting.allowed))
            }
        }
        let side = configuration.imageSide
        if let sizes, let least = configuration.sizes.first, side > 0, least > side {
            let allowed = "one number at least must be at most --image-side, which is \(side)"
            faults.append(.init(source: sizes.source, value: sizes.text, allowed: allowed))
        }
        guard faults.isEmpty else { throw ConfigurationError(faults: faults) }
        return configuration
    }

    /// The value of a setting and where it comes from; an empty one counts as none.
    /// - Throws: that the file of a secret cannot be read.
    static func given(
        for setting: Setting, _ options: [String: String], _ environment: [String: String], _ file: ConfigurationFile?
    ) throws(ConfigurationError) -> (source: String, text: String)? {
        if let text = options[setting.name], !text.isEmpty { return ("--\(setting.name)", text) }
        if let text = environment[setting.variable], !text.isEmpty { return (setting.variable, text) }
        if let variable = setting.secretFileVariable, let path = environment[variable], !path.isEmpty {
            let text = try ConfigurationFile.text(of: path, source: variable).trimmed(\.isWhitespace)
            if !text.isEmpty { return (variable, String(text)) }
        }
        if let file, let entry = file.entries[setting.variable], !entry.value.isEmpty {
            return (file.source(entry.line, setting.variable), entry.value)
        }
        return nil
    }
}

package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    package struct Fault: Sendable, Equatable {
        package let source: String
        package let value: String
        package let allowed: String
    }

    /// In the order of the table; what two settings do not allow together comes last.
    package let faults: [Fault]

    package var description: String {
        faults.map { "\($0.source)=\($0.value) is invalid: \($0.allowed)" }.joined(separator: "\n")
    }
}
