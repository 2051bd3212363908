import Testing

/// `veduta sign`, which a server with the same keys believes (`SignedURLTests` has the server's side).
@Suite(.timeLimit(.minutes(5)), .enabled(if: ReleaseBinary.isPresent)) struct SignCommandTests {
    private static let environment = [
        "VEDUTA_KEYS":
            "a:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=,b:ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA"
    ]

    private func sign(_ arguments: String...) throws -> FinishedRun {
        try ReleaseBinary.run(["sign"] + arguments, environment: Self.environment)
    }

    /// The codes are those of `vectors.tsv`.
    @Test func urls_getTheSignaturesOfTheVectors_whateverTheirSpelling() throws {
        let sig = "sig=a.7j49SSc1jU-jE4KL_rQkxGH0rJCKtmSoUr1YIL3Ex8c"
        for url in ["/asset?id=lagoon.jpg&width=640", "/asset?w=0640&id=lagoon%2Ejpg"] {
            #expect(try sign(url).text == "\(url)&\(sig)\n")
        }
        let old = try sign("https://a.example.org/asset?id=lagoon.jpg&width=640&sig=b.x", "--explain")
        #expect(
            old.text == """
                veduta-1\\n/asset\\nid=lagoon.jpg&width=640\\n
                https://a.example.org/asset?id=lagoon.jpg&width=640&\(sig)

                """)
        let ending = try sign("/asset?id=lagoon.jpg&width=640", "--key", "b", "--expires", "1893456000")
        #expect(ending.text.hasSuffix("&expires=1893456000&sig=b.Cnenlwa4rEUPlK6OpPOr1KsSP5Po7uiO3pJRPcO8iIU\n"))
        let rules = "path=/asset;id=lagoon.jpg;width<=1600;format=avif|webp|jpeg"
        let set = try sign("/asset?id=lagoon.jpg&w=400&format=avif", "--allow", rules, "--expires", "1893456000")
        #expect(set.text.hasSuffix("&expires=1893456000&sig=a.B_T5s8r0GpdPfzFDGgW6JF1yLavgKSEfEGQh_QV32us\n"))
    }

    @Test func whatCannotBeSigned_isSaid() throws {
        for (arguments, words) in [
            (["/asset?id=a.jpg&widht=1"], "did you mean `width`"), (["/health/live"], "takes no signature"),
            (["no path"], "it must be a path"), (["/asset?id=a.jpg", "--allow", "id=a"], "a set must be"),
            (["/asset?id=a.jpg", "--allow", "path=/map"], "do not cover it"),
        ] {
            let run = try ReleaseBinary.run(["sign"] + arguments, environment: Self.environment)
            #expect(run.status == 1 && run.text.contains(words), "\(run.text)")
        }
        for (option, value, words) in [
            ("--expires", "1700000000", "would have ended already"), ("--expires-in", "-5", "would have ended already"),
            ("--expires", "1893456000000", "not milliseconds"),
            ("--expires-in", "9223372036854775807", "not milliseconds"),
        ] {
            let run = try sign("/asset?id=a.jpg", "\(option)=\(value)")
            #expect(run.status != 0 && run.text.contains(words) && !run.text.contains("sig="), "\(run.text)")
        }
        #expect(try ReleaseBinary.run(["sign", "/asset?id=a.jpg"]).text.contains("VEDUTA_KEYS"))
    }
}
