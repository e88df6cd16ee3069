import Foundation
import Pipeline
import System
import TestSupport
import Testing

@testable import Books
@testable import Contract
@testable import Database
@testable import Formats
@testable import Jobs
@testable import Queries
@testable import Store

/// Undecided matches are listed, decided by the user and applied to the library.
@Suite struct ReviewedImportTests {
    private let fixture: CatalogFixture
    private let folder: TemporaryFolder
    private var store: String { folder.file("store.sqlite") }

    init() async throws {
        fixture = try await CatalogFixture([
            DumpFixture.author(1, #""name": "Frank Herbert""#),
            DumpFixture.work(1, #""title": "Dune""#, author: 1),
            DumpFixture.work(2, #""title": "Poems", "first_publish_date": "1970""#, author: 1),
            DumpFixture.work(3, #""title": "Poems", "first_publish_date": "1980""#, author: 1),
            DumpFixture.work(4, #""title": "Stories", "first_publish_date": "1970""#, author: 1),
            DumpFixture.work(5, #""title": "Stories", "first_publish_date": "1980""#, author: 1),
        ])
        folder = try TemporaryFolder()
    }

    private static let rows = [
        "Poems,Frank Herbert,5", "Dune,Frank Herbert,4", "Stories,Frank Herbert,3",
        "POEMS!,\"Herbert, Frank\",2",
    ]

    private func run(
        _ rows: [String] = rows, file: String = "library.csv", catalog: String? = nil, resuming: Bool = false,
        into library: String? = nil
    ) async throws -> ImportOutcome {
        let path = try folder.write(
            (["Title,Author,My Rating"] + rows).joined(separator: "\n") + "\n", to: file)
        let definition = try DefinitionFile.read(
            DefinitionFile.load("\(ProjectFiles.root)/Pipelines/csv_import.yaml"), named: "csv_import.yaml")
        var request = ImportRequest(
            reading: ReadSettings(files: [path]), storePath: store,
            freshName: file.replacing(".csv", with: ""), definition: definition)
        request.catalogPaths = [catalog ?? fixture.path]
        if let library { (request.library, request.isPrivate) = (library, true) }
        if resuming {
            request.jobName = "library"
            request.mode = .pending
        }
        return try await ImportJob(request, clock: ManualClock()).run()
    }

    private func list(_ job: String? = nil, _ part: ReviewList.Part = .waiting) throws -> ReviewList {
        try ReviewList(StoreFile.openForReading(store), of: job, listing: part)
    }

    private func explain(_ row: String) throws -> Explanation {
        try Explainer(StoreFile.openForReading(store)).explain(BookReference(row), job: nil)
    }

    /// Fills in the last column of the list as a spreadsheet would, by row and record.
    private func decide(_ decisions: [String: String]) throws -> Int {
        let text = String(decoding: try list(nil, .all).csv(), as: UTF8.self).split(separator: "\n")
        let lines = text.enumerated().map { number, line -> String in
            guard number > 0 else { return String(line) }
            let cells = line.split(separator: ",")
            let row = String(cells[0])
            guard let found = decisions.first(where: { line.hasPrefix("\(row),") && line.contains($0.key) })
            else { return String(line) }
            return String(line.prefix(through: line.lastIndex(of: ",") ?? line.startIndex)) + found.value
        }
        let path = try folder.write(lines.joined(separator: "\r\n"), to: "review.csv")
        let list = try list(nil, .all)
        let decided = try ReviewFile(path, ofJob: "j").decisions(about: list)
        try Reviews.keep(decided, ofJob: list.job.id, in: store, now: 1)
        return decided.count
    }

    @Test func `undecided matches are listed with their options and evidence`() async throws {
        let outcome = try await run()
        #expect(outcome.job.counts.totalProcessed == 4)
        let list = try list()
        let reviews = try list.reviews
        #expect(try list.openCount == 3)
        #expect(reviews.map(\.place.row) == [2, 4, 5])
        #expect(reviews[0].options.map(\.record) == ["OL2W", "OL3W"])
        #expect(reviews[0].options[0].evidence.contains("for:title_same"))
        #expect(reviews[0].options[0].year == 1970)
        let header = String(decoding: try list.csv(), as: UTF8.self).split(separator: "\n")[0]
        #expect(header == "row,title,author,score,record,record_title,record_author,year,evidence,decision")
        var json: [UInt8] = []
        try list.write(as: .json) { (piece) throws(ETLError) in json.append(contentsOf: piece) }
        #expect(String(decoding: json, as: UTF8.self).contains(#""record":"OL3W""#))
        #expect(try explain("row:2").sentenceWithoutAnswers?.contains("No match is certain") == true)
    }

    @Test func `a decision in a private library applies to no other library`() async throws {
        _ = try await run(file: "hers.csv", into: "anna")
        #expect(try decide(["openlibrary/OL2W": "accept"]) > 0)
        _ = try await run(file: "his.csv", into: "ben")
        #expect(try list("his").openCount == 3)
        _ = try await run(file: "ours.csv")
        #expect(try list("ours").openCount == 3)
        _ = try await run(["Poems,Frank Herbert,1"], file: "again.csv", into: "anna")
        #expect(try list("again").openCount == 0)
        // It is deleted with the library.
        _ = try await ResultsStore(store).forget("anna", as: "removal")
        _ = try Pruning(of: store, olderThan: 0, now: 1 << 50, waiting: LockWaitPolicy())
        #expect(try StoreFile.openForReading(store).number("SELECT count(*) FROM decisions") == 0)
    }

    @Test func `an accepted match has its score and evidence in explain and in exports`() async throws {
        _ = try await run(["Dune,Frank Herbert,4", "Unknown,Nobody,3"])
        let match = try #require(try explain("row:2").entries.first?.match)
        #expect(match.score >= 0.86 && match.evidence == ["for:title_same", "for:author_same"])
        #expect(try explain("row:3").entries.first?.match == nil)
        var csv: [UInt8] = []
        try Export(StoreFile.openForReading(store)).write(.books, as: .csv) { (piece) throws(ETLError) in
            csv.append(contentsOf: piece)
        }
        let lines = String(decoding: csv, as: UTF8.self).split(whereSeparator: \.isNewline).map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let column = try #require(lines[0].firstIndex(of: "matchScore"))
        #expect(lines.dropFirst().compactMap { Double($0[column]) } == [match.score])
    }

    @Test func `a different spelling in the catalog is offered, and a choice is applied`() async throws {
        let rows = ["Dune Mesia,Frank Herbert,5", "Stories,,3"]
        let near = try await CatalogFixture([
            DumpFixture.author(1, #""name": "Frank Herbert""#),
            DumpFixture.work(6, #""title": "Dune Messiah""#, author: 1),
            DumpFixture.work(7, #""title": "Stories""#, author: 1),
        ])
        _ = try await run(rows, catalog: near.path)
        #expect(try list().reviews.map(\.place.row) == [2, 3])
        #expect(try list().reviews.flatMap(\.options).map(\.record) == ["OL6W", "OL7W"])
        #expect(try decide(["openlibrary/OL6W": "accept", "openlibrary/OL7W": "accept"]) == 2)
        _ = try await run(rows, catalog: near.path, resuming: true)
        #expect(try explain("row:2").work?.key.hasPrefix("ol:OL6W") == true)
        #expect(try explain("row:3").work?.key.hasPrefix("ol:OL7W") == true)
    }

    @Test func `decisions are applied by the job and remembered by the next import`() async throws {
        _ = try await run()
        #expect(try decide(["openlibrary/OL3W": "accept", "openlibrary/OL4W": "none"]) == 3)
        #expect(try list().openCount == 0)

        let resumed = try await run(resuming: true)
        #expect(resumed.job.pending == 0)
        #expect(resumed.job.counts.totalProcessed == 4)
        #expect(try list().reviews.isEmpty)
        for row in ["row:2", "row:5"] {
            let explanation = try explain(row)
            #expect(explanation.answers.map(\.record) == ["OL3W"])
            #expect(explanation.answers.map(\.match) == [.reviewed])
            #expect(explanation.work?.reviewStatus == .userEdited)
            #expect(explanation.work?.key.hasPrefix("ol:OL3W") == true)
        }
        #expect(try explain("row:4").answers.isEmpty)
        #expect(try explain("row:4").records.flatMap(\.warnings).isEmpty)

        // Another export with the same books.
        _ = try await run(Self.rows + ["Extra,Nobody,1"], file: "newer.csv")
        #expect(try list("newer").reviews.isEmpty)
        #expect(try explain("row:2").answers.map(\.match) == [.reviewed])
    }

    @Test func `a decision can be changed after it was applied`() async throws {
        _ = try await run()
        _ = try decide(["openlibrary/OL2W": "accept"])
        _ = try await run(resuming: true)
        #expect(try explain("row:2").answers.map(\.record) == ["OL2W"])
        // Both rows are about one book: each is listed with the decision.
        #expect(try list(nil, .decided).reviews.map(\.place.row) == [2, 5])
        #expect(try decide(["openlibrary/OL2W": "", "openlibrary/OL3W": "accept"]) == 2)
        _ = try await run(resuming: true)
        #expect(try explain("row:2").answers.map(\.record) == ["OL3W"])
    }

    @Test func `a decision can be withdrawn, as if it had never been made`() async throws {
        _ = try await run()
        let before = try (list().csv(), dump())
        #expect(try list(nil, .decided).reviews.isEmpty)
        _ = try decide(["openlibrary/OL3W": "accept", "openlibrary/OL4W": "none"])
        _ = try await run(resuming: true)
        #expect(try list().reviews.isEmpty)
        #expect(try list(nil, .decided).reviews.map(\.place.row) == [2, 4, 5])

        #expect(try decide(["openlibrary/OL3W": "undo", "openlibrary/OL4W": "undo"]) == 3)
        #expect(try list().openCount == 3)
        let resumed = try await run(resuming: true)
        #expect(resumed.job.pending == 0)
        #expect(try list(nil, .decided).reviews.isEmpty)
        #expect(try list().csv() == before.0)
        #expect(try dump() == before.1)
        #expect(try explain("row:2").answers.isEmpty)
        // There are no more decisions to withdraw.
        #expect(try decide(["openlibrary/OL3W": "undo"]) == 0)
    }

    private func dump() throws -> String { try StoreFile.openForReading(store).canonicalDump() }

    @Test(arguments: [
        "UPDATE reviews SET options = '{'", "UPDATE reviews SET options = '[{}]'",
        "INSERT INTO decisions VALUES (0, 'k', 250, 'OL1W', 1)",
        "INSERT INTO decisions VALUES (0, 'k', 999, 'OL1W', 1)",
    ])
    func `an unreadable review or decision is an error`(damage: String)
        async throws
    {
        _ = try await run()
        try StoreFile.openForWriting(store).execute(damage)
        #expect(throws: ETLError.self) { _ = try list().csv() }
    }

    @Test(arguments: [
        ("2,Poems,F,1,openlibrary/OL9W,,,,,accept", "not a candidate"),
        ("3,Dune,F,1,openlibrary/OL1W,,,,,accept", "has no uncertain match in row 3"),
        ("2,Poems,F,1,openlibrary/OL2W,,,,,perhaps", "not a decision"),
        (
            "2,P,F,1,openlibrary/OL2W,,,,,accept\n2,P,F,1,openlibrary/OL3W,,,,,accept",
            "already has another decision (line 2)"
        ),
        (
            "2,P,F,1,openlibrary/OL2W,,,,,accept\n5,P,F,1,openlibrary/OL3W,,,,,accept",
            "row 5 has the same title and author as row 2"
        ),
        (
            "2,P,F,1,openlibrary/OL2W,,,,,accept\n5,P,F,1,openlibrary/OL3W,,,,,none",
            "row 5 has the same title and author as row 2"
        ),
        (
            "2,P,F,1,openlibrary/OL2W,,,,,undo\n5,P,F,1,openlibrary/OL3W,,,,,none",
            "row 5 has the same title and author as row 2"
        ),
    ])
    func `a list with decisions about other records is rejected as a whole`(lines: String, words: String)
        async throws
    {
        _ = try await run()
        let header = ReviewList.columns.joined(separator: ",")
        let path = try folder.write("\(header)\n\(lines)\n", to: "review.csv")
        let failure = try refusal(ReviewFile(path, ofJob: "j"), list())
        #expect(failure?.kind == .unusableInput)
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    }

    @Test(arguments: [
        "row,record,decision\n2 ,openlibrary/OL3W\t, Accept \n",
        "decision;record;row\r\nACCEPT;openlibrary/OL3W;2\r\n",
        "\u{FEFF}Row,Title,Record,Decision\n2,\"Poems, all\",openlibrary/OL3W,x\n\n",
        "row\trecord\tdecision\n2\topenlibrary/OL3W\ty\n",
    ])
    func `a list is read as spreadsheets save it`(text: String) async throws {
        _ = try await run()
        var wide: [UInt8] = [0xFF, 0xFE]
        for unit in text.replacing("\u{FEFF}", with: "").utf16 {
            wide += [UInt8(unit & 255), UInt8(unit >> 8)]
        }
        for bytes in [Array(text.utf8), wide] {
            let path = try folder.write(bytes, to: "review.csv")
            let decided = try ReviewFile(path, ofJob: "j").decisions(about: list())
            #expect(decided.map(\.place.row) == [2])
            #expect(
                decided.map(\.decision)
                    == [.accepted(ChosenRecord(provider: .openLibrary, record: "OL3W"))])
        }
    }

    private func refusal(_ file: ReviewFile, _ list: ReviewList) -> ETLError? {
        do throws(ETLError) {
            _ = try file.decisions(about: list)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a file that is not a list of reviews is rejected`() throws {
        let path = try folder.write("Title,Author\nDune,Frank Herbert\n", to: "other.csv")
        func read() -> ETLError? {
            do throws(ETLError) {
                _ = try ReviewFile(path, ofJob: "j")
                return nil
            } catch {
                return error
            }
        }
        #expect(read()?.message.contains("not a review list") == true)
    }
}
