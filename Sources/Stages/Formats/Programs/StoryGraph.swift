package import Books
import Bytes

/// The StoryGraph's export.
///
/// Its column `ISBN/UID` also holds Amazon's numbers and StoryGraph's own UUIDs. Contributors have their
/// roles in brackets, ratings have quarter stars, and readings are date ranges: `2025/05/18-2025/05/26`.
package struct StoryGraph: TabularFormat {
    package let name = "storygraph"

    package init() {}

    package var namesStatuses: Bool { true }

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
        rows.readKind(of: &row)
    }

    private func readDates(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let times = rows.cell(.dateStarted, of: row)
        guard !times.isEmpty else { return }
        let last = rows.arena.withBytes(times) { DateRanges($0, rows.columns.dateOrder) }
        rows.read(.dateStarted, as: last.started.map { times.part($0) } ?? .none, of: &row)
        if let finished = last.finished, rows.cell(.dateRead, of: row).isEmpty {
            rows.read(.dateRead, as: times.part(finished), of: &row)
        }
        if last.count > 1 { rows.readEarlier(DateRanges.all(rows.arena[times]), of: &row) }
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

/// The StoryGraph has no place for publishers, pages, years and series. It knows five statuses and four forms of
/// a book.
extension StoryGraph {
    package func readings(
        of row: LibraryRow, in rows: LibraryRows
    ) -> [(started: String, finished: String)] {
        let listed = rows.columns[.dateStarted].map { rows.arena[rows.cell(column: $0, of: row)] } ?? ""
        let all = DateRanges.all(listed)
        return all.isEmpty && !rows.cell(.dateRead, of: row).isEmpty
            ? [("", rows.string(.dateRead, of: row))] : all
    }

    static let layout = TableLayout(
        "storygraph", "The StoryGraph",
        [
            .text("Title", .title),
            LayoutColumn("Authors", [.authors]) { entry, _ in entry.authors.joined(separator: ", ") },
            LayoutColumn("Contributors", [.contributors]) { entry, _ in
                entry.helpers.map { "\($0.name) (\(LayoutText.role($0.role)))" }.joined(separator: ", ")
            },
            LayoutColumn("ISBN/UID", [.isbn, .asin]) { entry, losses in
                if entry[.isbn].isEmpty { return entry[.asin] }
                losses.lose(.asin, entry[.asin])
                return entry[.isbn]
            },
            LayoutColumn("Format", [.format]) { entry, losses in
                guard let format = entry.format else { return "" }
                if format == .massMarket { losses.lose(.format, format.contractName, as: "paperback") }
                return formatName(format)
            },
            LayoutColumn("Read Status", [.shelf]) { entry, losses in
                entry.statusOrTag(\.rawValue, &losses)
            },
            .date("Date Added", .dateAdded, .slashes) { $0[.dateAdded] },
            .date("Last Date Read", .dateRead, .slashes) { $0.lastFinished },
            LayoutColumn("Dates Read", [.dateStarted, .earlierReadings]) { entry, _ in
                entry.readings.map { dates($0) }.filter { !$0.isEmpty }.joined(separator: ", ")
            },
            LayoutColumn("Read Count", [.readCount]) { entry, _ in
                Int(entry[.readCount]).map(String.init) ?? String(entry.impliedReadings)
            },
            .kept("Moods"), .kept("Pace"), .kept("Character- or Plot-Driven?"),
            .kept("Strong Character Development?"), .kept("Loveable Characters?"),
            .kept("Diverse Characters?"),
            .kept("Flawed Characters?"),
            LayoutColumn("Star Rating", [.rating]) { entry, losses in
                entry.rating(steps: 4, &losses).map { $0.description } ?? ""
            },
            .text("Review", .review), .kept("Content Warnings"), .kept("Content Warning Description"),
            LayoutColumn("Tags", [.shelves]) { entry, _ in
                entry.tagsWithOwnShelf.joined(separator: ", ")
            },
            LayoutColumn("Owned?", [.ownedCopies]) { entry, losses in
                guard let copies = entry.value(of: .ownedCopies) else { return "No" }
                if copies != "1" { losses.lose(.ownedCopies, copies, as: "Yes") }
                return "Yes"
            },
        ])

    private static func formatName(_ format: EditionFormat) -> String {
        switch format {
        case .hardcover: "hardcover"
        case .paperback, .massMarket: "paperback"
        case .ebook: "digital"
        case .audiobook: "audio"
        }
    }

    /// `2025/05/18-2025/05/26`; a reading without a start is the day of its end.
    private static func dates(_ reading: ReadingDates) -> String {
        let (started, finished) = (
            LayoutDate.slashes.text(reading.started), LayoutDate.slashes.text(reading.finished)
        )
        return started.isEmpty ? finished : "\(started)-\(finished)"
    }
}
