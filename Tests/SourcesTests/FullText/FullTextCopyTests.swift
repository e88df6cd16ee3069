import System
import TestSupport
import Testing

@testable import Database
@testable import Sources

@Suite struct FullTextCopyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func index(_ name: String, _ titles: [String]) throws -> Connection {
        let connection = try Connection(folder.file(name), .create)
        try connection.transaction { () throws(ETLError) in
            try connection.execute(FullTextSchema.tables)
            let writer = try FullTextWriter(connection)
            for (place, title) in titles.enumerated() {
                try writer.append(
                    place: Int64(place + 1), document: Int64(place + 10), editions: 1,
                    SearchText(title: title, author: "somebody"))
            }
            try writer.finish()
        }
        return connection
    }

    private func find(_ title: String, _ connection: Connection) throws -> [Int64] {
        try FullTextSearch(connection).find(title: title, author: "") { _ in SearchText(title: title) }
            .map(\.document)
    }

    @Test(arguments: [[], ["something else"]])
    func `a copy replaces the previous content and answers like the original`(before: [String]) throws {
        let titles = ["the hobbit", "nineteen eighty four", "dune"]
        _ = try index("original.sqlite", titles)
        _ = try index("copy.sqlite", before)
        let copy = try Connection(folder.file("copy.sqlite"), .readWrite)
        try copy.execute("ATTACH '\(folder.file("original.sqlite"))' AS original")
        try copy.transaction { () throws(ETLError) in
            try FullTextCopy.copy(from: "original", copy)
        }
        let read = try Connection(folder.file("copy.sqlite"), .readOnly)
        for (place, title) in titles.enumerated() { #expect(try find(title, read) == [Int64(place + 10)]) }
        #expect(try find("the hobit", read) == [10])
        #expect(try find("something", read) == [])
        #expect(try read.string("PRAGMA integrity_check") == "ok")
    }

    @Test func `shadow tables are protected again afterwards`() throws {
        let connection = try index("index.sqlite", ["dune"])
        #expect(throws: ETLError.self) { try connection.execute("DELETE FROM search_data") }
        try connection.openingShadowTables { () throws(ETLError) in
            try connection.execute("UPDATE search_config SET v = v")
        }
        #expect(throws: ETLError.self) { try connection.execute("DELETE FROM search_data") }
    }
}
