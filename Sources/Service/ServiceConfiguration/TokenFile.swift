import Bytes

/// The file of tokens, one a line. Empty lines and those that begin with `#` say nothing.
package enum TokenFile {
    /// Without a path there are none.
    package static func read(_ path: String?) throws(SettingFileError) -> [AccessToken] {
        guard let path else { return [] }
        let text: String
        do throws(ConfigurationError) {
            text = try ConfigurationFile.text(of: path, source: "--token-file")
        } catch {
            throw SettingFileError(path: path, cause: error.faults.first?.allowed ?? "it cannot be read")
        }
        let lines = text.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }).map { $0.trimmed() }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
        let tokens = lines.compactMap { AccessToken(String($0)) }
        guard tokens.count == lines.count, (1...AccessTokens.countLimit).contains(tokens.count) else {
            throw SettingFileError(
                path: path, cause: "it must have one token, or two while one replaces the other, one a line")
        }
        return tokens
    }
}
