import Testing

@testable import Books

struct ColumnShapeTests {
    @Test(arguments: [
        (
            LibraryField.pageCount, ["", " ", "-", "320", "320 p.", "xii, 320 p.", "########"],
            ["Paperback", "Ana Lee", "9780306406157", "страниц"]
        ),
        (
            .dateRead,
            [
                "2026/04/02", "20260402", "[2007-04-16]", "Apr 2, 2026",
                "2025/05/18-2025/05/26, 2026/01/01-2026/01/02", "--",
            ], ["read", "to-read (#12345678901)"]
        ),
        (.originalYear, ["-850", "1999", "c1999", "1999.0"], ["Penguin", "0306406152"]),
        (
            .rating, ["", "0", "4", "4.5", "4,5", "8/10", "85", "★★★★", "4 stars"],
            ["9780306406157", "Penguin", "=\"0306406152\""]
        ),
        (
            .isbn13,
            [
                "9780306406157", "=\"0306406152\"", "978-0-306-40615-7", "978 0 306 40615 7", "080442957X",
                "9.78030640616e+12", "[0306406152]", "B00ABC1234", "fbdd6b7c-f512-47f2-aa94-d8bf0d5f5175",
            ], ["Paperback", "Ana Lee", "Apr 2, 2026", "é"]
        ),
    ])
    func `what may stand in a column, and what belongs to another`(
        field: LibraryField, fits: [String], strangers: [String]
    ) throws {
        let shape = try #require(ColumnShape(field))
        for cell in fits { #expect(shape.allows(Array(cell.utf8)), "\(cell)") }
        for cell in strangers { #expect(!shape.allows(Array(cell.utf8)), "\(cell)") }
    }

    @Test(arguments: [LibraryField.title, .author, .publisher, .binding, .shelves, .review, .sourceID])
    func `text may be anything`(field: LibraryField) {
        #expect(ColumnShape(field) == nil)
    }
}
