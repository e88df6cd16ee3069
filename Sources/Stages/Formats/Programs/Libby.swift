package import Books
import Bytes

/// The timeline that Libby exports: a row for each loan, return, renewal and hold.
///
/// Loans are books of the library, which the reader does not own. A hold is a book to read. A return or a renewal is no
/// book of its own and is set aside. Libby has no dates of reading: `timestamp` is the time of the loan.
package struct Libby: TabularFormat {
    package let name = "libby"

    package init() {}

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readPlainTable(&row)
        if rows.columns[.ownedCopies] == nil {
            rows.read(.ownedCopies, as: rows.arena.append("0"), of: &row)
        }
        let activity = rows.arena[rows.cell(named: ["activity", "Activity"], of: row)].lowercased()
        if activity.contains("hold") {
            rows.read(.exclusiveShelf, as: rows.arena.append(ReadingStatus.toRead.rawValue), of: &row)
        } else if !activity.isEmpty, !activity.hasPrefix("borrow") {
            row.refusal = .notABook
        }
    }

    package static let columns = FormatColumns([
        .common(.title, "title"), .common(.author, "author"), .common(.publisher, "publisher"),
        .common(.isbn13, "isbn"), .distinctive(.dateAdded, "timestamp"), .distinctive(nil, "activity"),
        .distinctive(nil, "library"), .distinctive(nil, "details"), .distinctive(nil, "cover"),
        .additional(.exclusiveShelf, "activity"),
    ])
}
