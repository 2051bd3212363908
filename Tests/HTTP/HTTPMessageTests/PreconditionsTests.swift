import HTTPMessage
import Testing

/// One conditional request against a representation with the tag `"e"`, last modified at 784111777.
struct ConditionalRequest: CustomTestStringConvertible, Sendable {
    let fields: [(FieldName, String)]
    let outcome: Preconditions.Outcome
    let method: Method

    init(_ outcome: Preconditions.Outcome, _ fields: (FieldName, String)..., method: Method = .get) {
        self.fields = fields
        self.outcome = outcome
        self.method = method
    }

    var testDescription: String { "\(method) \(fields.map { "\($0): \($1)" }) -> \(outcome)" }
}

@Suite(.timeLimit(.minutes(5))) struct PreconditionsTests {
    static let same = "Sun, 06 Nov 1994 08:49:37 GMT"
    static let earlier = "Sun, 06 Nov 1994 08:49:36 GMT"
    static let later = "Sun, 06 Nov 1994 08:49:38 GMT"

    static let ifNoneMatch: [ConditionalRequest] = [
        ConditionalRequest(.proceed),
        ConditionalRequest(.notModified, (.ifNoneMatch, "\"e\"")),
        ConditionalRequest(.notModified, (.ifNoneMatch, "\"e\""), method: .head),
        ConditionalRequest(.failed, (.ifNoneMatch, "\"e\""), method: .put),
        ConditionalRequest(.notModified, (.ifNoneMatch, "W/\"e\"")),
        ConditionalRequest(.notModified, (.ifNoneMatch, "\"a\", W/\"b\" ,\"e\", \"c\"")),
        ConditionalRequest(.notModified, (.ifNoneMatch, ", ,\"a\",, \"e\",")),
        ConditionalRequest(.notModified, (.ifNoneMatch, "\"a\"\t,\t\"e\"")),
        ConditionalRequest(.notModified, (.ifNoneMatch, "\"zzz\""), (.ifNoneMatch, "\"e\"")),
        ConditionalRequest(.notModified, (.ifNoneMatch, "\"a,b\", \"e\"")),
        ConditionalRequest(.notModified, (.ifNoneMatch, "*")),
        ConditionalRequest(.failed, (.ifNoneMatch, "*"), method: .put),
        ConditionalRequest(.proceed, (.ifNoneMatch, "\"nope\"")),
        ConditionalRequest(.proceed, (.ifNoneMatch, "\"ex\"")),
        ConditionalRequest(.proceed, (.ifNoneMatch, "\"xe\"")),
        ConditionalRequest(.proceed, (.ifNoneMatch, "e")),
        ConditionalRequest(.proceed, (.ifNoneMatch, "w/\"e\"")),
        ConditionalRequest(.proceed, (.ifNoneMatch, "")),
        ConditionalRequest(.proceed, (.ifNoneMatch, "\"unterminated, ,,")),
        ConditionalRequest(.proceed, (.ifNoneMatch, "\"a\" \"e\"")),
        ConditionalRequest(.proceed, (.ifNoneMatch, "*, \"e\"")),
        ConditionalRequest(.proceed, (.ifNoneMatch, "\"a\""), (.ifNoneMatch, "*")),
        ConditionalRequest(.notModified, (.ifNoneMatch, "\"nope"), (.ifNoneMatch, "\"e\"")),
        ConditionalRequest(.proceed, (.ifNoneMatch, "\"nope\""), (.ifModifiedSince, later)),
        ConditionalRequest(.proceed, (.ifNoneMatch, "rubbish"), (.ifModifiedSince, later)),
        ConditionalRequest(.notModified, (.ifNoneMatch, "\"e\""), (.ifModifiedSince, earlier)),
    ]

    static let dates: [ConditionalRequest] = [
        ConditionalRequest(.notModified, (.ifModifiedSince, same)),
        ConditionalRequest(.notModified, (.ifModifiedSince, later), method: .head),
        ConditionalRequest(.proceed, (.ifModifiedSince, earlier)),
        ConditionalRequest(.proceed, (.ifModifiedSince, "yesterday")),
        ConditionalRequest(.proceed, (.ifModifiedSince, same), (.ifModifiedSince, same)),
        ConditionalRequest(.proceed, (.ifModifiedSince, same), method: .post),
        ConditionalRequest(.notModified, (.ifModifiedSince, "Sunday, 06-Nov-94 08:49:37 GMT")),
        ConditionalRequest(.notModified, (.ifModifiedSince, "Sun Nov  6 08:49:37 1994")),
        ConditionalRequest(.proceed, (.ifUnmodifiedSince, same)),
        ConditionalRequest(.proceed, (.ifUnmodifiedSince, later)),
        ConditionalRequest(.failed, (.ifUnmodifiedSince, earlier)),
        ConditionalRequest(.failed, (.ifUnmodifiedSince, earlier), method: .delete),
        ConditionalRequest(.proceed, (.ifUnmodifiedSince, "yesterday")),
    ]

    static let ifMatch: [ConditionalRequest] = [
        ConditionalRequest(.proceed, (.ifMatch, "\"e\"")),
        ConditionalRequest(.proceed, (.ifMatch, "*")),
        ConditionalRequest(.proceed, (.ifMatch, "\"a\", \"e\"")),
        ConditionalRequest(.failed, (.ifMatch, "\"nope\"")),
        ConditionalRequest(.failed, (.ifMatch, "W/\"e\"")),
        ConditionalRequest(.failed, (.ifMatch, "")),
        ConditionalRequest(.failed, (.ifMatch, "rubbish"), method: .put),
        // If-Match silences If-Unmodified-Since, and what follows is still evaluated.
        ConditionalRequest(.proceed, (.ifMatch, "\"e\""), (.ifUnmodifiedSince, earlier)),
        ConditionalRequest(.failed, (.ifMatch, "\"nope\""), (.ifUnmodifiedSince, later)),
        ConditionalRequest(.notModified, (.ifMatch, "\"e\""), (.ifNoneMatch, "\"e\"")),
        ConditionalRequest(.failed, (.ifMatch, "\"nope\""), (.ifNoneMatch, "\"e\"")),
        ConditionalRequest(.notModified, (.ifMatch, "\"e\""), (.ifModifiedSince, same)),
        ConditionalRequest(.failed, (.ifUnmodifiedSince, earlier), (.ifNoneMatch, "\"e\"")),
        ConditionalRequest(.notModified, (.ifUnmodifiedSince, later), (.ifModifiedSince, later)),
    ]

    private func evaluate(_ request: ConditionalRequest, _ validators: Validators) -> Preconditions.Outcome {
        var fields = Fields()
        for (name, value) in request.fields { fields.append(name, value) }
        return Preconditions.evaluate(request.method, fields, validators, now: 1_800_000_000)
    }

    @Test(arguments: ifNoneMatch + dates + ifMatch)
    func preconditions_areEvaluatedInOrder(_ request: ConditionalRequest) {
        let tag = EntityTag(opaque: "e")
        #expect(evaluate(request, Validators(entityTag: tag, lastModified: 784_111_777)) == request.outcome)
    }

    @Test func unknownModificationDate_ignoresDates() {
        let validators = Validators(entityTag: EntityTag(opaque: "e"))
        #expect(evaluate(ConditionalRequest(.proceed, (.ifModifiedSince, Self.later)), validators) == .proceed)
        #expect(evaluate(ConditionalRequest(.proceed, (.ifUnmodifiedSince, Self.earlier)), validators) == .proceed)
    }

    @Test func absentTag_matchesTheAsteriskOnly() {
        let validators = Validators(entityTag: nil)
        #expect(evaluate(ConditionalRequest(.proceed, (.ifMatch, "*")), validators) == .proceed)
        #expect(evaluate(ConditionalRequest(.failed, (.ifMatch, "\"e\"")), validators) == .failed)
        #expect(evaluate(ConditionalRequest(.notModified, (.ifNoneMatch, "*")), validators) == .notModified)
        #expect(evaluate(ConditionalRequest(.proceed, (.ifNoneMatch, "\"\"")), validators) == .proceed)
    }

    @Test func weakTag_neverMatchesStrongly() {
        let validators = Validators(entityTag: EntityTag(opaque: "e", isWeak: true))
        #expect(evaluate(ConditionalRequest(.failed, (.ifMatch, "\"e\"")), validators) == .failed)
        #expect(evaluate(ConditionalRequest(.notModified, (.ifNoneMatch, "\"e\"")), validators) == .notModified)
    }

    /// As long as those of renditions: it is compared in words.
    @Test func longTag_matchesItselfAlone() {
        let opaque = "abcdefghijklmnopqrstuv"
        let validators = Validators(entityTag: EntityTag(opaque: opaque))
        for value in ["\"\(opaque)\"", "W/\"\(opaque)\"", "\"x\", \"\(opaque)\""] {
            #expect(evaluate(ConditionalRequest(.notModified, (.ifNoneMatch, value)), validators) == .notModified)
        }
        for place in 0..<opaque.utf8.count + 2 {
            var bytes = Array("\"\(opaque)\"".utf8)
            bytes[place] = UInt8(ascii: "_")
            let value = String(decoding: bytes, as: UTF8.self)
            #expect(evaluate(ConditionalRequest(.proceed, (.ifNoneMatch, value)), validators) == .proceed)
        }
    }

    /// The clock is asked for dates alone.
    @Test func tags_needNoTime() {
        var fields = Fields()
        fields.append(.ifNoneMatch, "\"e\"")
        var askedCount = 0
        func now() -> Int64 {
            askedCount += 1
            return 1_800_000_000
        }
        let validators = Validators(entityTag: EntityTag(opaque: "e"), lastModified: 784_111_777)
        let known = Preconditions.evaluate(.get, fields, validators, now: now())
        #expect(known == .notModified && askedCount == 0)
        var dated = Fields()
        dated.append(.ifModifiedSince, Self.same)
        let unchanged = Preconditions.evaluate(.get, dated, validators, now: now())
        #expect(unchanged == .notModified && askedCount == 1)
    }

    @Test func longList_isReadToItsEnd() {
        let list = (0..<700).map { "\"t\($0)\"" }.joined(separator: ", ") + ", \"e\""
        let request = ConditionalRequest(.notModified, (.ifNoneMatch, list))
        #expect(evaluate(request, Validators(entityTag: EntityTag(opaque: "e"))) == .notModified)
    }

    @Test func tagText_isReadAndWritten() {
        #expect(EntityTag("\"a,b\"") == EntityTag(opaque: "a,b"))
        #expect(EntityTag("W/\"x\"")?.isWeak == true)
        #expect(EntityTag("W/\"x\"")?.text == "W/\"x\"")
        #expect(EntityTag("\"\"")?.opaque == "")
        for text in ["", "x", "\"", "\"a", "a\"", "\"a\"b", "\"a b\"", "w/\"a\"", "\"a\r\n\"", "\"\u{7f}\"", "W/", "W"]
        {
            #expect(EntityTag(text) == nil)
        }
        for opaque in ["a\"b", "a b", "a\r\nSet-Cookie: x", "\u{0}"] { #expect(EntityTag(opaque: opaque) == nil) }
    }
}
