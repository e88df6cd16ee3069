import Books
import Jobs
import Queries
import Store
import System

/// A form for what the user has noted about a book: rating, status, shelves, days, review, notes, each filled in.
///
/// It sends each value beside the one that was shown, so only what the user has changed is set.
struct EntryForm {
    /// What was sent and cannot be used, and why.
    struct Refused: Sendable, Hashable {
        var id: EditableBook.EntryID
        var library: String
        var values: [EditableField: String]
        var reason: String
        /// The status of the response.
        var status = 400
    }

    /// The fields in their order.
    static let fields: [EditableField] = [
        .rating, .shelf, .shelves, .dateStarted, .dateRead, .review, .notes,
    ]
    /// The name of the value that was shown: `was.rating`.
    static func shownName(_ field: EditableField) -> String { "was.\(field.name)" }

    var entry: Explanation.Entry
    var row: LibraryEntry
    /// Place of the entry on the page, which makes the names of its inputs unique.
    var number: Int
    /// The book, as links name it.
    var book: String
    var refused: Refused?

    /// What names the entry in its library.
    var id: EditableBook.EntryID {
        EditableBook.EntryID(formatName: entry.formatName, sourceID: entry.sourceID)
    }

    func write(_ html: inout HTML) {
        let refused = refused.flatMap { $0.id == id && $0.library == entry.library ? $0 : nil }
        html.tag("details", ["open": refused == nil ? nil : ""]) { html in
            html.tag("summary", "Change rating, status, shelves, dates, review or notes; remove the book")
            if let refused { html.tag("p", ["class": "failure", "role": "alert"], refused.reason) }
            html.tag("form", ["method": "post", "action": "/page/entry", "class": "choices"]) { html in
                FormInput.hidden(
                    [
                        ("id", book), ("entry", entry.sourceID), ("format", entry.formatName),
                        ("library", entry.library),
                    ], &html)
                for field in Self.fields {
                    let shown = shown(field)
                    FormInput.hidden([(Self.shownName(field), shown)], &html)
                    write(
                        field, refused?.values[field] ?? shown, isRefused: refused?.values[field] != nil,
                        &html)
                }
                html.tag("button", "Save")
            }
            // The next page asks before it removes anything.
            let action = PageLink.path("/page/changes", [("library", entry.library)])
            html.tag("form", ["method": "post", "action": action, "class": "choices"]) { html in
                FormInput.hidden(
                    [("scope", "chosen"), ("change", "remove"), ("entry", "\(entry.id)")], &html)
                html.tag("button", ["class": "quiet"], "Remove from the library…")
            }
        }
    }

    /// The value of a field as the form shows it.
    func shown(_ field: EditableField) -> String {
        switch field {
        case .rating: entry.rating.map(LibraryEntry.spelled) ?? ""
        case .shelf: entry.shelf ?? ""
        case .shelves: row.tags.joined(separator: "; ")
        case .dateStarted: row.value(of: .dateStarted) ?? ""
        case .dateRead: entry.dateRead ?? ""
        case .review: row.value(of: .review) ?? ""
        case .notes: row.value(of: .notes) ?? ""
        default: ""
        }
    }

    private func write(
        _ field: EditableField, _ value: String, isRefused: Bool, _ html: inout HTML
    ) {
        let id = "\(field.name)-\(number)"
        func select(_ options: [(value: String, text: String)]) {
            // A stored value can be none of the usual ones.
            let own = options.contains { $0.value == value } ? [] : [(value: value, text: value)]
            FormInput.select(field.name, Self.label(field), options + own, chosen: value, id: id, &html)
        }
        switch field {
        case .rating:
            let stars = stride(from: 0.5, through: 5, by: 0.5).map { LibraryEntry.spelled($0) }
            return select([("", "no rating")] + stars.map { ($0, "\($0) of 5 stars") })
        case .shelf:
            let statuses = ReadingStatus.allCases.map { ($0.rawValue, EntryPanel.words($0.rawValue)) }
            return select([("", "no reading status")] + statuses)
        default: html.tag("label", ["for": id], Self.label(field))
        }
        switch field {
        case .review, .notes:
            html.tag("textarea", ["id": id, "name": field.name, "rows": "6", "dir": "auto"]) { html in
                // The first line end of a text area is not part of its text.
                html.text("\n" + value)
            }
        case .dateStarted, .dateRead:
            // A browser's calendar knows only whole days, and shows nothing for other texts.
            let isDay =
                !isRefused
                && (value.isEmpty || CalendarDate(value)?.description == value && value.utf8.count == 10)
            html.open(
                "input", ["id": id, "name": field.name, "type": isDay ? "date" : "text", "value": value])
        default:
            html.open("input", ["id": id, "name": field.name, "value": value, "dir": "auto"])
        }
    }

    /// Rejects reading dates in the future or before 1900.
    ///
    /// - Parameter now: Milliseconds since 1970-01-01 UTC.
    /// - Throws: `.usage` for such a date.
    static func check(_ field: EditableField, _ values: [String], now: Int64) throws(ETLError) {
        guard field == .dateStarted || field == .dateRead, let text = values.first,
            let day = CalendarDate(text)
        else { return }
        // Somewhere it is tomorrow already.
        if let latest = CalendarDate.tomorrow(of: now), day > latest {
            throw ETLError(.usage, "`\(text)` is in the future.", advice: "Enter the day on which it was.")
        }
        if text < "1900" {
            throw ETLError(
                .usage, "`\(text)` is long ago.", advice: "Enter a year with four digits, such as 2026.")
        }
    }

    /// The name of a field in the form.
    static func label(_ field: EditableField) -> String {
        switch field {
        case .rating: "Rating"
        case .shelf: "Status"
        case .shelves: "Shelves, separated by semicolons"
        case .dateStarted: "Started"
        case .dateRead: "Finished"
        case .review: "Review"
        case .notes: "Private notes"
        default: PageText.words(of: field.name)
        }
    }
}
