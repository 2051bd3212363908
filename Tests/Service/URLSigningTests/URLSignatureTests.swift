import Foundation
import Parameters
import Testing
import URLSigning

@Suite(.timeLimit(.minutes(5)))
struct URLSignatureTests {
    static let first = key("a:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
    static let second = key("b:ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA")
    static let keys: SigningKeys = {
        guard let keys = SigningKeys([first, second]) else { preconditionFailure("two keys") }
        return keys
    }()

    private static func key(_ text: String) -> SigningKey {
        guard let key = SigningKey(text: text) else { preconditionFailure("\(text) is no key") }
        return key
    }
    static let picture = SignedResource(path: "/asset", query: "id=lagoon.jpg&width=640")

    private static func refusal(
        _ credentials: Credentials, for resource: SignedResource = picture, keys: SigningKeys = keys, now: Int64 = 1000
    ) -> URLSignature.Refusal? {
        do throws(URLSignature.Refusal) {
            _ = try URLSignature.check(credentials, for: resource, keys: keys, now: now)
            return nil
        } catch {
            return error
        }
    }

    /// The text that is signed and its code are frozen: URLs that were signed once stay right.
    @Test func vectorsHold() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "vectors.tsv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines.count >= 6)
        for line in lines {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            try #require(parts.count == 5, "\(line)")
            let key = try #require(SigningKey(text: parts[0]))
            let expires = Int64(parts[3])
            let message =
                parts[1] == "set"
                ? URLSignature.message(forSet: parts[2], expires: expires)
                : URLSignature.message(for: SignedResource(path: parts[1], query: parts[2]), expires: expires)
            #expect(URLSignature.sign(message, with: key) == parts[4], "\(line)")
        }
    }

    @Test func signatureOfAnyKey_isTaken_andOfNoOtherPicture() throws {
        for key in [Self.first, Self.second] {
            let sig = URLSignature.sign(URLSignature.message(for: Self.picture, expires: nil), with: key)
            #expect(Self.refusal(Credentials(signature: sig)) == nil)
            let other = SignedResource(path: "/asset", query: "id=lagoon.jpg&width=641")
            #expect(Self.refusal(Credentials(signature: sig), for: other) == .wrong)
            #expect(
                Self.refusal(Credentials(signature: sig), for: SignedResource(path: "/map", query: Self.picture.query))
                    == .wrong)
            #expect(Self.refusal(Credentials(signature: sig, expires: 2000)) == .wrong)
        }
        let stranger = try #require(SigningKey(text: "a:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="))
        let sig = URLSignature.sign(URLSignature.message(for: Self.picture, expires: nil), with: stranger)
        #expect(Self.refusal(Credentials(signature: sig)) == .wrong)
        #expect(Self.refusal(Credentials()) == .unsigned)
    }

    @Test func everyChangedCharacter_isRefused() {
        let sig = URLSignature.sign(URLSignature.message(for: Self.picture, expires: nil), with: Self.first)
        for index in sig.indices where sig[index] != "." {
            var changed = sig
            changed.replaceSubrange(index...index, with: sig[index] == "A" ? "B" : "A")
            #expect(Self.refusal(Credentials(signature: changed)) == .wrong, "\(changed)")
        }
    }

    @Test func signature_endsAtItsTime_andIsNotTakenWithoutIt() {
        let sig = URLSignature.sign(URLSignature.message(for: Self.picture, expires: 1000), with: Self.first)
        #expect(Self.refusal(Credentials(signature: sig, expires: 1000), now: 999) == nil)
        #expect(Self.refusal(Credentials(signature: sig, expires: 1000), now: 1000) == .expired)
        #expect(Self.refusal(Credentials(signature: sig)) == .wrong)
        // A wrong signature tells nothing of its time.
        #expect(Self.refusal(Credentials(signature: sig, expires: 999), now: 2000) == .wrong)
    }

    @Test func set_coversWhatItNames() {
        let allow = "path=/asset;id=lagoon.jpg;width<=1600;format=avif|webp?"
        let sig = URLSignature.sign(URLSignature.message(forSet: allow, expires: nil), with: Self.second)
        func refusal(_ query: String, path: String = "/asset") -> URLSignature.Refusal? {
            Self.refusal(Credentials(signature: sig, allow: allow), for: SignedResource(path: path, query: query))
        }
        #expect(refusal("id=lagoon.jpg&width=320") == nil)
        #expect(refusal("id=lagoon.jpg&width=1600&format=avif") == nil)
        for query in [
            "id=lagoon.jpg", "id=lagoon.jpg&width=1601", "id=night.jpg&width=320", "id=lagoon.jpg&width=50p",
            "id=lagoon.jpg&width=320&format=png", "id=lagoon.jpg&width=320&scale=4", "id=lagoon.jpg&width=320&height=9",
        ] {
            #expect(refusal(query) == .outsideSet, "\(query)")
        }
        #expect(refusal("id=lagoon.jpg&width=320", path: "/asset/x") == .outsideSet)
        // A set is no signature of one picture, nor the other way round.
        #expect(Self.refusal(Credentials(signature: sig)) == .wrong)
        #expect(Self.refusal(Credentials(signature: sig, allow: allow + ";scale?")) == .wrong)
    }

    @Test func set_coversTheTilesOfAMap() {
        let allow = "path=/tiles/light/*;language?"
        let sig = URLSignature.sign(URLSignature.message(forSet: allow, expires: nil), with: Self.first)
        for (path, isIn) in [
            ("/tiles/light/3/1/2.png", true), ("/tiles/dark/3/1/2.png", false), ("/tiles/light", false),
        ] {
            let refusal = Self.refusal(
                Credentials(signature: sig, allow: allow), for: SignedResource(path: path, query: "language=it"))
            #expect((refusal == nil) == isIn, "\(path)")
        }
    }

    /// Files may have both names.
    @Test func set_tellsComposedLettersFromDecomposedOnes() throws {
        let set = try Constraints("path=/asset|/original/%C3%A9/*;id=%C3%A9?")
        #expect(set.allows(SignedResource(path: "/asset", query: "id=%C3%A9")))
        #expect(!set.allows(SignedResource(path: "/asset", query: "id=e%CC%81")))
        let paths = try Constraints("path=/\u{e9}|/\u{e9}/*")
        for (path, isIn) in [("/\u{e9}", true), ("/e\u{301}", false), ("/\u{e9}/a", true), ("/e\u{301}/a", false)] {
            #expect(paths.allows(SignedResource(path: path, query: "")) == isIn)
        }
    }

    /// As a character, U+037E is equal to the semicolon between rules.
    @Test func values_cannotAddRules() throws {
        let set = try Constraints("path=/asset;id=a.jpg\u{37e}overlay=b.jpg;width?")
        #expect(set.allows(SignedResource(path: "/asset", query: "id=a.jpg%CD%BEoverlay%3Db.jpg&width=9")))
        #expect(!set.allows(SignedResource(path: "/asset", query: "id=a.jpg&overlay=b.jpg&width=9")))
    }

    @Test(arguments: [
        "", "id=a", "path=asset", "path=/a;", "path=/a;ID=a", "path=/a;width<=x", "path=/a;width", "path=/a;a=1;a=2",
        "path=/a*b", "path=/a\n|/b", "path=/a;b=\u{85}", "path=/a;width<3", "path=/a;w=",
        "path=/a" + String(repeating: ";x", count: 40),
    ])
    func malformedConstraints_areRefused(_ text: String) {
        #expect(throws: Constraints.Malformed.self) { try Constraints(text) }
    }

    @Test func keys_haveALeastLength_andShowNothing() {
        #expect(SigningKey(text: "a:MDEyMzQ1Njc4OWFiY2RlZg==") == nil)
        for text in [
            "", "a", "a:", ":MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
            "a b:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "a:%%",
        ] {
            #expect(SigningKey(text: text) == nil, "\(text)")
        }
        #expect(!"\(Self.first)".contains("MDEy"))
        #expect(SigningKeys([Self.first, Self.first]) == nil)
        #expect(SigningKeys([]) == nil)
    }

    @Test func credentials_leaveTheQuery() throws {
        let sig = "a." + String(repeating: "x", count: 43)
        var items = try QueryItems.parse("id=a.jpg&sig=\(sig)&expires=5&allow=path%3D/asset&width=3")
        let found = try Credentials.take(from: &items)
        #expect(items.map(\.name) == ["id", "width"])
        #expect(found == Credentials(signature: sig, expires: 5, allow: "path=/asset"))
        for query in [
            "sig=a", "sig=\(sig)&sig=\(sig)", "expires=-1", "expires=1e9", "expires=05", "allow=x", "sig=a.b.c",
        ] {
            #expect(throws: ParameterFaults.self, "\(query)") {
                var items = try QueryItems.parse(query)
                _ = try Credentials.take(from: &items)
            }
        }
    }
}
