import TestSupport
import Testing

@testable import Stages

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

    @Test func `wherever the file ends within a record, what is stored of it stays`() async throws {
        var sample = sample
        let path = try GoodreadsRows.write(Self.whole, to: sample.folder)
        sample.files = [path]
        try await sample.run("s.sqlite")
        let stored = try sample.dump("s.sqlite")

        let text = ([GoodreadsRows.header] + Self.whole).joined(separator: "\n")
        let last = Self.whole[1]
        // From the title's first letter, without which it is turned away, to before the last cell: of that nobody can
        // say where it should end.
        let cuts = 4..<last.utf8.count - "great".utf8.count
        for cut in cuts {
            let kept = text.utf8.count - last.utf8.count + cut
            sample.files = [try sample.folder.write(String(text.prefix(kept)), to: "\(cut).csv")]
            let counts = try await sample.run("s.sqlite").job.counts
            #expect(counts.booksUpdated == 0, "cut to \(last.prefix(cut))")
            #expect(try sample.dump("s.sqlite") == stored, "cut to \(last.prefix(cut))")
        }
    }

    @Test func `a short record that others follow is taken as it stands, whatever the file is encoded in`()
        async throws
    {
        var sample = sample
        sample.batchRecords = 1
        let follower = GoodreadsRows.row("8", "Emma", "Ann Lee", GoodreadsRows.isbn(3), date: "2020/01/01")
        for (rating, name) in [(3, "first"), (5, "second")] {
            let short = "7,Reef,Zo\u{EB} Lee,\(GoodreadsRows.isbn(2)),\(rating)"
            let text = [GoodreadsRows.header, short, follower].joined(separator: "\n") + "\n"
            // Latin-1: each character is a byte.
            sample.files = [
                try sample.folder.write(text.unicodeScalars.map { UInt8($0.value) }, to: "\(name).csv")
            ]
            let counts = try await sample.run("s.sqlite").job.counts
            #expect(name == "first" || counts.booksUpdated == 1)
        }
    }

    @Test func `a record that is whole but for the file's last line end is taken as it stands`() async throws
    {
        var sample = sample
        sample.files = [try GoodreadsRows.write(Self.whole, to: sample.folder)]
        try await sample.run("s.sqlite")
        let text = ([GoodreadsRows.header] + Self.whole).joined(separator: "\n")
        sample.files = [try sample.folder.write(text + " indeed", to: "later.csv")]
        #expect(try await sample.run("s.sqlite").job.counts.booksUpdated == 1)
        #expect(try sample.dump("s.sqlite").contains("great indeed"))
    }
}
