import AssetLibrary
import HTTPMessage
import HTTPServer

/// What a request says in the fields of the IETF draft *Resumable Uploads for HTTP* (draft-ietf-httpbis-resumable-upload), which
/// URLSession of Apple's systems speaks. Fields with other values than the draft allows are ignored, as it wants.
struct DraftUploadRequest: Equatable {
    /// The interop versions that are supported: 3 is draft 01, 4 draft 02, 5 draft 03, 6 drafts 04 and 05.
    static let versions = 3...6

    let version: Int
    /// Whether the content of this request ends the upload; nil: the request says nothing of it.
    let isLast: Bool?
    /// Where the content belongs.
    let offset: Int?
    /// How long the whole upload will be, where the request says so.
    let length: Int?

    static let mediaType = "application/partial-upload"

    /// Nil for a request of another protocol, and for one with a version that is not supported, which is served as if it had not
    /// said so.
    init?(_ head: RequestHead) {
        guard let version = head.fields.first(.uploadDraftInteropVersion).flatMap({ Int($0) }),
            Self.versions.contains(version), head.fields.count(of: .uploadDraftInteropVersion) == 1
        else { return nil }
        self.version = version
        let says = Self.flag(version == 3 ? .uploadIncomplete : .uploadComplete, head.fields)
        isLast = version == 3 ? says.map { !$0 } : says
        offset = Self.number(.uploadOffset, head.fields)
        if isLast == true, case .length(let count) = head.framing {
            let (sum, overflows) = count.addingReportingOverflow(offset ?? 0)
            length = overflows ? .max : sum
        } else {
            length = version == 6 ? Self.number(.uploadLength, head.fields) : nil
        }
    }

    /// A boolean of a structured field (RFC 9651 §3.3.6).
    private static func flag(_ name: FieldName, _ fields: Fields) -> Bool? {
        guard fields.count(of: name) == 1 else { return nil }
        return switch fields.first(name) {
        case "?1": true
        case "?0": false
        default: nil
        }
    }

    private static func number(_ name: FieldName, _ fields: Fields) -> Int? {
        guard fields.count(of: name) == 1, let text = fields.first(name), (1...15).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
        else { return nil }
        return Int(text)
    }

    // MARK: Answers

    /// The interop version, and what is known of the upload; `settings` tell the limits.
    func append(
        to lines: inout FieldLines, offset: Int, isComplete: Bool, _ settings: ResumableSettings, expires: Int64,
        now: Int64
    ) {
        append(to: &lines)
        lines.append(.uploadOffset, offset)
        append(to: &lines, isComplete: isComplete)
        guard version == 6 else { return }
        lines.append(.uploadLimit, "max-size=\(settings.byteLimit), expires=\(max(0, expires - now))")
    }

    /// What the answer to a refused request has besides its problem.
    func append(to lines: inout FieldLines, of error: EndpointError) {
        append(to: &lines)
        guard case .resumable(.wrongOffset(let expected)) = error else { return }
        lines.append(.uploadOffset, expected)
        append(to: &lines, isComplete: false)
    }

    /// The fields of 104 (Upload Resumption Supported), which says where the upload is while its content is coming.
    func interimFields(token: String) -> FieldLines {
        var lines = FieldLines()
        append(to: &lines)
        lines.append(.location, "/uploads/\(token)")
        return lines
    }

    private func append(to lines: inout FieldLines) { lines.append(.uploadDraftInteropVersion, version) }

    private func append(to lines: inout FieldLines, isComplete: Bool) {
        if version == 3 {
            lines.append(.uploadIncomplete, literal: isComplete ? "?0" : "?1")
        } else {
            lines.append(.uploadComplete, literal: isComplete ? "?1" : "?0")
        }
    }

    /// What the answer to OPTIONS tells.
    static func appendAbilities(byteLimit: Int, to lines: inout FieldLines) {
        lines.append(.acceptPatch, mediaType)
        lines.append(.uploadLimit, "max-size=\(byteLimit)")
    }
}

extension FieldName {
    static let acceptPatch: FieldName = "Accept-Patch"
    static let uploadComplete: FieldName = "Upload-Complete"
    static let uploadDraftInteropVersion: FieldName = "Upload-Draft-Interop-Version"
    static let uploadIncomplete: FieldName = "Upload-Incomplete"
    static let uploadLimit: FieldName = "Upload-Limit"
}

extension Status {
    static let uploadResumptionSupported = Status(code: 104)
}

extension UploadTarget {
    /// What the first request asked for, by name and under these conditions.
    init(id: String, _ fields: Fields) {
        func text(_ name: FieldName) -> String? {
            // Several lines are one list (RFC 9110 §5.3).
            fields.contains(name) ? fields.all(name).joined(separator: ", ") : nil
        }
        self.init(
            id: id, ifMatch: text(.ifMatch), ifNoneMatch: text(.ifNoneMatch),
            ifUnmodifiedSince: text(.ifUnmodifiedSince))
    }

    /// The head of a request with the preconditions.
    var head: RequestHead? {
        let fields = [
            ("If-Match", ifMatch), ("If-None-Match", ifNoneMatch), ("If-Unmodified-Since", ifUnmodifiedSince),
        ].compactMap { name, value in value.map { "\(name): \($0)\r\n" } }
        let bytes = Array("PUT / HTTP/1.1\r\nHost: localhost\r\n\(fields.joined())\r\n".utf8)
        // The fields were within the limits as they came, and may be longer now: without them the upload had no conditions.
        var limits = HTTPLimits()
        (limits.headByteCount, limits.fieldByteCount) = (bytes.count, bytes.count)
        var parser = RequestHeadParser(limits: limits)
        guard case .complete(let head, _) = parser.parse(bytes.span.bytes) else { return nil }
        return head
    }
}
