import Bytes
package import ImagePlan
import Parameters

/// The file of presets: lines `name=query`. Empty lines and lines that begin with `#` say nothing.
package enum PresetFile {
    /// Without a path there are no presets.
    /// - Throws: when it cannot be read, or with the first line that is no preset.
    package static func read(_ path: String?) throws(SettingFileError) -> PresetTable {
        guard let path else { return .none }
        do {
            return try table(of: try ConfigurationFile.text(of: path, source: "--presets"))
        } catch let error as ConfigurationError {
            throw SettingFileError(path: path, cause: error.faults.first?.allowed ?? "it cannot be read")
        } catch let fault as PresetFault {
            throw SettingFileError(path: path, cause: text(fault))
        } catch {
            throw SettingFileError(path: path, cause: "it cannot be read")
        }
    }

    static func table(of text: String) throws(PresetFault) -> PresetTable {
        var presets: [(name: String, query: String)] = []
        // CR LF is one character.
        for line in text.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            let line = line.trimmed()
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            guard let equals = line.firstIndex(of: "=") else { throw .badName(String(line)) }
            presets.append((String(line[..<equals].trimmed()), String(line[line.index(after: equals)...].trimmed())))
        }
        return try PresetTable(presets)
    }

    private static func text(_ fault: PresetFault) -> String {
        switch fault {
        case .badName(let name):
            "`\(name.prefix(100))` is not the name of a preset; a line must be 1 to 64 characters of a-z, 0-9, - and _, then = and a query"
        case .repeatedName(let name): "the preset \(name) is defined twice"
        case .badQuery(let name, let faults):
            "the preset \(name) is invalid: " + faults.faults.map(\.message).joined(separator: "; ")
        }
    }
}

/// A file that a setting names and that cannot be used; safe to show.
package struct SettingFileError: Error, Equatable {
    package let path: String
    /// In words for the operator.
    package let cause: String
}
