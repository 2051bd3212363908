import Foundation
import ServiceConfiguration
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ConfigurationDocumentTests {
    /// `--help` has the numbers of `docs/CONFIGURATION.md`.
    @Test func defaults_areThoseOfTheDocument() throws {
        let file = SharedData.packageRoot.appending(path: "docs/CONFIGURATION.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let rows = text.matches(of: /\| `--[a-z0-9-]+`[^|]*\| `(VEDUTA_[A-Z0-9_]+)` \| `([0-9]+[mg]?)` \|/)
        #expect(rows.count > 30)
        for row in rows {
            let setting = try #require(Setting.all.first { $0.variable == row.1 }, "\(row.1)")
            let said = setting.purpose.firstMatch(of: /default ([0-9]+[mg]?)/)?.1
            #expect(said == row.2, "\(row.1): \(setting.purpose)")
        }
    }
}
