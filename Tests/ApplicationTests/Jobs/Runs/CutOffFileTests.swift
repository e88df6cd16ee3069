import Books
import Jobs
import Store
import System
import TestSupport
import Testing

@testable import Formats

/// Exports whose download ended too early.
@Suite struct CutOffFileTests {
    private var sample: SampleImport
    private static let whole = [
        GoodreadsRows.row("6", "Faust", "Goethe", GoodreadsRows.isbn(1), date: "2020/01/01"),
        GoodreadsRows.row(
            "7", "\"The Fifth, Season\"", "Ana Lee", GoodreadsRows.isbn(2), date: "2021/02/03",
            review: "great"),
    ]

    init() async throws {
        sample = try await SampleImport()
        sample.asksCatalog = false
    }

    @Test func `wherever the file ends within a record, stored values stay`() async throws {
        var sample = sample
        let path = try GoodreadsRows.write(Self.whole, to: sample.folder)
        sample.files = [path]
        try await sample.run("s.sqlite")
        let stored = try sample.dump("s.sqlite")

        let text = ([GoodreadsRows.header] + Self.whole).joined(separator: "\n")
        let last = Self.whole[1]
        // From the first letter of the title, without which the record is rejected, to before the last cell,
        // which may end anywhere.
        let cuts = 4..<last.utf8.count - "great".utf8.count
        for cut in cuts {
            let kept = text.utf8.count - last.utf8.count + cut
            sample.files = [try sample.folder.write(String(text.prefix(kept)), to: "\(cut).csv")]
            let counts = try await sample.run("s.sqlite").job.counts
            #expect(counts.booksUpdated == 0, "cut to \(last.prefix(cut))")
            #expect(try sample.dump("s.sqlite") == stored, "cut to \(last.prefix(cut))")
        }
    }

    private func warnings(_ text: String) async throws -> [String] {
        let path = try sample.folder.write(text, to: "cut.csv")
        let survey = try await ReadLibrary(ReadSettings(files: [path])).surveyLibrary()
        return survey.files.flatMap { $0.warnings.map(\.text.description) }.map {
            $0.replacing(path, with: "cut.csv")
        }
    }

    @Test func `a file that ends within a record is reported`() async throws {
        let second = GoodreadsRows.row(
            "7", "Reef", "Ann Lee", GoodreadsRows.isbn(2), date: "2021/02/03", review: "\"of\n\nthe sea\"")
        let third = Self.whole[1] + ", \"she\" said"
        let lines = [GoodreadsRows.header, Self.whole[0], second, "", third]
        let text = lines.joined(separator: "\n")
        let explicit =
            "`cut.csv` is truncated: it ends in the middle of row 5 (line 7). To get the rest, download it again and import it; "
            + "entries that are already stored are updated."
        let last = third.utf8.count - " \"she\" said".utf8.count
        #expect(try await warnings(text).isEmpty)
        #expect(try await warnings(text + "\n").isEmpty)
        for cut in [3, 10, 30] {
            #expect(try await warnings(String(text.dropLast(third.utf8.count - cut))) == [explicit])
        }
        #expect(try await warnings(String(text.dropLast(third.utf8.count - last))).isEmpty)
        // Within quotes that contain line breaks.
        let open = [GoodreadsRows.header, Self.whole[0], second].joined(separator: "\n").dropLast(6)
        #expect(
            try await warnings(String(open)).first?.hasPrefix(
                "`cut.csv` is truncated: it ends in the middle of row 3 (line 3)")
                == true)
        // A short record followed by others is not reported.
        let short = [GoodreadsRows.header, "7,Reef,Ann", Self.whole[0]].joined(separator: "\n")
        #expect(try await warnings(short).isEmpty)
        #expect(try await warnings(short + "\n7,Reef\n").isEmpty)
        // Neither is a table whose records are all shorter than its header.
        #expect(try await warnings("Title,Author,\nReef,Ann\nEmma,Jane").isEmpty)
        #expect(try await warnings("Title,Author,\nReef,Ann\nEmma").count == 1)
    }

    @Test func `a structured file that ends within a record is reported`() async throws {
        let record = "<record><leader>00000nam</leader></record>"
        let text = "<?xml version=\"1.0\"?><collection xmlns=\"http://www.loc.gov/MARC21/slim\">\n\(record)\n"
        let truncated = "`cut.csv` is truncated: it ends in the middle of row 2 (line 3)"
        let whole = try await warnings(text + record + "</collection>")
        #expect(!whole.contains { $0.hasPrefix("`cut.csv` is truncated") })
        let cut = try await warnings(text + record.dropLast(12))
        #expect(cut.contains { $0.hasPrefix(truncated) })
    }

    @Test func `a short record followed by others is imported as it is, in any encoding`()
        async throws
    {
        var sample = sample
        sample.batchRecords = 1
        let follower = GoodreadsRows.row("8", "Emma", "Ann Lee", GoodreadsRows.isbn(3), date: "2020/01/01")
        for (rating, name) in [(3, "first"), (5, "second")] {
            let short = "7,Reef,Zo\u{EB} Lee,\(GoodreadsRows.isbn(2)),\(rating)"
            let text = [GoodreadsRows.header, short, follower].joined(separator: "\n") + "\n"
            // Latin-1: each character is one byte.
            sample.files = [
                try sample.folder.write(text.unicodeScalars.map { UInt8($0.value) }, to: "\(name).csv")
            ]
            let counts = try await sample.run("s.sqlite").job.counts
            #expect(name == "first" || counts.booksUpdated == 1)
        }
    }

    @Test func `a complete last record without a line end is imported as it is`() async throws {
        var sample = sample
        sample.files = [try GoodreadsRows.write(Self.whole, to: sample.folder)]
        try await sample.run("s.sqlite")
        let text = ([GoodreadsRows.header] + Self.whole).joined(separator: "\n")
        sample.files = [try sample.folder.write(text + " indeed", to: "later.csv")]
        #expect(try await sample.run("s.sqlite").job.counts.booksUpdated == 1)
        #expect(try sample.dump("s.sqlite").contains("great indeed"))
    }
}
