import Pipeline
import System
import Testing

@testable import Books
@testable import Bytes
@testable import Rows

@Suite struct MapFieldsTests {
    private func map(_ texts: [String], _ rows: [[String]] = RowBatch.books) async throws -> Batch<
        LibraryRows
    > {
        try await MapFields(texts.map(RowBatch.assignment), interpreter: RowBatch.interpreter)
            .process(RowBatch.make(rows))
    }

    @Test func `a changed row is interpreted as if the file had these cells`() async throws {
        let out = try await map(["title = 'Tehanu (Earthsea Cycle, #4)'", "author = 'Le Guin'", "rating = 2"])
        let row = out.payload.rows[1]
        #expect(out.payload.arena[row.title] == "Tehanu")
        #expect(row.series.map { out.payload.arena[out.payload.series[$0].name] } == ["Earthsea Cycle"])
        #expect(row.people.map { out.payload.arena[out.payload.people[$0].name] } == ["Le Guin"])
        #expect(out.cells[1][3] == "2")
        #expect(out.records == [2, 3, 4, 5])
    }

    @Test func `all assignments see the row as it was before`() async throws {
        let out = try await map(["title = author", "author = title"])
        #expect(out.cells[1].prefix(3) == ["2", "Frank Herbert", "Dune"])
    }

    @Test func `a field without a column, and an unknown column, are added at the end`() async throws {
        let out = try await map([
            "language = 'fr'", "[Source] = concat('row ', text(row))", "[Shelf Mark] = ''",
        ])
        #expect(out.payload.columns.names == RowBatch.names + ["language", "Source"])
        #expect(out.payload.columns[.language] == 7)
        #expect(out.cells[0].suffix(3) == ["", "fr", "row 2"])
        #expect(out.payload.string(.language, of: out.payload.rows[0]) == "fr")
    }

    @Test func `short and long rows are filled up and keep their extra cells`() async throws {
        let out = try await map(
            ["[New] = 'x'", "[Shelf Mark] = 'm'"],
            [["1", "Dune"], ["2", "Emma", "A", "", "", "", "s", "extra"]])
        #expect(out.cells[0] == ["1", "Dune", "", "", "", "", "m", "x"])
        #expect(out.cells[1] == ["2", "Emma", "A", "", "", "", "m", "x", "extra"])
    }

    @Test func `a warning about a cell that was corrected goes away`() async throws {
        #expect(RowBatch.make(RowBatch.books).payload.rows[2].warnings.map(\.code) == ["number_damaged"])
        let out = try await map(["pageCount = first(number(text(pageCount)), 100)"])
        #expect(out.payload.rows.allSatisfy { $0.warnings.isEmpty })
        #expect(out.cells.map { $0[5] } == ["183", "412", "100", "100"])
    }

    @Test func `columns are renamed, and the name of a field is a meaning`() async throws {
        let stage = RenameColumns(
            [.init(old: "Shelf Mark", new: "isbn13"), .init(old: "Author", new: "Writer")],
            interpreter: RowBatch.interpreter)
        let out = try await stage.process(RowBatch.make(RowBatch.books))
        #expect(out.payload.columns.names[6] == "isbn13")
        #expect(out.payload.columns[.isbn13] == 6)
        #expect(out.payload.columns[.author] == 2)
        #expect(out.payload.columns.names[2] == "Writer")
        #expect(out.cells == RowBatch.books)
    }

    @Test func `dropped columns are gone, with what they meant`() async throws {
        let stage = DropColumns(["author", "Shelf Mark", "No Such"], interpreter: RowBatch.interpreter)
        let out = try await stage.process(RowBatch.make(RowBatch.books))
        #expect(
            out.payload.columns.names == ["Book Id", "Title", "My Rating", "Date Read", "Number of Pages"])
        #expect(out.payload.columns[.author] == nil)
        #expect(out.payload.columns[.pageCount] == 4)
        #expect(out.payload.rows[0].people.isEmpty)
        #expect(out.cells[1] == ["2", "Dune", "0", "", "412"])
    }
}

@Suite struct CheckExpectationsTests {
    private func check(_ texts: [String]) async throws -> Batch<LibraryRows> {
        let expectations = try texts.map { try Expectation($0, over: RowFields.schema) }
        return try await CheckExpectations(expectations).process(RowBatch.make(RowBatch.books))
    }

    @Test func `a row is rejected or stored with a warning`() async throws {
        let out = try await check([
            "expect title is not missing or reject 'A book needs a title.'",
            "expect rating is not missing or warn",
        ])
        #expect(out.records == [2, 3, 4])
        #expect(out.codes == [5: "expectation_violated"])
        #expect(
            out.rejects.first?.message.contains(
                "A book needs a title. Expected: `title is not missing`.") == true)
        #expect(out.payload.rows[1].warnings.map(\.code) == ["expectation_warning"])
        #expect(ReasonCode.expectationViolated.isSetAside == false)
    }

    @Test func `a row that ends the run is named`() async throws {
        do {
            _ = try await check(["expect pageCount < 400 or pageCount is missing or stop"])
            Issue.record("no failure")
        } catch let failure as ETLError {
            #expect(failure.kind == .unusableInput)
            #expect(
                failure.message
                    == "Row 3 violates an expectation of CheckExpectations: Expected: `pageCount < 400 or pageCount is missing`."
            )
        }
    }
}
