import Testing

/// `veduta url`, which needs no server.
@Suite(.timeLimit(.minutes(5)), .enabled(if: ReleaseBinary.isPresent)) struct URLCommandTests {
    private func url(_ arguments: String...) throws -> FinishedRun { try ReleaseBinary.run(["url"] + arguments) }

    @Test func build_printsTheCanonicalURL() throws {
        #expect(try url("build", "asset", "w=0800", "id=lagoon.jpg").text == "/asset?id=lagoon.jpg&width=800\n")
        #expect(
            try url("build", "map", "lat=43.7696", "lon=11.2558", "style=light", "--server", "https://a.example").text
                == "https://a.example/map?latitude=43.7696&longitude=11.2558&style=light\n")
        #expect(
            try url("build", "map.json", "center=1,2", "point=3,4").text
                == "/map.json?latitude=1&longitude=2&point=3,4\n")
        #expect(
            try url("build", "asset", "preset=card", "w=640", "id=a b").text
                == "/asset?id=a%20b&width=640&preset=card\n")
        for preset in [[], ["preset=card"]] {
            let moved = try ReleaseBinary.run(["url", "build", "asset", "id=HTTP://A.example:80/x/../b.png"] + preset)
            #expect(moved.text.hasPrefix("/asset?id=http://a.example/b.png"))
        }
    }

    @Test func faults_areAllSaid_andTheExitStatusIs2() throws {
        let run = try url("build", "asset", "id=a.jpg", "widht=3", "quality=500")
        #expect(run.status == 2)
        #expect(run.text.contains("`widht` is not a parameter here; did you mean `width`?\n"))
        #expect(run.text.contains("`quality` must be "))
        let preset = try url("build", "asset", "id=a.jpg", "preset=card", "width=0")
        #expect(preset.status == 2 && preset.text.contains("`width` must be "))
        for arguments in [["parse", "/assets/a.jpg"], ["parse", "/asset?id=%zz"], ["explain", "/map?lat=1"]] {
            #expect(try ReleaseBinary.run(["url"] + arguments).status == 2, "\(arguments)")
        }
    }

    @Test func parse_printsWhatHasAnEffect_byFullNames() throws {
        let text = try url(
            "parse", "https://a.example/images/asset?q=80&w=10&id=a%20b.jpg&fit=inside&sig=\(Self.signature)"
        ).text
        #expect(text == "/asset\nid=a b.jpg\nwidth=10\nquality=80\nsig=\(Self.signature)\n")
        #expect(try url("parse", "map://?lat=1&lon=2").text == "/map\nlatitude=1\nlongitude=2\n")
        #expect(try url("parse", "asset://?id=a").text == "/asset\nid=a\n")
    }

    private static let signature = "a.7j49SSc1jU-jE4KL_rQkxGH0rJCKtmSoUr1YIL3Ex8c"

    @Test func explain_saysWhatNeedsNoOriginal() throws {
        let plain = try url("explain", "/asset?w=10&id=a.jpg", "--accept", "image/webp,image/*;q=0.8").text
        #expect(plain.hasPrefix("{\"canonical\":\"id=a.jpg&width=10\",\"accepts\":\"webp;"))
        let planned = try url("explain", "/asset?w=400&h=400&crop=attention&id=a.jpg", "--original", "4000x3000").text
        #expect(planned.contains("\"questions\":[\"attention in 4000×3000+0+0 for "))
        #expect(planned.contains("\"result\":{\"width\":400,\"height\":400}"))
        let outside = try url("explain", "/asset?crop=900,0,5,5&id=a.jpg", "--original", "100x100.png")
        #expect(outside.status == 2 && outside.text.contains("crop"))
        let map = try url("explain", "/map?lat=1&lon=2&w=300&scale=2&marker=1,2").text
        #expect(map.contains("\"result\":{\"width\":600,\"height\":1024},\"overlays\":1,\"format\":\"png\""))
    }

    @Test func sign_isThatOfVedutaSign() throws {
        let run = try ReleaseBinary.run(
            ["url", "sign", "/asset?id=lagoon.jpg&width=640"],
            environment: ["VEDUTA_KEYS": "a:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="])
        #expect(run.text == "/asset?id=lagoon.jpg&width=640&sig=\(Self.signature)\n")
    }
}
