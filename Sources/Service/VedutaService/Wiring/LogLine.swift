import Glibc
import HTTPMessage
import JSON
import Logging
import Reactor

/// A line of the log as a JSON object, with the members that the access log has too: `time` and `requestId`.
struct LogLine: Sendable {
    let label: String
    /// Since 1970.
    let milliseconds: Int64

    func text(_ event: LogEvent) -> String {
        var json = JSONText()
        json.object { json in
            json.member("time", time)
            json.member("level", event.level.rawValue)
            json.member("logger", label)
            json.member("message", "\(event.message)")
            for (name, value) in (event.metadata ?? [:]).sorted(by: { $0.key < $1.key }) {
                json.member(name, "\(value)")
            }
        }
        return json.text + "\n"
    }

    /// To standard error.
    func write(_ event: LogEvent) { WholeWrite.write(Array(text(event).utf8), to: STDERR_FILENO) }

    /// RFC 3339: `2026-11-21T15:30:00.123Z`.
    private var time: String {
        let all = max(0, milliseconds)
        let day = CivilDay(daysSince1970: Int(all / 86_400_000))
        let rest = Int(all % 86_400_000)
        func padded(_ number: Int, _ width: Int = 2) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date = "\(padded(day.year, 4))-\(padded(day.month))-\(padded(day.day))"
        let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { padded($0) }.joined(separator: ":")
        return "\(date)T\(clock).\(padded(rest % 1000, 3))Z"
    }
}
