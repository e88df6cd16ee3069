import System
import TestSupport
import Testing

@testable import Books
@testable import Database
@testable import Formats
@testable import Queries
@testable import Store

/// The spreadsheet that `etl export --format csv` writes, imported again.
@Suite
struct EtlSpreadsheetTests {
    /// Columns that identify the row in its store or that come from a lookup instead of the user's row.
    private static let apart: Set = [
        "id", "editionId", "library", "sourceFormat", "sourceId", "isbns", "subtitle", "categories",
        "description",
        "coverUrl", "ratingsCount", "reviewStatus", "isbndbQuality", "workTitle",
        "matchScore", "subjects",
    ]

    private func spreadsheet(of store: FilledStore) throws -> ByteCollector {
        let collector = ByteCollector()
        try Export(try store.open()).write(.books, as: .csv) { (piece) throws(ETLError) in
            collector.take(piece)
        }
        return collector
    }

    /// A store of an earlier version is refused with the advice to export it with the old build.
    @Test func `an export of an earlier build is the same library`() async throws {
        let sheet = try spreadsheet(of: try await filled()).text
        let renamed = sheet.replacing(",sourceFormat,", with: ",profile,")
            .replacing(",userTitle,", with: ",readerTitle,").replacing(",userAuthors", with: ",readerAuthors")
        #expect(renamed != sheet)
        var dumps: [String] = []
        for text in [sheet, renamed] {
            let store = try FilledStore()
            try await store.importing([text], job: "back")
            dumps.append(try spreadsheet(of: store).text)
        }
        #expect(dumps[0] == dumps[1])
    }

    @Test func `guarded cells lose their apostrophes again`() async throws {
        let store = try FilledStore()
        try await store.importing(
            [
                """
                Title,Author,ISBN,Rating,Notes,Review
                '=Sum,Ann Lee,9780306406157,5,=1+1,"-dash, and more"
                @Home,Bo Ek,9780441013593,4,''+x,'quoted'
                -5,Cy Ek,,3,-5,+49 30
                """
            ], as: ["table.csv"], job: "j")
        func table(_ store: FilledStore, isSafe: Bool) throws -> ByteCollector {
            let collector = ByteCollector()
            try Export(try store.open()).write(.books, as: .csv, guardsFormulas: isSafe) {
                (piece) throws(ETLError) in collector.take(piece)
            }
            return collector
        }
        let (plain, safe) = (try table(store, isSafe: false), try table(store, isSafe: true))
        #expect(safe.text.contains(",'=1+1,") && safe.text.contains("''=Sum") && safe.text.contains("'@Home"))
        #expect(safe.records.allSatisfy { $0.count == plain.records[0].count + 1 })
        let readers: (String) -> Bool = { ["userTitle", "notes", "review", "rating"].contains($0) }
        for sheet in [plain, safe] {
            let again = try FilledStore()
            try await again.importing([sheet.text], job: "back")
            #expect(
                try cells(table(again, isSafe: false), where: readers).sorted {
                    $0.description < $1.description
                }
                    == cells(plain, where: readers).sorted { $0.description < $1.description })
        }
    }

    /// Cells of the selected columns, one list per record.
    private func cells(_ table: ByteCollector, where isTaken: (String) -> Bool) throws -> [[String]] {
        let header = try #require(table.records.first)
        return table.records.dropFirst().map { record in
            zip(header, record).filter { isTaken($0.0) }.map(\.1)
        }
    }

    /// Libraries of three people who all have one book, so that rows share its id.
    private func filled() async throws -> FilledStore {
        let store = try await SmallLibrary.store()
        try await store.importing(
            [
                """
                Title,Authors,ISBN,Publisher,Year,Pages,Language,Format,Rating,Average Rating,Series,\
                Series Number,Status,Tags,Date Read,Date Added,Notes,Review,Read Count,Copies
                "Reef; or, the Sea","Lee, Jr.; Bo Ek",9780306406157,Gull & Sons,2019-03-05,120,en,E-book,4.25,\
                3.5,Tides,2.5,On the pile,"a, b",2020-01-02,2019-12-31,"=1+1","Long,
                and ""quoted"".",2,1
                Dune,Frank Herbert,9780441013593,,,,,,,,,,,,,,,,,
                """
            ], as: ["table.csv"], job: "theirs", library: "theirs")
        try await store.importing(
            [SmallLibrary.header + "\n" + SmallLibrary.dune], job: "others", library: "others")
        return store
    }

    @Test func `a book that has only an editor keeps the role`() async throws {
        let store = try FilledStore()
        try await store.importing(
            ["Title,Author,Editor\nBest Stories,,Ann Lee\nReef,Ana,Bo Ek\n"], as: ["table.csv"], job: "one")
        let again = try FilledStore()
        try await again.importing([try spreadsheet(of: store).text], job: "back")
        let people =
            "SELECT group_concat(a.name || c.role) FROM contributors c JOIN authors a ON a.id = c.author"
        #expect(try again.open().string(people) == "Ann Lee4,Ana0,Bo Ek4")
    }

    @Test func `an export can be imported and exported again unchanged`() async throws {
        let first = try spreadsheet(of: try await filled())
        let ids = try cells(first) { $0 == "id" }
        #expect(ids.count == 6 && Set(ids).count < 6)

        let again = try FilledStore()
        let job = try await again.importing([first.text], job: "back")
        #expect(job.formatName == "etl")
        #expect(job.counts.booksCreated == 6 && job.counts.totalProcessed == 6)
        let second = try spreadsheet(of: again)
        func readers(_ table: ByteCollector) throws -> [[String]] {
            try cells(table) { !Self.apart.contains($0) }.sorted { $0.lexicographicallyPrecedes($1) }
        }
        #expect(try readers(second) == readers(first))
        #expect(try readers(first).count == 6)
        // Entries of this library are identified by format alone, others also by their library.
        let sources = Set(try cells(second) { $0 == "sourceId" }.map { $0[0] })
        #expect(sources.isSuperset(of: ["goodreads/1", "others/goodreads/1"]))

        // Neither the same sheet nor its own export changes anything.
        let repeated = try await again.importing([first.text], job: "repeated")
        #expect(repeated.counts.duplicatesSkipped == 6)
        let own = try await again.importing([second.text], job: "own")
        #expect(own.counts.booksCreated == 0 && own.counts.totalProcessed == 6)
        #expect(Set(try spreadsheet(of: again).records) == Set(second.records))
    }

    @Test func `an entry is identified by its library, format and source id`() throws {
        let files = try WrittenFiles()
        let path = try files.write(
            """
            id,editionId,title,authors,series,format,reviewStatus,isbndbQuality,library,sourceFormat,sourceId
            ol:OL1W,isbn:1,Reef,"Ana Lee; Ek, Bo","Tides #2; The Sea",E-book,verified,0,a,goodreads,1
            title:tide,title:tide,Tide (Sea #1),,,,verified,0,a,etl,goodreads/1
            ol:OL1W,isbn:1,Reef,Ana Lee,,,verified,0,b,etl,a/goodreads/1
            ol:OL1W,isbn:1,Reef,Ana Lee,,,verified,0,,,7
            ol:OL5W,ol:OL5W,,,,,verified,0,a,goodreads,

            """)
        let facts = try RowFacts.of(path, [.sourceID, .openLibraryWork])
        #expect(facts.formatName == "etl")
        #expect(
            facts.rows == [
                ["a/goodreads/1", ""], ["a/goodreads/1", ""], ["b/a/goodreads/1", ""], ["7", ""],
                ["", "OL5W"],
            ])
        #expect(
            try RowFacts.people(path).prefix(2) == [
                "Reef: Ana Lee (author), Ek, Bo (contributor)", "Tide (Sea #1): ",
            ])
    }

    @Test func `its names of formats are read as bindings`() {
        for format in EditionFormat.allCases {
            let bytes = Array(format.contractName.utf8)
            #expect(bytes.withUnsafeBytes { EditionFormat(binding: $0) } == format)
        }
    }

    @Test func `other tables are not mistaken for it`() {
        #expect(EtlSpreadsheet().name == KeyComposer.spreadsheet)
        for names in [
            ["id", "title", "authors", "publisher", "rating", "shelf"], ["editionId", "title", "library"],
        ] {
            #expect(EtlSpreadsheet().score(HeaderNames(names)) < LibraryFormats.threshold)
        }
    }
}
