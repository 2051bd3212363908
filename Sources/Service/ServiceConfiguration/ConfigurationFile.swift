import Bytes
import Glibc
import Reactor

/// A file of settings: lines `VEDUTA_NAME=value`.
///
/// White space around name and value is dropped, and one pair of quotation marks, `"` or `'`, around the value, where
/// nothing is special. Empty lines and those that begin with `#` say nothing; a `#` further on belongs to the value.
package struct ConfigurationFile: Sendable, Equatable {
    /// Lines count from 1.
    struct Entry: Sendable, Equatable {
        let value: String
        let line: Int
    }

    static let byteLimit = 1 << 20

    package let path: String
    private(set) var entries: [String: Entry] = [:]
    /// Of the lines themselves; values are judged when they are used.
    private(set) var faults: [ConfigurationError.Fault] = []

    package init(path: String, text: String) {
        self.path = path
        var number = 0
        // CR LF is one character.
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            number += 1
            read(line.trimmed(), number)
        }
    }

    /// - Parameter source: the option or variable that named the file, for the message.
    /// - Throws: when it cannot be read or is no text.
    package static func read(_ path: String, source: String) throws(ConfigurationError) -> ConfigurationFile {
        ConfigurationFile(path: path, text: try text(of: path, source: source))
    }

    static func text(of path: String, source: String) throws(ConfigurationError) -> String {
        func fault(_ allowed: String) -> ConfigurationError {
            ConfigurationError(faults: [.init(source: source, value: path, allowed: allowed)])
        }
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard number >= 0 else { throw fault("a file that can be read; \(Errno(code: errno))") }
        let file = FileDescriptor(adopting: number)
        var bytes = [UInt8](repeating: 0, count: byteLimit + 1)
        var count = 0
        while count < bytes.count {
            let length = bytes.withUnsafeMutableBytes {
                Glibc.read(file.rawValue, $0.baseAddress.map { $0 + count }, $0.count - count)
            }
            if length < 0, errno == EINTR { continue }
            guard length >= 0 else { throw fault("a file that can be read; \(Errno(code: errno))") }
            if length == 0 { break }
            count += length
        }
        guard count <= byteLimit else { throw fault("a file of at most \(byteLimit) bytes") }
        guard let text = String(validating: bytes[..<count], as: UTF8.self), !text.utf8.contains(0) else {
            throw fault("a file of UTF-8 text")
        }
        return text
    }

    /// `veduta.conf, line 3: VEDUTA_QUEUE`.
    func source(_ line: Int, _ name: String) -> String { "\(path), line \(line): \(name)" }

    private mutating func read(_ line: Substring, _ number: Int) {
        guard !line.isEmpty, !line.hasPrefix("#") else { return }
        guard let equals = line.firstIndex(of: "=") else {
            // The rest may be a secret whose `=` was forgotten.
            let word = line.prefix { $0 != " " && $0 != "\t" && $0 != ":" }
            let rest = Setting.shown(String(line.dropFirst(word.count)), of: String(word))
            return note(number, word + rest, value: "", allowed: "a line must be NAME=value, a comment (#) or empty")
        }
        let name = String(line[..<equals].trimmed())
        let value = Self.unquoted(line[line.index(after: equals)...].trimmed())
        if !Setting.all.contains(where: { $0.variable == name }) {
            let suggestion = Setting.nearest(to: name).map { "; did you mean \($0)?" } ?? ""
            note(number, name, value: value, allowed: "not a setting\(suggestion)")
        } else if let first = entries[name] {
            note(number, name, value: value, allowed: "already set on line \(first.line)")
        } else {
            entries[name] = Entry(value: value, line: number)
        }
    }

    private mutating func note(_ line: Int, _ name: String, value: String, allowed: String) {
        faults.append(.init(source: source(line, name), value: Setting.shown(value, of: name), allowed: allowed))
    }

    private static func unquoted(_ text: Substring) -> String {
        guard text.count >= 2, let mark = text.first, mark == "\"" || mark == "'", text.last == mark else {
            return String(text)
        }
        return String(text.dropFirst().dropLast())
    }
}
