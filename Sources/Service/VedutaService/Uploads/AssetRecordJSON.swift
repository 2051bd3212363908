import AssetLibrary
import Digest
import HTTPMessage
import JSON

/// What is known of assets without looking into them, as JSON: the answers of `/assets`.
enum AssetRecordJSON {
    /// One asset, a line.
    static func text(_ record: AssetRecord) -> String {
        var json = JSONText()
        write(record, into: &json)
        return json.text + "\n"
    }

    /// A page of them, and where the next one is.
    static func text(_ page: AssetPage, next: String?) -> String {
        var json = JSONText()
        json.object { json in
            json.name("items")
            json.array { json in
                for record in page.records { write(record, into: &json) }
            }
            json.member("next", next)
        }
        return json.text + "\n"
    }

    private static func write(_ record: AssetRecord, into json: inout JSONText) {
        json.object { json in
            json.member("id", record.id)
            json.member("origin", origin(record.origin))
            json.member("bytes", record.byteCount)
            json.member("mediaType", record.mediaType)
            json.member("sha256", record.digest?.hex)
            json.member("created", record.createdUnixNanoseconds.map(time))
            json.member("modified", time(record.modifiedUnixNanoseconds))
            json.member("fileName", record.fileName)
        }
    }

    private static func origin(_ origin: AssetRecord.Origin) -> String {
        switch origin {
        case .upload: "upload"
        case .name: "name"
        case .folder: "folder"
        }
    }

    /// The instant in RFC 3339, to the millisecond.
    static func time(_ unixNanoseconds: Int64) -> String {
        let milliseconds = Int(unixNanoseconds / 1_000_000 - (unixNanoseconds % 1_000_000 < 0 ? 1 : 0))
        let day = CivilDay(daysSince1970: Int((Double(milliseconds) / 86_400_000).rounded(.down)))
        let rest = ((milliseconds % 86_400_000) + 86_400_000) % 86_400_000
        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { padded($0, 2) }
        return "\(padded(day.year, 4))-\(padded(day.month, 2))-\(padded(day.day, 2))"
            + "T\(clock.joined(separator: ":")).\(padded(rest % 1000, 3))Z"
    }
}
