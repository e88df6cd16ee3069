package import Books
import Bytes

/// Hardcover's export: 37 columns, as documented by importers and exporters in public repositories (2025).
///
/// `Author` names all people with their roles in brackets (`Roberto Bolaño, Natasha Wimmer (Translator)`).
/// `Series` has the number in brackets (`2666 (#1.0)`). If `Binding` is empty, `Media` distinguishes books
/// from recordings.
package struct Hardcover: TabularFormat {
    package let name = "hardcover"

    package init() {}

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.read(.binding, orFrom: ["Media"], of: &row)
        readLists(of: &row, in: &rows)
        rows.readTitle(of: &row)
        rows.readSubtitle(of: &row)
        rows.readBracketedSeries(of: &row)
        readPeople(of: &row, in: &rows)
        rows.readFormat(of: &row)
        rows.readLanguage(of: &row)
        rows.readSubjects(of: &row)
        rows.readShelf(of: &row)
        rows.readRating(of: &row)
        rows.readYesNo(.ownedCopies, of: &row)
        rows.checkDatesAndCounts(of: &row)
        rows.readKind(of: &row)
    }

    /// Lists without the book's place in them (`Owned, Favorites (#19)`), and the user's tags.
    private func readLists(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let lists = rows.cell(.shelves, of: row)
        if rows.arena.withBytes(lists, { $0.contains(UInt8(ascii: "#")) }) {
            let names = rows.arena[lists].split(separator: ",").map { list in
                let place = list.hasSuffix(")") ? list.ranges(of: " (#").last : nil
                return String(place.map { list[..<$0.lowerBound] } ?? list)
            }
            rows.read(.shelves, as: rows.arena.append(names.joined(separator: ",")), of: &row)
        }
        rows.read(.shelves, addingFrom: ["Tags"], separator: ", ", of: &row)
    }

    /// All people are in one cell. The author is the first one without another role.
    private func readPeople(of row: inout LibraryRow, in rows: inout LibraryRows) {
        row.people = rows.people.count..<rows.people.count
        rows.readNames(
            rows.cell(.author, of: row), in: .author, separator: UInt8(ascii: ","), of: &row)
        rows.putAuthorFirst(of: row)
    }

    package static let columns = FormatColumns(
        [
            .common(.title, "title"), .common(.subtitle, "subtitle"), .common(.author, "author"),
            .common(.series, "series"), .distinctive(.sourceID, "hardcover book id"),
            .distinctive(nil, "hardcover edition id"), .common(.isbn10, "isbn 10", "isbn10"),
            .common(.isbn13, "isbn 13", "isbn13"), .common(.binding, "binding", "media"),
            .common(.pageCount, "pages"), .common(.yearPublished, "publish date", "release date"),
            .common(.publisher, "publisher"), .common(.language, "language code", "language"),
            .common(.subjects, "genres"), .common(.dateAdded, "date added"),
            .common(.exclusiveShelf, "status"), .common(.rating, "rating"), .common(.review, "review"),
            .common(.spoiler, "review contains spoilers"), .common(.privateNotes, "private notes"),
            .common(.dateStarted, "date started"), .common(.dateRead, "date finished"),
            .common(.readCount, "read count"), .common(.ownedCopies, "owned"),
            .common(.shelves, "lists", "tags"), .additional(.shelves, "tags"),
            .additional(.binding, "media"), .common(.asin, "asin"),
        ],
        unmapped: [
            "privacy", "country code", "duration in seconds", "moods", "content warnings",
            "sponsored review", "review date", "review url", "review media url", "compilation",
            "review slate",
        ])
}

/// Hardcover knows half stars and one reading. A shelf of your own becomes a list.
extension Hardcover {
    static let layout = TableLayout(
        "hardcover", "Hardcover",
        [
            .text("Title", .title),
            LayoutColumn("Author", [.authors, .contributors]) { entry, _ in
                (entry.authors + entry.helpers.map { "\($0.name) (\(LayoutText.role($0.role)))" })
                    .joined(separator: ", ")
            },
            LayoutColumn("Series", [.series]) { entry, losses in
                // Only the number in brackets shows where one series ends and the next begins.
                let numbered = entry.series.filter { !$0.number.isEmpty }
                let kept = numbered.isEmpty ? Array(entry.series.prefix(1)) : numbered
                for series in entry.series where !kept.contains(series) { losses.lose(.series, series.text) }
                return kept.map { series in
                    // These signs separate series.
                    let name = series.name.replacing(";", with: "").replacing(",", with: "")
                    let number = series.number.isEmpty ? "" : " (#\(series.number))"
                    if name != series.name { losses.lose(.series, series.text, as: name + number) }
                    return name + number
                }.joined(separator: ", ")
            },
            LayoutColumn("Status", [.shelf]) { entry, losses in
                entry.statusOrTag(statusName, calling: "list", &losses)
            },
            .kept("Privacy"), .kept("Hardcover Book ID"), .kept("Hardcover Edition ID"),
            LayoutColumn("ISBN 10", []) { entry, _ in LayoutText.isbn10(entry[.isbn]) },
            .text("ISBN 13", .isbn), .text("ASIN", .asin),
            LayoutColumn("Media", []) { entry, _ in
                switch entry.format {
                case .audiobook: "Audiobook"
                case .ebook: "Ebook"
                case .hardcover, .paperback, .massMarket: "Book"
                case nil: ""
                }
            },
            .kept("Country Code"), .text("Language Code", .language),
            LayoutColumn("Binding", [.format]) { entry, _ in entry.format.map(bindingName) ?? "" },
            .text("Pages", .pageCount), .kept("Duration in Seconds"), .text("Publish Date", .publishedDate),
            .text("Publisher", .publisher),
            LayoutColumn("Genres", [.categories]) { entry, losses in
                entry.subjects(separator: ", ", &losses)
            },
            .kept("Moods"), .kept("Tags"), .kept("Content Warnings"),
            LayoutColumn("Lists", [.shelves]) { entry, _ in
                entry.tagsWithOwnShelf.joined(separator: ", ")
            },
            .date("Date Added", .dateAdded, .dashes) { $0[.dateAdded] },
            .date("Date Started", .dateStarted, .dashes) { $0.readings.last?.started ?? "" },
            .date("Date Finished", .dateRead, .dashes) { $0.lastFinished },
            LayoutColumn("Rating", [.rating]) { entry, losses in
                entry.rating(steps: 2, &losses).map(LibraryEntry.spelled) ?? ""
            },
            .text("Review", .review),
            LayoutColumn("Review Contains Spoilers", [.spoiler]) { entry, _ in
                entry.value(of: .spoiler) ?? "false"
            },
            .kept("Sponsored Review"), .kept("Review Date"), .kept("Review URL"), .kept("Review Media URL"),
            .text("Private Notes", .notes),
            LayoutColumn("Owned", [.ownedCopies]) { entry, losses in
                guard let copies = entry.value(of: .ownedCopies) else { return "false" }
                if copies != "1" { losses.lose(.ownedCopies, copies, as: "true") }
                return "true"
            },
            .kept("Compilation"), .kept("Review Slate"),
        ])

    private static func statusName(_ status: ReadingStatus) -> String {
        switch status {
        case .read: "Read"
        case .reading: "Currently Reading"
        case .toRead: "Want to Read"
        case .notFinished: "Did Not Finish"
        case .paused: "Paused"
        }
    }

    private static func bindingName(_ format: EditionFormat) -> String {
        switch format {
        case .hardcover: "Hardcover"
        case .paperback: "Paperback"
        case .massMarket: "Mass Market Paperback"
        case .ebook: "Ebook"
        case .audiobook: "Audiobook"
        }
    }
}
