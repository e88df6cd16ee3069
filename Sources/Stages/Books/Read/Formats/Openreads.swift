import Bytes

/// Openreads' export.
///
/// Tags are parted by `|||||`; a reading is `start|finish|milliseconds`, several parted by `;`. An author is a list
/// of names, or one with the family name first (`Smith, Mark`).
package struct Openreads: TabularFormat {
    package let name = "openreads"

    package init() {}

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readTitle(of: &row)
        readAuthors(of: &row, in: &rows)
        rows.readFormat(of: &row)
        let times = rows.cell(.dateRead, of: row)
        if !times.isEmpty {
            let last = rows.arena.withBytes(times) {
                DateRanges($0, rows.columns.dateOrder, separator: UInt8(ascii: ";"), dash: UInt8(ascii: "|"))
            }
            rows.read(.dateStarted, as: last.started.map { times.part($0) } ?? .none, of: &row)
            rows.read(.dateRead, as: last.finished.map { times.part($0) } ?? .none, of: &row)
        }
        readTags(of: &row, in: &rows)
        rows.readShelf(of: &row)
        rows.readRating(of: &row)
        rows.checkDatesAndCounts(of: &row)
        rows.setAsideWhatIsNoBook(&row)
        if let deleted = rows.columns.names.firstIndex(of: "deleted"), deleted < row.cells.count,
            rows.arena.withBytes(
                rows.cells[row.cells.lowerBound + deleted], { $0.elementsEqual("true".utf8) })
        {
            row.refusal = .deletedAtSource
        }
    }

    private func readAuthors(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let authors = rows.cell(.author, of: row)
        let isOneInverted = rows.arena.withBytes(authors) { bytes in
            guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")), PersonName.inversion(bytes) != nil
            else {
                return false
            }
            return !bytes[(comma + 1)...].contains(UInt8(ascii: ","))
                && !bytes[bytes.trimmedBlanks(in: 0..<comma)].contains(UInt8(ascii: " "))
        }
        if isOneInverted {
            let name = rows.readingOrder(of: authors)
            rows.addPerson(name, to: &row)
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

    package static let columns = ProfileColumns([
        .usual(.title, "title"), .usual(.author, "author"), .usual(.exclusiveShelf, "status"),
        .telling(nil, "favourite"), .telling(nil, "deleted"), .usual(.rating, "rating"),
        .usual(.pageCount, "pages"), .usual(.yearPublished, "publication year"), .usual(.isbn13, "isbn"),
        .telling(.sourceID, "olid"), .usual(.shelves, "tags"), .usual(.review, "my review"),
        .usual(.privateNotes, "notes"), .telling(.binding, "book format"),
        .telling(.dateRead, "readings", "finish date"), .usual(.dateStarted, "start date"),
        .usual(.dateAdded, "date added"), .telling(nil, "date modified", "reading time"),
    ])
}
