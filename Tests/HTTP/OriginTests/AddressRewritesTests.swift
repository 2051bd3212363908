import Testing

@testable import Origin

@Suite(.timeLimit(.minutes(5))) struct AddressRewritesTests {
    @Test func firstRule_thatTheIDBeginsWith_counts() throws {
        let rewrites = try AddressRewrites([
            ("HTTPS://Old.Example.com:443/a/", "s3://bucket/x/"),
            ("https://old.example.com/", "http://new.example.com/"),
        ])
        #expect(rewrites.rewritten("https://old.example.com/a/b.jpg?c=d") == "s3://bucket/x/b.jpg?c=d")
        #expect(rewrites.rewritten("https://old.example.com/b/%C3%BC.jpg") == "http://new.example.com/b/%C3%BC.jpg")
        #expect(rewrites.rewritten("https://old.example.com.evil.example/") == nil)
        #expect(rewrites.rewritten("https://other.example.com/") == nil)
        #expect(AddressRewrites.none.isEmpty && AddressRewrites.none.rewritten("https://old.example.com/") == nil)
    }

    @Test func rulesThatCannotBe_areRefused() {
        func fault(_ old: String, _ new: String) -> AddressRewrites.Fault? {
            do throws(AddressRewrites.Fault) {
                _ = try AddressRewrites([(old, new)])
                return nil
            } catch {
                return error
            }
        }
        #expect(fault("https://old.example.com", "s3://b/") == .badOld("https://old.example.com"))
        #expect(fault("s3://b/", "https://new.example.com/") == .badOld("s3://b/"))
        #expect(fault("https://old.example.com/", "s3://Bad_Bucket/") == .badNew("s3://Bad_Bucket/"))
        #expect(fault("https://old.example.com/", "https://new.example.com/a") == .badNew("https://new.example.com/a"))
        #expect(
            fault("https://a.example/x/", "https://a.example/x/y/") == .chained("https://a.example/x/y/"))
        #expect(fault("https://a.example/x/y/", "https://a.example/x/") == .chained("https://a.example/x/"))
    }
}
