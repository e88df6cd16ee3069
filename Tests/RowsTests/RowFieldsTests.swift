import Pipeline
import System
import Testing

@testable import Books
@testable import Bytes
@testable import Rows

@Suite struct RowFieldsTests {
    private func values(_ text: String) throws -> [ExpressionValue] {
        RowBatch.make(RowBatch.books).payload.values(of: try RowBatch.expression(text))
    }

    @Test func `a field has the value that its format read`() throws {
        #expect(try values("rating") == [.number(5), .missing, .number(4), .number(3)])
        #expect(try values("dateRead").prefix(3) == [.text("2024-05-18"), .missing, .text("2019-01-02")])
        #expect(try values("pageCount") == [.number(183), .number(412), .missing, .missing])
        #expect(try values("bareTitle").first == .text("A Wizard of Earthsea"))
        #expect(try values("title").first == .text("A Wizard of Earthsea (Earthsea Cycle, #1)"))
        #expect(try values("authors").first == .text("Ursula K. Le Guin"))
        #expect(try values("row") == [.number(2), .number(3), .number(4), .number(5)])
        #expect(try values("language") == [.missing, .missing, .missing, .missing])
    }

    @Test func `a column is used by its name in the file`() throws {
        #expect(try values("[Shelf Mark]") == [.text("A1"), .missing, .text("B2"), .text("C3")])
        #expect(try values("[No Such Column]") == [.missing, .missing, .missing, .missing])
    }

    @Test func `every field of a library has a name without clashes`() {
        let names = RowFields.schema.fields.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.contains("isbn13"))
    }
}

@Suite struct RowFilterTests {
    @Test func `rows that do not fulfill the condition are set aside with their bytes`() async throws {
        let stage = FilterRows(where: try RowBatch.expression("rating >= 4 and title is not missing"))
        let out = try await stage.process(RowBatch.make(RowBatch.books))
        #expect(out.records == [2, 4])
        #expect(out.codes == [3: "filtered_out", 5: "filtered_out"])
        let reject = try #require(out.rejects.first)
        #expect(reject.stage == "FilterRows")
        #expect(String(decoding: reject.raw, as: UTF8.self) == "2,Dune,Frank Herbert,0,,412,")
        #expect(out.recordsRead == 4)
        #expect(ReasonCode(rawValue: reject.code)?.isSetAside == true)
    }

    @Test func `a batch without matching rows is empty, and an empty batch stays so`() async throws {
        let stage = FilterRows(where: try RowBatch.expression("title = nothing"))
        #expect(try await stage.process(RowBatch.make(RowBatch.books)).records == [])
        #expect(try await stage.process(RowBatch.make([])).rejects == [])
    }

    @Test(arguments: [0.0, 0.1, 0.5, 1.0])
    func `a sample has its share of the rows, whatever the batches`(share: Double) async throws {
        let stage = SampleRows(share: share, seed: 7)
        let rows = (0..<2_000).map { ["\($0)", "Title \($0)", "A", "1", "", "1", ""] }
        let whole = try await stage.process(RowBatch.make(rows))
        #expect(abs(Double(whole.records.count) / 2_000 - share) < 0.03)
        var parts: [Int] = []
        for start in stride(from: 0, to: 2_000, by: 37) {
            let part = Array(rows[start..<min(2_000, start + 37)])
            parts += try await stage.process(RowBatch.make(part, first: start + 2)).records
        }
        #expect(parts == whole.records)
        let other = try await SampleRows(share: share, seed: 8).process(RowBatch.make(rows))
        #expect(share == 0 || share == 1 || other.records != whole.records)
    }

    @Test func `a sample by value keeps or leaves all rows with that value`() async throws {
        let stage = SampleRows(share: 0.5, seed: 1, by: [try RowBatch.expression("title")])
        let rows = (0..<200).map { ["\($0)", $0 % 2 == 0 ? "Same" : "SAME", "A", "1", "", "1", ""] }
        let kept = try await stage.process(RowBatch.make(rows)).records.count
        #expect(kept == 0 || kept == 200)
    }

    @Test func `of rows with the same values the first is kept, in any batch`() async throws {
        let stage = DeduplicateRows(by: [try RowBatch.expression("title")])
        let first = try await stage.process(RowBatch.make(RowBatch.books))
        #expect(first.records == [2, 3, 5])
        #expect(first.rejects.map(\.message).first?.contains("It repeats row 3.") == true)
        let second = try await stage.process(RowBatch.make(RowBatch.books, first: 100))
        #expect(second.records == [103])
        // A batch that is processed again has the same result.
        #expect(try await stage.process(RowBatch.make(RowBatch.books)).records == [2, 3, 5])
    }

    @Test func `several expressions are compared together, and missing differs from every text`() async throws
    {
        let stage = DeduplicateRows(by: try ["title", "[Shelf Mark]"].map(RowBatch.expression))
        let rows = [
            ["1", "a", "", "", "", "", "bc"], ["2", "ab", "", "", "", "", "c"], ["3", "a"],
            ["4", "a", "", "", "", "", "BC"],
        ]
        #expect(try await stage.process(RowBatch.make(rows)).records == [2, 3, 4])
    }
}
