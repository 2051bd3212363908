import Foundation
import Testing

@testable import SQLite

@Suite(.timeLimit(.minutes(5))) struct ConnectionTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "veduta-sqlite-\(UUID().uuidString).db")
        .path

    private func withConnection<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        return try body(try SQLiteConnection(path: path, .writing))
    }

    @Test func values_comeBackAsTheyWent() throws {
        try withConnection { connection in
            try connection.run("CREATE TABLE t (a, b, c, d, e)")
            let values: [SQLiteValue] = [
                .integer(.min), .real(0.1), .text("naïve\u{0}text"), .blob([0, 255]), .null,
            ]
            try connection.query("INSERT INTO t VALUES (?, ?, ?, ?, ?)", values)
            try connection.query(
                "INSERT INTO t VALUES (?, ?, ?, ?, ?)", [.integer(2), .real(-1), .text(""), .blob([]), .null])
            var rows = 0
            try connection.query("SELECT a, b, c, d, e FROM t ORDER BY rowid") { row in
                rows += 1
                #expect(row.integer(0) == (rows == 1 ? .min : 2))
                #expect(row.real(1) == (rows == 1 ? 0.1 : -1))
                #expect(row.text(2) == (rows == 1 ? "naïve\u{0}text" : ""))
                #expect(row.blob(3) == (rows == 1 ? [0, 255] : []))
                #expect(row.isNull(4) && !row.isNull(2) && !row.isNull(3))
            }
            #expect(rows == 2)
        }
    }

    @Test func anImmutableDatabase_isReadWithoutFilesBesideIt() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "veduta sqlite %?#\(UUID().uuidString)")
            .path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/a?b#c%41.db"
        do {
            let writer = try SQLiteConnection(path: file, .writing)
            try writer.run("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (7)")
        }
        try #require(rename(file, folder + "/d e%.db") == 0)
        let link = folder + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder + "/d e%.db")
        for path in [folder + "/d e%.db", link] {
            let reader = try SQLiteConnection(immutable: path, stepLimit: 100_000, valueByteLimit: 1000)
            #expect(try reader.first("SELECT a FROM t") { $0.integer(0) } == 7)
            #expect(throws: SQLiteError.self) { try reader.run("INSERT INTO t VALUES (8)") }
            #expect(throws: SQLiteError.self) { try reader.run("ATTACH '/tmp/x.db' AS x") }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
    }

    @Test func anUntrustedDatabase_endsWhatGoesOnForLong() throws {
        try withConnection { writer in
            try writer.run("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, zeroblob(3000))")
            let reader = try SQLiteConnection(immutable: path, stepLimit: 10_000, valueByteLimit: 1000)
            let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
            for _ in 0..<2 {
                do throws(SQLiteError) {
                    _ = try reader.first(endless) { $0.integer(0) }
                    Issue.record("it ended")
                } catch {
                    #expect(error.isEndless)
                }
            }
            // What each run of a statement costs is counted anew.
            for _ in 0..<5000 { #expect(try reader.first("SELECT a FROM t") { $0.integer(0) } == 1) }
            do throws(SQLiteError) {
                _ = try reader.first("SELECT b FROM t") { $0.blob(0) }
                Issue.record("the value is too long")
            } catch {
                #expect(error.isTooLong)
            }
        }
    }

    @Test func statement_isUsedAgain_withOtherValues() throws {
        try withConnection { connection in
            try connection.run("CREATE TABLE t (a INTEGER PRIMARY KEY)")
            for number in 0..<100 { try connection.query("INSERT INTO t VALUES (?)", [.integer(Int64(number))]) }
            for number in 0..<100 {
                #expect(
                    try connection.first("SELECT count(*) FROM t WHERE a < ?", [.integer(Int64(number))]) {
                        $0.integer(0)
                    } == Int64(number))
            }
            #expect(try connection.first("SELECT a FROM t WHERE a = ?", [.integer(1_000)]) { $0.integer(0) } == nil)
        }
    }

    @Test func failure_isItsCode_andUndoesTheTransaction() throws {
        try withConnection { connection in
            try connection.run("CREATE TABLE t (a TEXT PRIMARY KEY NOT NULL)")
            #expect {
                try connection.transaction { () throws(SQLiteError) in
                    try connection.query("INSERT INTO t VALUES (?)", [.text("a")])
                    try connection.query("INSERT INTO t VALUES (?)", [.text("a")])
                }
            } throws: { ($0 as? SQLiteError)?.primaryCode == 19 }
            #expect(try connection.first("SELECT count(*) FROM t") { $0.integer(0) } == 0)
            try connection.transaction { () throws(SQLiteError) in
                try connection.query("INSERT INTO t VALUES (?)", [.text("a")])
            }
            #expect(try connection.first("SELECT a FROM t") { $0.text(0) } == "a")
            #expect { try connection.run("NO SQL") } throws: { ($0 as? SQLiteError)?.primaryCode == 1 }
            #expect { try connection.query("SELECT a FROM nothing") } throws: {
                !(($0 as? SQLiteError)?.log.isEmpty ?? true)
            }
        }
    }

    @Test func otherWriter_isWaitedFor_thenBusy() throws {
        try withConnection { connection in
            try connection.run("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
            let other = try SQLiteConnection(path: path, .writing, patience: .milliseconds(1))
            let reader = try SQLiteConnection(path: path, .reading)
            try connection.run("BEGIN IMMEDIATE")
            try connection.query("INSERT INTO t VALUES (1)")
            #expect { try other.run("BEGIN IMMEDIATE") } throws: { ($0 as? SQLiteError)?.isBusy == true }
            // Readers are beside the writer, and see what was there before.
            #expect(try reader.first("SELECT count(*) FROM t") { $0.integer(0) } == 0)
            try connection.run("COMMIT")
            #expect(try reader.first("SELECT count(*) FROM t") { $0.integer(0) } == 1)
            #expect { try reader.query("INSERT INTO t VALUES (2)") } throws: { ($0 as? SQLiteError)?.primaryCode == 8 }
        }
    }

    @Test func whatIsNoDatabase_isRefused() throws {
        #expect { try SQLiteConnection(path: path, .reading) } throws: { ($0 as? SQLiteError)?.primaryCode == 14 }
        try Data(repeating: 0x61, count: 4_096).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let connection = try SQLiteConnection(path: path, .reading)
        #expect { try connection.query("SELECT * FROM sqlite_master") } throws: {
            ($0 as? SQLiteError)?.isDamage == true
        }
    }
}
