import Bytes

/// The StoryGraph's export.
///
/// Its column `ISBN/UID` also holds Amazon's numbers and StoryGraph's own UUIDs. Contributors have their
/// roles in brackets, ratings have quarter stars, and readings are date ranges: `2025/05/18-2025/05/26`.
package struct StoryGraph: TabularFormat {
    package let name = "storygraph"

    package init() {}

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readTitle(of: &row)
        rows.readPeople(of: &row)
        rows.readFormat(of: &row)
        let identifier = rows.cell(.isbn13, of: row)
        if identifier.length == 36, rows.arena.withBytes(identifier, { Self.isUUID($0) }) {
            rows.read(.sourceID, as: identifier, of: &row)
            rows.read(.isbn13, as: .none, of: &row)
        }
        readDates(of: &row, in: &rows)
        rows.readShelf(of: &row)
        rows.readRating(of: &row)
        rows.readYesNo(.ownedCopies, of: &row)
        rows.checkDatesAndCounts(of: &row)
        rows.setAsideNonBooks(&row)
    }

    private func readDates(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let times = rows.cell(.dateStarted, of: row)
        guard !times.isEmpty else { return }
        let last = rows.arena.withBytes(times) { DateRanges($0, rows.columns.dateOrder) }
        rows.read(.dateStarted, as: last.started.map { times.part($0) } ?? .none, of: &row)
        if let finished = last.finished, rows.cell(.dateRead, of: row).isEmpty {
            rows.read(.dateRead, as: times.part(finished), of: &row)
        }
    }

    private static func isUUID(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.indices.allSatisfy { at in
            switch at {
            case 8, 13, 18, 23: bytes[at] == UInt8(ascii: "-")
            default: bytes[at] &- 0x30 < 10 || (bytes[at] | 0x20) &- 0x61 < 6
            }
        }
    }

    package static let columns = FormatColumns(
        [
            .common(.title, "title"), .distinctive(.additionalAuthors, "authors"),
            .distinctive(.contributors, "contributors"),
            .distinctive(.isbn13, "isbn/uid"), .common(.binding, "format"),
            .distinctive(.exclusiveShelf, "read status"),
            .common(.dateAdded, "date added"), .distinctive(.dateRead, "last date read"),
            .distinctive(.dateStarted, "dates read"), .common(.readCount, "read count"),
            .distinctive(nil, "moods"),
            .distinctive(nil, "pace"), .distinctive(.rating, "star rating"), .common(.review, "review"),
            .common(.shelves, "tags"), .common(.ownedCopies, "owned?"),
        ],
        unmapped: [
            "character or plot driven?", "strong character development?", "loveable characters?",
            "diverse characters?", "flawed characters?", "content warnings", "content warning description",
        ])
}
