import Pipeline
import System
import Testing

@testable import Books
@testable import Bytes
@testable import Formats
@testable import Sources

@Suite struct ValidateISBNTests {
    struct Row { var title = "A Title", ten = "", thirteen = "" }

    static let columns = ColumnMap(
        formatName: "goodreads", names: ["Title", "ISBN", "ISBN13"],
        fields: [.title: 0, .isbn10: 1, .isbn13: 2])

    static func batch(_ rows: [Row], columns: ColumnMap = columns, width: Int = 3) -> Batch<LibraryRows> {
        var library = LibraryRows(columns: columns)
        for (index, row) in rows.enumerated() {
            let cells = [row.title, row.ten, row.thirteen].prefix(width)
            let raw = library.arena.append(cells.joined(separator: ","))
            let start = library.cells.count
            for cell in cells { library.cells.append(library.arena.append(cell)) }
            let position = Position(byte: Int64(index * 10), line: index + 2, record: index + 2)
            var record = LibraryRow(position: position, raw: raw, cells: start..<library.cells.count)
            record.title = library.cells[start]
            library.rows.append(record)
        }
        return Batch(
            sequence: 3, end: Position(byte: 99, line: 9, record: 9), recordsRead: rows.count,
            payload: library)
    }

    static func run(_ rows: [Row], columns: ColumnMap = columns, width: Int = 3) async throws -> Batch<
        ValidatedRows
    > {
        try await ValidateISBN().process(batch(rows, columns: columns, width: width))
    }

    @Test func `each row gets the ISBN its cells agree on`() async throws {
        let out = try await Self.run([
            Row(ten: "=\"0439023483\"", thirteen: "=\"9780439023481\""), Row(),
            Row(thirteen: "9791090636071"),
        ])
        #expect(out.sequence == 3)
        #expect(out.recordsRead == 3)
        #expect(out.payload.isbns.map(\.isbn) == [ISBN("9780439023481"), nil, ISBN("9791090636071")])
        #expect(out.payload.library.rows.allSatisfy { $0.warnings.isEmpty })
        #expect(out.rejects.isEmpty)
    }

    @Test func `one, both or no cells, quoted or not, give the same book`() async throws {
        let book = ISBN("9780439023481")
        let forms: [(ten: String, thirteen: String, isbn: ISBN?)] = [
            ("=\"0439023483\"", "=\"9780439023481\"", book), ("0439023483", "=\"9780439023481\"", book),
            ("=\"0439023483\"", "9780439023481", book), ("0439023483", "9780439023481", book),
            ("=\"\"", "=\"9780439023481\"", book), ("=\"0439023483\"", "=\"\"", book),
            ("=\"\"", "=\"\"", nil), ("", "=\"\"", nil), ("", "", nil),
        ]
        let out = try await Self.run(forms.map { Row(ten: $0.ten, thirteen: $0.thirteen) })
        #expect(out.payload.isbns == forms.map { RowISBN(isbn: $0.isbn) })
        #expect(out.payload.library.rows.allSatisfy { $0.warnings.isEmpty })
        let damaged = try await Self.run([
            Row(ten: "=\"0439023484\"", thirteen: "=\"9780439023481\""),
            Row(ten: "x\"0439023483\"", thirteen: "=\"9780439023481\""), Row(ten: "abc", thirteen: "=\"\""),
        ])
        #expect(damaged.payload.isbns.map(\.isbn) == [book, book, nil])
        #expect(damaged.payload.library.rows.allSatisfy { !$0.warnings.isEmpty })
    }

    @Test func `an impossible ISBN is dropped, kept in the cell and reported with its column`() async throws {
        let out = try await Self.run([Row(thirteen: "9780439023480")])
        #expect(out.payload.isbns[0] == RowISBN())
        let row = out.payload.library.rows[0]
        #expect(out.payload.library.string(.isbn13, of: row) == "9780439023480")
        let warning = try #require(row.warnings.first)
        #expect(warning.code == "isbn13_check_digit")
        #expect(warning.field == "ISBN13")
        #expect(warning.value == "9780439023480")
        #expect(warning.message.hasSuffix("."))
    }

    @Test func `a repair, a proposal and a conflict are reported`() async throws {
        let out = try await Self.run([
            Row(ten: "439023483"), Row(ten: "359821507"), Row(ten: "0826497527", thirteen: "9780439023481"),
        ])
        let warnings = out.payload.library.rows.map { $0.warnings.first }
        #expect(warnings.map { $0?.code } == ["isbn_repaired", "isbn_wrong_length", "isbn_conflict"])
        #expect(warnings[0]?.message.contains("9780439023481") == true)
        #expect(warnings[1]?.message.contains("Perhaps it should be 9783598215070.") == true)
        #expect(warnings.map { $0?.field } == ["ISBN", "ISBN", "ISBN"])
        #expect(out.payload.isbns[0].repair == .lostLeadingZeros)
        #expect(out.payload.isbns[2].other == ISBN("0826497527"))
    }

    @Test func `a row without title and ISBN is rejected with its bytes and position`() async throws {
        let out = try await Self.run([
            Row(), Row(title: "", ten: "0439023480"), Row(title: "", thirteen: "9780439023481"),
            Row(title: "", ten: ""),
        ])
        #expect(out.payload.count == 2)
        #expect(out.payload.isbns.map(\.isbn) == [nil, ISBN("9780439023481")])
        #expect(out.rejects.count == 2)
        let reject = try #require(out.rejects.first)
        #expect(reject.code == "no_title_or_isbn")
        #expect(reject.stage == "ValidateISBN")
        #expect(reject.position.record == 3)
        #expect(reject.raw == Array(",0439023480,".utf8))
        #expect(reject.field == "ISBN")
        #expect(reject.value == "0439023480")
        #expect(reject.message.contains("check digit"))
        #expect(out.rejects[1].field == nil)
    }

    @Test func `rejected rows leave the others in order`() async throws {
        let rows = (0..<2_000).map { $0 % 3 == 0 ? Row(title: "") : Row(title: "T\($0)") }
        let out = try await Self.run(rows)
        let titles = out.payload.library.rows.map { out.payload.library.arena[$0.title] }
        #expect(titles == (0..<2_000).filter { $0 % 3 != 0 }.map { "T\($0)" })
        #expect(out.payload.isbns.count == titles.count)
        #expect(out.rejects.map(\.position.record) == (0..<2_000).filter { $0 % 3 == 0 }.map { $0 + 2 })
    }

    @Test func `columns may be missing and records short`() async throws {
        let none = ColumnMap(formatName: "generic", names: ["Title"], fields: [.title: 0])
        #expect(try await Self.run([Row(ten: "0439023483")], columns: none).payload.isbns == [RowISBN()])
        let one = ColumnMap(
            formatName: "generic", names: ["Title", "ISBN"], fields: [.title: 0, .isbn13: 1])
        let out = try await Self.run([Row(ten: "439023483")], columns: one)
        #expect(out.payload.isbns[0].isbn == ISBN("0439023483"))
        #expect(out.payload.library.rows[0].warnings[0].field == "ISBN")
        #expect(try await Self.run([Row(ten: "0439023483")], width: 1).payload.isbns == [RowISBN()])
    }

    @Test func `only the beginning of a very long cell is shown`() async throws {
        let out = try await Self.run([Row(ten: String(repeating: "9", count: 100_000))])
        #expect(out.payload.library.rows[0].warnings[0].value.utf8.count == 512)
    }

    @Test func `an empty batch passes`() async throws {
        let out = try await Self.run([])
        #expect(out.payload.count == 0)
    }
}

/// The fast path: whatever it does not handle is still read correctly, only slower, so other tests would not
/// notice.
@Suite struct PlainISBNTests {
    private func look(_ thirteen: String, _ ten: String) -> PlainISBN {
        Array(thirteen.utf8).withUnsafeBytes { long in
            Array(ten.utf8).withUnsafeBytes { PlainISBN(thirteen: long, ten: $0) }
        }
    }

    @Test func `both cells of a Goodreads row are handled together`() throws {
        guard case .valid(let isbn, 13) = look("=\"9780439023481\"", "=\"0439023483\"") else {
            Issue.record("not decided by the fast path")
            return
        }
        #expect(isbn == ISBN("9780439023481"))
        for empty in ["", "=\"\""] {
            guard case .absent = look(empty, empty) else {
                Issue.record("\(empty) is not absent")
                continue
            }
        }
    }

    @Test(arguments: [
        ("=\"9780439023481\"", "=\"0826497527\""), ("=\"9780439023481\"", "=\"\""),
        ("=\"\"", "=\"0439023483\""),
        ("x\"9780439023481\"", "=\"0439023483\""), ("=\"9780439023481\"", "=\"04390234830"),
        ("=\"978043902348\"1", "=\"0439023483\""), ("9780439023481", "0439023483"), ("abc", "def"),
        ("=\"", "=\""),
    ])
    func `other cells are left to the full reader`(thirteen: String, ten: String) {
        guard case .other = look(thirteen, ten) else {
            Issue.record("decided by the fast path")
            return
        }
    }
}
