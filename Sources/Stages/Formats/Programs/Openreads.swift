package import Books
import Bytes

/// Openreads' export.
///
/// Tags are separated by `|||||`. A reading is `start|finish|milliseconds`; several are separated by `;`. The
/// author cell is a list of names, or one name with the family name first (`Smith, Mark`).
package struct Openreads: TabularFormat {
    package let name = "openreads"

    package init() {}

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readTitle(of: &row)
        rows.readSubtitle(of: &row)
        readAuthors(of: &row, in: &rows)
        rows.readFormat(of: &row)
        let times = rows.cell(.dateRead, of: row)
        if !times.isEmpty {
            let last = rows.arena.withBytes(times) {
                DateRanges($0, rows.columns.dateOrder, separator: UInt8(ascii: ";"), dash: UInt8(ascii: "|"))
            }
            rows.read(.dateStarted, as: last.started.map { times.part($0) } ?? .none, of: &row)
            rows.read(.dateRead, as: last.finished.map { times.part($0) } ?? .none, of: &row)
            if last.count > 1 {
                rows.readEarlier(DateRanges.all(rows.arena[times], separator: ";", dash: "|"), of: &row)
            }
        }
        readTags(of: &row, in: &rows)
        rows.readShelf(of: &row)
        rows.readRating(of: &row)
        rows.checkDatesAndCounts(of: &row)
        rows.readKind(of: &row)
        if let deleted = rows.columns.names.firstIndex(of: "deleted"), deleted < row.cells.count,
            rows.arena.withBytes(
                rows.cells[row.cells.lowerBound + deleted], { $0.elementsEqual("true".utf8) })
        {
            row.refusal = .deletedAtSource
        }
    }

    package func readings(
        of row: LibraryRow, in rows: LibraryRows
    ) -> [(started: String, finished: String)] {
        let listed = rows.columns[.dateRead].map { rows.arena[rows.cell(column: $0, of: row)] } ?? ""
        return DateRanges.all(listed, separator: ";", dash: "|")
    }

    private func readAuthors(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let authors = rows.cell(.author, of: row)
        if rows.arena.withBytes(authors, { PersonName.beginsWithFamilyName($0) }) {
            rows.addPerson(rows.readingOrder(of: authors), to: &row)
        } else {
            rows.readNames(authors, in: .author, of: &row)
        }
    }

    private func readTags(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let tags = rows.cell(.shelves, of: row)
        guard rows.arena.withBytes(tags, { $0.contains(UInt8(ascii: "|")) }) else { return }
        let list = rows.arena[tags].split(separator: "|").joined(separator: ", ")
        rows.read(.shelves, as: rows.arena.append(list), of: &row)
    }

    package static let columns = FormatColumns(
        [
            .common(.title, "title"), .common(.subtitle, "subtitle"), .common(.author, "author"),
            .common(.exclusiveShelf, "status"),
            .distinctive(nil, "favourite"), .distinctive(nil, "deleted"), .common(.rating, "rating"),
            .common(.pageCount, "pages"), .common(.yearPublished, "publication year"),
            .common(.isbn13, "isbn"),
            .distinctive(.sourceID, "olid"), .common(.shelves, "tags"), .common(.review, "my review"),
            .common(.privateNotes, "notes"), .distinctive(.binding, "book format"),
            .distinctive(.dateRead, "readings", "finish date"), .common(.dateStarted, "start date"),
            .common(.dateAdded, "date added"), .distinctive(nil, "date modified", "reading time"),
        ],
        unmapped: [
            "description", "work olid", "cover blurhash", "cover image",
        ])
}

/// Openreads knows half stars, all readings and no original year. Everybody is an author.
extension Openreads {
    static let layout = TableLayout(
        "openreads", "Openreads",
        [
            LayoutColumn("title", [.title, .copies]) { entry, _ in entry[.title] }, .kept("subtitle"),
            LayoutColumn("author", [.authors]) { entry, losses in
                let names = entry.commaSeparatedAuthors(&losses)
                // Two names of which the first is one word are read as one name, its family name first.
                if entry.authors.count == 2, entry.authors.first?.contains(" ") == false {
                    losses.lose(.authors, names, as: entry.authors.reversed().joined(separator: " "))
                }
                return names
            },
            .kept("description"),
            LayoutColumn("status", [.shelf]) { entry, losses in
                entry.statusOrTag(statusName, paused: "in_progress", &losses)
            },
            LayoutColumn("favourite", []) { _, _ in "false" },
            LayoutColumn("deleted", []) { _, _ in "false" },
            LayoutColumn("rating", [.rating]) { entry, losses in
                entry.rating(steps: 2, &losses).map(LibraryEntry.spelled) ?? ""
            },
            .text("pages", .pageCount),
            LayoutColumn("publication_year", [.publishedDate]) { entry, losses in
                entry.publicationYear(&losses)
            },
            .text("isbn", .isbn), .kept("olid"),
            LayoutColumn("tags", [.shelves]) { entry, _ in
                entry.tagsWithOwnShelf.joined(separator: "|||||")
            },
            .text("my_review", .review), .text("notes", .notes),
            LayoutColumn("book_format", [.format]) { entry, losses in
                switch entry.format {
                case .hardcover: return "hardcover"
                case .ebook: return "ebook"
                case .audiobook: return "audiobook"
                case .paperback: return "paperback"
                case .massMarket:
                    losses.lose(.format, EditionFormat.massMarket.contractName, as: "paperback")
                    return "paperback"
                case nil: return ""
                }
            },
            LayoutColumn("readings", [.dateRead, .dateStarted, .earlierReadings]) { entry, losses in
                entry.readings.enumerated().map { number, reading in
                    let isLast = number == entry.readings.count - 1
                    let started = time(reading.started, isLast ? .dateStarted : .earlierReadings, &losses)
                    let finished = time(reading.finished, isLast ? .dateRead : .earlierReadings, &losses)
                    return "\(started)|\(finished)|"
                }.filter { $0 != "||" }.joined(separator: ";")
            },
            .date("date_added", .dateAdded, .startOfDay) { $0[.dateAdded] },
            LayoutColumn("date_modified", []) { entry, _ in LayoutDate.startOfDay.text(entry[.dateAdded]) },
        ])

    private static func statusName(_ status: ReadingStatus) -> String {
        switch status {
        case .read: "finished"
        case .reading, .paused: "in_progress"
        case .toRead: "planned"
        case .notFinished: "abandoned"
        }
    }

    /// The beginning of a day. Reports a date without a day as lost, and returns an empty text.
    private static func time(_ date: String, _ field: EntryField, _ losses: inout EntryLosses) -> String {
        let written = LayoutDate.startOfDay.text(date)
        if written.isEmpty { losses.lose(field, date) }
        return written
    }
}
