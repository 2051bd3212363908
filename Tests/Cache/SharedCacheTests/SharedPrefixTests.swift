import Digest
import DiskStore
import Testing

@testable import SharedCache

@Suite(.timeLimit(.minutes(5))) struct SharedPrefixTests {
    @Test func prefix_isAShortName() throws {
        #expect(SharedPrefix().text == "veduta" && SharedPrefix("veduta") == SharedPrefix())
        #expect(SharedPrefix("Blue_2-a")?.text == "Blue_2-a")
        #expect(SharedPrefix(String(repeating: "a", count: 32)) != nil)
    }

    @Test(arguments: ["", "a b", "a'b", "a:b", "a*", "a/b", "..", "a.b", "~a", "ü", String(repeating: "a", count: 33)])
    func otherTexts_areRefused(text: String) { #expect(SharedPrefix(text) == nil) }

    /// What one fleet asks names no key of another.
    @Test func everyCommand_namesKeysOfItsFleetAlone() throws {
        let commands = SharedCommands(try #require(SharedPrefix("blue")))
        let key = SHA256.digest(of: "key")
        let purges: [SharedPurge] = [.whole, .group(tag: 7), .entry(key: key, tag: 7)]
        let all: [[[UInt8]]] =
            [
                commands.find(key, tag: 7, furtherTags: [8]),
                commands.store([1], key, tag: 7, furtherTags: [8], heard: 9), commands.remove(key, tag: 7),
                commands.lock(key, tag: 7, token: "t"), commands.unlock(key, token: "t"),
                commands.renew(key, token: "t"), commands.holders([key, key]), commands.poll(after: 9),
                commands.wait(after: 9, milliseconds: 5),
            ] + purges.map { commands.purge($0, by: "me") }
        for command in all {
            let texts = command.map { String(decoding: $0, as: UTF8.self) }
            #expect(!texts.contains { $0.contains("veduta") })
            if texts[0] == "EVAL" {
                #expect(texts[1].hasPrefix("local P='blue:1:' "))
                // Each key that a script names begins with it.
                for call in texts[1].split(separator: "call('").dropFirst() where !call.hasPrefix("TIME')") {
                    let key = call.split(separator: "',", maxSplits: 1).last ?? ""
                    #expect(["P..'", "l,", "l)", "n,", "n)"].contains { key.hasPrefix($0) }, "\(call)")
                }
            }
        }
        #expect(commands.holders([key])[1] == Array("blue:1:l:\(key.base64URL())".utf8))
        #expect(commands.wait(after: 9, milliseconds: 5).contains(Array("blue:1:s".utf8)))
    }
}
