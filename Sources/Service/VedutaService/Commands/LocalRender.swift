import Glibc
import HTTPMessage
package import Logging
import Reactor
package import ServiceConfiguration

/// `veduta render`: one answer without a server. The service runs in this process for as long as that takes, on a socket in
/// a folder that only this user may enter, so the bytes are those of a server with the same configuration.
package enum LocalRender {
    package struct Answer: Equatable, Sendable {
        package let status: Int
        package let mediaType: String
        package let content: [UInt8]
    }

    package enum Failure: Error, Equatable, CustomStringConvertible {
        case target
        case accept
        case folder(cause: String)
        case exchange(cause: String)

        package var description: String {
            switch self {
            case .target: "the target must be a path with a query, such as /asset?id=lagoon.jpg&width=800"
            case .accept: "--accept has a control character"
            case .folder(let cause): "cannot make a folder for a socket: \(cause)"
            case .exchange(let cause): "the answer broke off: \(cause)"
            }
        }
    }

    /// A target is cut by the server where it is longer than a request line may be.
    private static let headByteLimit = 64 << 10

    /// The answer to GET of `target`; `accept` is the `Accept` field. `Service.prepareProcess` comes first.
    /// - Throws: `Failure`, or `ServiceError` where the configuration cannot be opened. A refusal is an answer.
    package static func answer(
        to target: String, accept: String, _ configuration: Configuration, environment: [String: String] = [:],
        log: Logger
    ) throws -> Answer {
        guard target.hasPrefix("/"), isPrintable(target) else { throw Failure.target }
        guard isPrintable(accept, blanks: true) else { throw Failure.accept }
        let folder = try makeFolder()
        let path = folder + "/socket"
        defer {
            unlink(path)
            rmdir(folder)
        }
        let service = try Service.start(alone(configuration, on: path), environment: environment, log: log)
        defer { _ = service.stop() }
        let patience = Duration.seconds(configuration.renderTimeout + 10)
        return try exchange(target, accept: accept, with: service.address, patience: patience)
    }

    /// What is for strangers, or for many, is off: whoever can run this program has the files.
    private static func alone(_ configuration: Configuration, on path: String) -> Configuration {
        var alone = configuration
        alone.listen = "unix:" + path
        (alone.metricsListen, alone.handover) = (nil, nil)
        alone.accessLog = .off
        (alone.keys, alone.hosts, alone.budget) = (nil, nil, 0)
        (alone.listing, alone.originals, alone.metadata, alone.explain) = (.on, .on, .on, .on)
        alone.loops = 1
        alone.drainTimeout = 0
        return alone
    }

    private static func isPrintable(_ text: String, blanks: Bool = false) -> Bool {
        text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f || blanks && $0 == 0x20 }
    }

    private static func makeFolder() throws(Failure) -> String {
        let root = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(root)/veduta-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .folder(cause: "\(Errno(code: errno))") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func exchange(
        _ target: String, accept: String, with address: SocketAddress, patience: Duration
    ) throws(Failure) -> Answer {
        var bytes: [UInt8] = []
        do throws(Errno) {
            let socket = try StreamSocket.connect(to: address, patience: patience)
            let request = "GET \(target) HTTP/1.0\r\nHost: localhost\r\nAccept: \(accept)\r\n\r\n"
            var rest = Array(request.utf8)[...]
            while !rest.isEmpty {
                guard case .bytes(let count) = rest.withUnsafeBytes({ socket.send($0) }) else {
                    throw Errno(code: EPIPE)
                }
                rest = rest.dropFirst(count)
            }
            var part = [UInt8](repeating: 0, count: 256 << 10)
            receiving: while true {
                switch part.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
                case .bytes(let count): bytes += part[..<count]
                case .closed: break receiving
                case .wouldBlock: throw Errno(code: ETIMEDOUT)
                case .failed(let error): throw error
                }
            }
        } catch {
            throw .exchange(cause: "\(error)")
        }
        return try parsed(bytes)
    }

    private static func parsed(_ bytes: [UInt8]) throws(Failure) -> Answer {
        var reader = ResponseHeadReader(byteLimit: headByteLimit)
        var start = 0
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let outcome = reader.read(bytes.span.bytes.extracting(start..<(end + 1)))
            start = end + 1
            switch outcome {
            case .more, .interim: continue
            case .malformed, .tooLarge: throw .exchange(cause: "its head is malformed")
            case .head(let head):
                let content = Array(bytes[start...])
                guard head.fields.first(.contentLength).map({ $0 == "\(content.count)" }) ?? true else {
                    throw .exchange(cause: "\(content.count) bytes came")
                }
                return Answer(
                    status: head.status.code, mediaType: head.fields.first(.contentType) ?? "", content: content)
            }
        }
        throw .exchange(cause: "it has no head")
    }
}
