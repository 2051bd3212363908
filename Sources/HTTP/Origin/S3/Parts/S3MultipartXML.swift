/// What is said in XML about uploads in parts.
enum S3MultipartXML {
    private static let depthLimit = 8

    /// The content of CompleteMultipartUpload; `tags` are those of the parts, in order.
    static func list(of tags: [String]) -> String {
        let parts = tags.enumerated().map { number, tag in
            "<Part><PartNumber>\(number + 1)</PartNumber><ETag>\(escaped(tag))</ETag></Part>"
        }
        return "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\(parts.joined())"
            + "</CompleteMultipartUpload>"
    }

    private static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            default: String(character)
            }
        }.joined()
    }

    /// From the answer to CreateMultipartUpload; nil if malformed.
    static func uploadID(_ xml: [UInt8]) -> String? {
        guard let answer = read(xml), answer.root == "InitiateMultipartUploadResult",
            let id = answer.texts["UploadId"], (1...1_024).contains(id.utf8.count)
        else { return nil }
        return id
    }

    /// The entity tag from the answer to CompleteMultipartUpload, whose status is 200 before S3 knows how it ends: so it may
    /// be an error.
    static func completion(_ xml: [UInt8]) -> Result<String, OriginError> {
        guard let answer = read(xml) else { return .failure(.notHTTP) }
        switch answer.root {
        case "CompleteMultipartUploadResult": return .success(answer.texts["ETag"] ?? "")
        case "Error": return .failure(error(answer.texts["Code"] ?? ""))
        default: return .failure(.notHTTP)
        }
    }

    /// As the status that S3 has for the code elsewhere.
    private static func error(_ code: String) -> OriginError {
        switch code {
        case "NoSuchUpload": .notFound
        case "AccessDenied", "ExpiredToken", "InvalidAccessKeyId", "SignatureDoesNotMatch": .credentialsUnusable
        case "PreconditionFailed": .status(412)
        case "ConditionalRequestConflict", "OperationAborted": .status(409)
        case "SlowDown", "ServiceUnavailable": .status(503)
        case "InternalError": .status(500)
        default: .status(400)
        }
    }

    /// The root, and the texts of the elements in it.
    private static func read(_ xml: [UInt8]) -> (root: String, texts: [String: String])? {
        var path: [String] = []
        var (root, texts) = ("", [String: String]())
        let isRead = XMLReader.read(xml) { event in
            switch event {
            case .open(let name):
                if path.isEmpty { root = name }
                path.append(name)
                return path.count <= depthLimit
            case .text(let more):
                if path.count == 2, let name = path.last { texts[name, default: ""] += more }
                return true
            case .close(let name): return path.popLast() == name
            }
        }
        return isRead && path.isEmpty && !root.isEmpty ? (root, texts) : nil
    }
}
