package import CardPlan
import Glibc
import Reactor

/// The folder of templates of cards: files `NAME.json`; others are passed over.
package enum TemplateFolder {
    /// Without a path there are no templates.
    /// - Throws: when the folder or a template cannot be read; all faults of a template at once.
    package static func read(_ path: String?) throws(SettingFileError) -> [CardTemplate] {
        guard let path else { return [] }
        var templates: [CardTemplate] = []
        for file in try names(in: path) {
            let place = "\(path)/\(file)"
            let name = String(file.dropLast(ending.count))
            guard CardTemplate.isName(name) else {
                throw SettingFileError(
                    path: place, cause: "the name of a template has 1 to 64 characters of a-z, 0-9, - and _")
            }
            let text: String
            do throws(ConfigurationError) {
                text = try ConfigurationFile.text(of: place, source: "--card-templates")
            } catch {
                throw SettingFileError(path: place, cause: error.faults.first?.allowed ?? "it cannot be read")
            }
            do throws(CardTemplateFaults) {
                templates.append(try CardTemplate.read(Array(text.utf8), name: name))
            } catch {
                throw SettingFileError(path: place, cause: words(error))
            }
        }
        return templates
    }

    private static let ending = ".json"

    private static func names(in path: String) throws(SettingFileError) -> [String] {
        guard let stream = opendir(path) else { throw SettingFileError(path: path, cause: "\(Errno(code: errno))") }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasSuffix(ending), !name.hasPrefix(".") else { continue }
            names.append(name)
            guard names.count <= CardTemplate.countLimit else {
                throw SettingFileError(path: path, cause: "it has more than \(CardTemplate.countLimit) templates")
            }
        }
        return names.sorted()
    }

    private static func words(_ error: CardTemplateFaults) -> String {
        let count = error.faults.count
        let shown = error.faults.prefix(32).map { ($0.path.isEmpty ? "" : "\($0.path): ") + $0.cause }
        return shown.joined(separator: "; ") + (count > 32 ? "; and \(count - 32) more" : "")
    }
}
