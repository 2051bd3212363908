import HTTPMessage
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTTPDateTests {
    static let now: Int64 = 1_795_000_000

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"), (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT"),
        (2_147_483_648, "Tue, 19 Jan 2038 03:14:08 GMT"),
    ])
    func fixdate_isWrittenAndRead(_ seconds: Int64, _ text: String) {
        #expect(HTTPDate.text(seconds) == text)
        #expect(HTTPDate.parse(text, now: Self.now) == seconds)
    }

    @Test func everyDayOfFourCenturies_roundTrips() {
        for day in stride(from: Int64(-25_567), to: 120_530, by: 1) {
            let text = HTTPDate.text(day * 86400)
            if HTTPDate.parse(text, now: Self.now) != day * 86400 {
                Issue.record("\(day): \(text)")
                return
            }
        }
    }

    @Test func instantsOutOfRange_areClamped() {
        #expect(HTTPDate.text(.max) == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(HTTPDate.text(.min) == "Mon, 01 Jan 0001 00:00:00 GMT")
    }

    @Test(arguments: [
        "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun Nov 06 08:49:37 1994",
        "Mon, 06 Nov 1994 08:49:37 GMT",
    ])
    func obsoleteForms_areRead(_ text: String) {
        #expect(HTTPDate.parse(text, now: Self.now) == 784_111_777)
    }

    /// #15: RFC 9111 §4.2 asks caches to read dates in another case.
    @Test(arguments: [
        "sun, 06 nov 1994 08:49:37 gmt", "SUN, 06 NOV 1994 08:49:37 GMT", "sUN, 06 nOV 1994 08:49:37 gMT",
        "sunday, 06-nov-94 08:49:37 gmt", "SUNDAY, 06-NOV-94 08:49:37 GMT", "sun nov  6 08:49:37 1994",
    ])
    func caseOfLetters_doesNotMatter(_ text: String) {
        #expect(HTTPDate.parse(text, now: Self.now) == 784_111_777)
    }

    @Test(arguments: [("26", "2026"), ("76", "2076"), ("77", "1977"), ("99", "1999"), ("00", "2000")])
    func twoDigitYear_isAtMostFiftyYearsAhead(_ short: String, _ long: String) {
        let read = HTTPDate.parse("Sunday, 06-Nov-\(short) 08:49:37 GMT", now: Self.now)
        #expect(read == HTTPDate.parse("Sun, 06 Nov \(long) 08:49:37 GMT", now: Self.now))
    }

    @Test(arguments: [
        "", "yesterday", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT", "Wed, 29 Feb 2100 00:00:00 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 0000 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
        "Sun, 06 Nov 1994 8:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov  6 08:49:37 94",
        "Sun, +6 Nov 1994 08:49:37 GMT", "784111777", "Sun, 06 Nov 1994 08:49:37 +000", "Xxx, 06 Nov 1994 08:49:37 GMT",
    ])
    func otherText_isNoDate(_ text: String) { #expect(HTTPDate.parse(text, now: Self.now) == nil) }
}
