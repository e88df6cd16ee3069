import Foundation
import Jobs
import System
import TestSupport
import Testing

@testable import Database
@testable import Store

/// Identity and outcome of records over several imports (`docs/imports.md`).
@Suite struct RepeatedImportsTests {
    private static let header =
        "Book Id,Title,Author,ISBN,ISBN13,My Rating,Average Rating,Publisher,Number of Pages,Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review\n"

    private func write(_ rows: [String], _ name: String, in sample: SampleImport) throws -> String {
        let path = sample.folder.file(name)
        try (Self.header + rows.joined(separator: "\n") + "\n").write(
            toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func counts(_ sample: SampleImport, _ store: String = "s.sqlite") async throws -> JobCounts {
        try await sample.run(store).job.counts
    }

    @Test func `a newer export updates by source id, whatever else changed`() async throws {
        var sample = try await SampleImport()
        sample.files = [
            try write(
                ["7,Old Title,Ann Author,,,0,3.5,Press,100,2020/01/01,to-read,to-read (#1),to-read,"],
                "a.csv", in: sample)
        ]
        #expect(try await counts(sample).booksCreated == 1)
        sample.files = [
            try write(
                ["7,New Title,Ann Author,,9780306406157,5,3.6,Press,100,2021/01/01,,,read,Good"], "b.csv",
                in: sample)
        ]
        let second = try await counts(sample)
        #expect(second.booksUpdated == 1)
        #expect(second.booksCreated == 0)
        let dump = try sample.dump("s.sqlite")
        #expect(dump.contains("New Title"))
        #expect(dump.contains("9780306406157"))
        #expect(dump.split(separator: "\n").count { $0.contains("\"kind\":\"work\"") } == 1)
    }

    @Test(arguments: [
        // Another rating, then also the first one again; two books with one id; ids of two books exchanged.
        ["7,Reef,Ann,,,3,,,,,,,,", "7,Reef,Ann,,,5,,,,,,,,"],
        ["7,Reef,Ann,,,3,,,,,,,,", "7,Reef,Ann,,,5,,,,,,,,", "7,Reef,Ann,,,3,,,,,,,,"],
        [
            "7,Reef,Ann,,,3,,,,,,,,", "7,Tide,Bo,,,5,,,,,,,,", "7,Reef,Ann,,,4,,,,,,,,",
            "8,Tide,Bo,,,2,,,,,,,,",
        ],
        ["7,Reef,Ann,,,3,,,,,,,,good", "7,Reef,Ann,,,3,,,,,,,,", "7,Reef,Ann,,9780306406157,3,,,,,,,,"],
    ])
    func `a file with several rows of one book changes nothing when it is read again`(rows: [String])
        async throws
    {
        var sample = try await SampleImport()
        sample.files = [try write(rows, "a.csv", in: sample)]
        #expect(try await counts(sample).totalProcessed == rows.count)
        let first = try sample.dump("s.sqlite")
        for _ in 0..<2 {
            let again = try await counts(sample)
            #expect(
                again.booksUpdated == 0 && again.booksCreated == 0 && again.duplicatesSkipped == rows.count)
            #expect(try sample.dump("s.sqlite") == first)
        }
        // A newer export with the values of a replaced row is an update.
        sample.files = [try write([rows[0] + " "], "b.csv", in: sample)]
        #expect(try await counts(sample).booksUpdated <= 1)
    }

    @Test func `a row that replaces an earlier one of its file says so`() async throws {
        var sample = try await SampleImport()
        sample.files = [try write(["7,Reef,Ann,,,3,,,,,,,,", "7,Reef,Ann,,,5,,,,,,,,"], "a.csv", in: sample)]
        _ = try await counts(sample)
        func warnings() throws -> Int64? {
            try StoreFile.openForReading(sample.folder.file("s.sqlite")).integer(
                "SELECT count(*) FROM warnings WHERE code = 'row_replaced' AND value = '7' AND row = 3")
        }
        #expect(try warnings() == 1)
        sample.files = [try write(["7,Reef,Ann,,,2,,,,,,,,"], "b.csv", in: sample)]
        _ = try await counts(sample)
        #expect(try warnings() == 1)
    }

    @Test func `people whom only another entry names stay until the entry's own people change`() async throws
    {
        var sample = try await SampleImport()
        let header = "Book Id,Title,Author,Additional Authors,ISBN13,My Rating,Date Added\n"
        func people(after rows: String...) async throws -> [String] {
            let path = sample.folder.file("people.csv")
            try (header + rows.joined(separator: "\n") + "\n").write(
                toFile: path, atomically: true, encoding: .utf8)
            sample.files = [path]
            _ = try await sample.run("s.sqlite")
            return try sample.dump("s.sqlite").split(separator: "\n").filter {
                $0.contains(#""kind":"author""#)
            }
            .compactMap { $0.firstMatch(of: #/"name":"([^"]*)"/#).map { String($0.1) } }
        }
        let other = "8,Reef,Ann Ash,Edda Ek (Editor),9780306406157,0,2020/01/01"
        #expect(
            try await people(after: "7,Reef,Ann Ash,Bo Berg,9780306406157,3,2020/01/01", other)
                == ["Ann Ash", "Bo Berg", "Edda Ek"])
        #expect(
            try await people(after: "7,Reef,Ann Ash,Bo Berg,9780306406157,5,2021/01/01")
                == ["Ann Ash", "Bo Berg", "Edda Ek"])
        #expect(
            try await people(after: "7,Reef,Ann Ash,Cy Cole,9780306406157,5,2022/01/01").contains("Bo Berg")
                == false)
    }

    @Test func `a series stays when a newer export no longer has it in the title`() async throws {
        var sample = try await SampleImport()
        sample.files = [
            try write(["7,\"Reef (Tides, #1)\",A,,,4,3.50,P,100,2020/01/01,,,read,"], "a.csv", in: sample)
        ]
        _ = try await counts(sample)
        #expect(try sample.dump("s.sqlite").contains("Tides"))
        sample.files = [try write(["7,Reef,A,,,4,3.50,P,100,2021/01/01,,,read,"], "b.csv", in: sample)]
        #expect(try await counts(sample).booksUpdated == 1)
        #expect(try sample.dump("s.sqlite").contains("Tides"))
    }

    @Test(arguments: ["3.50", "0.00", ""])
    func `changed community values are stored without counting as an update`(rating: String) async throws {
        var sample = try await SampleImport()
        sample.files = [
            try write(["7,T,A,,,4,\(rating),P,100,2020/01/01,fun,fun (#1),read,"], "a.csv", in: sample)
        ]
        _ = try await counts(sample)
        sample.files = [
            try write(["7,T,A,,,4,3.99,P,100,2020/01/01,fun,fun (#9),read,"], "b.csv", in: sample)
        ]
        let second = try await counts(sample)
        #expect(second.duplicatesSkipped == 1)
        let dump = try sample.dump("s.sqlite")
        #expect(dump.contains("fun (#9)") && dump.contains(#""averageRating":3.99"#))
    }

    @Test func `an older export only fills gaps`() async throws {
        var sample = try await SampleImport()
        let newer = sample.folder.file("new.csv")
        // A newer layout without a column for the review.
        try (Self.header.replacing(",My Review", with: "") + "7,T,A,,,5,,,100,2022/01/01,,,read\n").write(
            toFile: newer, atomically: true, encoding: .utf8)
        sample.files = [newer]
        _ = try await counts(sample)
        sample.files = [
            try write(["7,T,A,,,1,,P,100,2019/01/01,,,to-read,Lost review"], "old.csv", in: sample)
        ]
        #expect(try await counts(sample).booksUpdated == 1)
        let dump = try sample.dump("s.sqlite")
        #expect(dump.contains("Lost review"))
        #expect(dump.contains("\"rating\":5"))
        #expect(dump.contains("\"publisher\":\"P\""))
        sample.replaces = true
        sample.files = [
            try write(["7,T,A,,,2,,P,100,2018/01/01,,,to-read,Lost review"], "older.csv", in: sample)
        ]
        #expect(try await counts(sample).booksUpdated == 1)
        #expect(try sample.dump("s.sqlite").contains("\"rating\":2"))
    }

    @Test func `a value the user has cleared since is not a gap`() async throws {
        var sample = try await SampleImport()
        sample.files = [try write(["7,T,A,,,0,,P,100,2022/01/01,,,read,"], "new.csv", in: sample)]
        _ = try await counts(sample)
        let before = try sample.dump("s.sqlite")
        sample.files = [
            try write(
                ["7,T,A,,,4,,P,100,2019/01/01,\"to-read, sea\",to-read (#3),to-read,Withdrawn"], "old.csv",
                in: sample)
        ]
        let older = try await counts(sample)
        #expect(older.duplicatesSkipped == 1)
        #expect(try sample.dump("s.sqlite") == before)
    }

    @Test func `importing the file again changes nothing, with or without the catalog`() async throws {
        var sample = try await SampleImport()
        _ = try await counts(sample)
        let (created, known) = (try sample.dump("s.sqlite"), try await counts(sample))
        #expect(known.booksUpdated == 0)
        for asksCatalog in [false, true, false, false] {
            sample.asksCatalog = asksCatalog
            let again = try await counts(sample)
            #expect(again.booksUpdated == 0)
            #expect(again.enrichmentFailed == 0)
            #expect(again.duplicatesSkipped == known.duplicatesSkipped)
        }
        #expect(try sample.dump("s.sqlite") == created)
    }

    @Test func `values added by a catalog are an update once`() async throws {
        var sample = try await SampleImport()
        sample.asksCatalog = false
        _ = try await counts(sample)
        sample.asksCatalog = true
        #expect(try await counts(sample).booksUpdated > 0)
        for asksCatalog in [true, false, true] {
            sample.asksCatalog = asksCatalog
            #expect(try await counts(sample).booksUpdated == 0)
        }
    }

    @Test func `an empty column that only the other export has is not a change`() async throws {
        var sample = try await SampleImport()
        let path = sample.folder.file("a.csv")
        sample.files = [path]
        let old = Self.header.dropLast()
        for (header, cell, updated) in [("", "", 0), (",Condition", ",", 0), (",Condition", ",worn", 1)] {
            try "\(old)\(header)\n7,T,A,,,5,3.5,P,100,2022/01/01,,,read,\(cell)\n".write(
                toFile: path, atomically: true, encoding: .utf8)
            #expect(try await counts(sample).booksUpdated == updated)
        }
    }

    @Test func `an export newer than one that only filled gaps still only fills gaps`() async throws {
        var sample = try await SampleImport()
        for (year, rating) in [("2022", 5), ("2019", 1), ("2020", 2)] {
            sample.files = [
                try write(
                    ["7,T,A,,,\(rating),,P,100,\(year)/01/01,,,read,"], "\(year).csv", in: sample)
            ]
            _ = try await counts(sample)
        }
        #expect(try sample.dump("s.sqlite").contains("\"rating\":5"))
    }

    @Test func `two libraries share works and keep their own entries`() async throws {
        var sample = try await SampleImport()
        sample.files = [
            try write(["7,T,A,,9780306406157,5,,P,100,2022/01/01,,,read,Mine"], "a.csv", in: sample)
        ]
        sample.library = "anna"
        _ = try await counts(sample)
        sample.library = "ben"
        #expect(try await counts(sample).booksCreated == 1)
        let lines = try sample.dump("s.sqlite").split(separator: "\n")
        #expect(lines.count { $0.contains("\"kind\":\"work\"") } == 1)
        #expect(lines.count { $0.contains("\"kind\":\"entry\"") } == 2)
    }

    @Test func `every record has exactly one outcome`() async throws {
        var sample = try await SampleImport()
        sample.files = [
            try write(
                [
                    "1,T,A,,9780306406157,0,,,,,,,,", ",,,,,,,,,,,,,", "2,,A,,,0,,,,,,,,",
                    "1,T,A,,9780306406157,0,,,,,,,,",
                    "3,,,,9780306406157,0,,,,,,,,", "4,T4,A,,9780306406158,0,,,,,,,,",
                ], "a.csv", in: sample)
        ]
        let counts = try await counts(sample)
        #expect(counts.totalProcessed == 5)
        #expect(counts.booksCreated == 3)
        #expect(counts.duplicatesSkipped == 1)
        #expect(counts.rejected == 1)
    }
}
