import Bytes
package import Origin

/// The file of rewrites: lines `OLD NEW`. Empty lines and lines that begin with `#` say nothing.
package enum RewriteFile {
    /// Without a path there are none.
    /// - Throws: when it cannot be read, or with the first line that is no rule.
    package static func read(_ path: String?) throws(SettingFileError) -> AddressRewrites {
        guard let path else { return .none }
        let text: String
        do throws(ConfigurationError) {
            text = try ConfigurationFile.text(of: path, source: "--remote-rewrite")
        } catch {
            throw SettingFileError(path: path, cause: error.faults.first?.allowed ?? "it cannot be read")
        }
        do throws(AddressRewrites.Fault) {
            return try rewrites(of: text)
        } catch {
            throw SettingFileError(path: path, cause: cause(error))
        }
    }

    static func rewrites(of text: String) throws(AddressRewrites.Fault) -> AddressRewrites {
        var rules: [(old: String, new: String)] = []
        // CR LF is one character.
        for line in text.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            let line = line.trimmed()
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
            guard words.count == 2 else { throw .badOld(String(line)) }
            rules.append((words[0], words[1]))
        }
        return try AddressRewrites(rules)
    }

    private static func cause(_ fault: AddressRewrites.Fault) -> String {
        switch fault {
        case .badOld(let text):
            "`\(text.prefix(100))` does not begin a rule; a line must be an address such as https://old.example.com/ and, after a space, the one that takes its place, both with a slash at the end"
        case .badNew(let text):
            "`\(text.prefix(100))` cannot take the place of an address; it must be such as https://new.example.com/a/ or s3://bucket/, with a slash at the end"
        case .chained(let text): "what begins with `\(text.prefix(100))` would be rewritten again"
        }
    }
}
