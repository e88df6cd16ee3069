import Foundation
import System
import TestSupport
import Testing

@testable import Database

@Suite struct SQLiteErrorTests {
    @Test func `a full disk is reported with the file that grew, or the folder of temporary files`()
        throws
    {
        let folder = try TemporaryFolder()
        let path = folder.file("small.sqlite")
        let connection = try Connection(path, .create)
        try connection.execute("CREATE TABLE rows(body)")
        try connection.execute("PRAGMA main.max_page_count = 3")
        let grows = #expect(throws: ETLError.self) {
            try connection.execute("INSERT INTO rows VALUES (randomblob(99999))")
        }
        #expect(grows?.message == "The disk is full: `\(path)` cannot grow.")
        #expect(grows?.fault?.cause == .full)

        let sorter = KeySorter(connection, name: "keys", maxWaiting: 1_000)
        try sorter.add(1, 1)
        try connection.execute("CREATE TEMP TABLE first(id); PRAGMA temp.max_page_count = 3")
        let sorts = #expect(throws: ETLError.self) {
            for number in 0..<99_999 as Range<Int64> {
                try sorter.add(number &* 0x1E37_79B9_7F4A_7C15, number)
            }
        }
        let place = TemporaryDirectory.sqlite
        #expect(
            sorts?.message == "The disk is full: SQLite needs more space for sorting in \(place).")
        #expect(sorts?.advice?.description.contains("SQLITE_TMPDIR") == true)
        #expect(sorts?.kind == .inputOutput)
    }

    @Test func `SQLite sorts in the first writable folder`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("", to: "file")
        #expect(
            TemporaryDirectory.first(of: [nil, folder.file("none"), file, folder.path, "/"]) == folder.path)
        #expect(TemporaryDirectory.first(of: [nil]) == ".")
    }
}
