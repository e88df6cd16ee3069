import Pipeline
import System

@testable import Books
@testable import Bytes
@testable import Formats
@testable import Rows

/// Batches of rows for tests of the stages that change rows.
enum RowBatch {
    static let names = [
        "Book Id", "Title", "Author", "My Rating", "Date Read", "Number of Pages", "Shelf Mark",
    ]
    static let columns = ColumnMap(
        formatName: "goodreads", names: names,
        fields: [
            .sourceID: 0, .title: 1, .author: 2, .rating: 3, .dateRead: 4, .pageCount: 5,
        ])

    static let interpreter = FormatInterpreter(ReadSettings(files: []))

    /// A batch of rows with the cells of ``names``, interpreted like rows of a Goodreads export.
    static func make(_ rows: [[String]], first: Int = 2) -> Batch<LibraryRows> {
        var library = LibraryRows(columns: columns)
        for (index, cells) in rows.enumerated() {
            let raw = library.arena.append(cells.joined(separator: ","))
            let start = library.cells.count
            for cell in cells { library.cells.append(library.arena.append(cell)) }
            let record = first + index
            var row = LibraryRow(
                position: Position(byte: Int64(record * 10), line: record, record: record), raw: raw,
                cells: start..<library.cells.count)
            Goodreads().interpret(&row, in: &library)
            library.rows.append(row)
        }
        return Batch(
            sequence: 0, end: Position(byte: 9_999, line: 99, record: 99), recordsRead: rows.count,
            payload: library)
    }

    static let books = [
        [
            "1", "A Wizard of Earthsea (Earthsea Cycle, #1)", "Ursula K. Le Guin", "5", "2024/05/18", "183",
            "A1",
        ],
        ["2", "Dune", "Frank Herbert", "0", "", "412", ""],
        ["3", "dune", "F. Herbert", "4", "2019/01/02", "many", "B2"],
        ["4", "", "Nobody", "3", "", "", "C3"],
    ]

    static func expression(_ text: String) throws -> RecordExpression {
        try RecordExpression(text, over: RowFields.schema)
    }

    static func assignment(_ text: String) throws -> Assignment {
        try Assignment(text, over: RowFields.schema, where: RowFields.isSettable)
    }
}

extension Batch<LibraryRows> {
    /// The rows as the numbers of their records.
    var records: [Int] { payload.rows.map(\.position.record) }

    /// All cells of all rows.
    var cells: [[String]] {
        payload.rows.map { row in payload.cells[row.cells].map { payload.arena[$0] } }
    }

    /// The codes of the rejects, by record.
    var codes: [Int: String] {
        Dictionary(rejects.map { ($0.position.record, $0.code) }) { first, _ in first }
    }
}
