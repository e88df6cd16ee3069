import Books
import Jobs
import Queries
import Store
import System

/// A form that changes several books of the library's page: those that are chosen, or all that its filters find.
struct BulkForm {
    /// What the form does with the books.
    enum Action: Sendable, Hashable {
        case change(BulkChange)
        case remove

        /// Uses the library's spelling of a shelf or genre that it has already.
        mutating func takeSpelling(of library: BrowseResult) {
            guard case .change(let change) = self, case .add(let field, let name) = change,
                let known = library.facets[field == .genre ? .genre : .shelf]?.first(where: {
                    BulkChange.isSame($0.name, name)
                })
            else { return }
            self = .change(.add(field, known.name))
        }
    }

    /// The form's id, by which the check boxes of the table belong to it.
    private static let id = "bulk"
    /// Where it is on the page, for links.
    static let place = "several"

    /// What can be changed: the value of the option, and its text.
    static let options: [(value: String, text: String)] =
        ReadingStatus.allCases.map { ("shelf=\($0.rawValue)", "Status: \(EntryPanel.words($0.rawValue))") }
        + stride(from: 5, through: 1, by: -1).map { ("rating=\($0)", "Rating: \($0) of 5 stars") }
        + [
            ("rating=", "No rating"), ("shelves+", "Put on the shelf…"), ("shelves-", "Take from the shelf…"),
            ("genre+", "Add the genre…"), ("genre-", "Remove the genre…"), ("language=", "Language…"),
            ("remove", "Remove from the library"),
        ]

    /// What was sent, and why nothing was changed.
    struct Refused: Sendable, Hashable {
        /// Whether all books that the list finds are meant.
        var isForAll = false
        var change = ""
        var text = ""
        /// Row ids of the chosen entries.
        var chosen: Set<Int64> = []
        var reason = ""
        /// The status of the response.
        var status = 400
    }

    /// The list that the page shows.
    var address: LibraryAddress
    /// Number of entries that it finds.
    var total: Int
    var refused: Refused?

    /// The box that chooses a book.
    func box(_ item: LibraryBrowser.Item) -> PageTable.Box {
        PageTable.Box(
            form: Self.id, name: "entry", value: "\(item.number)", label: "Choose \(item.title)",
            isChecked: refused?.chosen.contains(item.number) == true)
    }

    func write(_ html: inout HTML) {
        html.tag("details", ["id": Self.place, "open": refused == nil ? nil : ""]) { html in
            html.tag("summary", "Change several books")
            if let refused { html.tag("p", ["class": "failure", "role": "alert"], refused.reason) }
            let action = address.path(of: "/page/changes")
            html.tag("form", ["method": "post", "action": action, "id": Self.id, "class": "choices"]) {
                html in
                FormInput.hidden([("total", "\(total)")], &html)
                let isForAll = refused?.isForAll == true
                FormInput.check(
                    "radio", "scope", value: "chosen", "The books that are chosen in the table",
                    isChecked: !isForAll, &html)
                let all = CountText.count(total, "entry", plural: "entries")
                FormInput.check(
                    "radio", "scope", value: "all",
                    address.query.isFiltered ? "All \(all) found" : "All \(all)", isChecked: isForAll,
                    &html)
                FormInput.select("change", "Change", Self.options, chosen: refused?.change, &html)
                html.tag("label", ["for": "text"], "Shelf, genre or language")
                html.open(
                    "input",
                    [
                        "id": "text", "name": "text", "value": refused?.text ?? "",
                        "maxlength": "\(Self.longestText)", "dir": "auto",
                    ])
                html.tag("button", "Change the books")
                html.tag(
                    "p", ["class": "hint"],
                    "You can undo this. Later imports will not change these fields.")
            }
        }
    }

    /// Maximum length of a shelf, genre or language in characters. Each book gets it.
    private static let longestText = 200

    /// What an option means.
    ///
    /// - Parameters:
    ///   - option: Its value.
    ///   - text: The shelf, genre or language that was typed.
    /// - Throws: `.usage` if there is no such option, or the text is missing or no value.
    static func action(_ option: String, _ text: String) throws(ETLError) -> Action {
        guard let known = options.first(where: { $0.value == option })?.value else {
            throw ETLError(.usage, "There is no change `\(option)`.")
        }
        if known == "remove" { return .remove }
        guard let sign = known.firstIndex(where: { "=+-".contains($0) }),
            let field = EditableField(named: String(known[..<sign]))
        else { throw ETLError(.usage, "There is no change `\(option)`.") }
        let value = String(known[known.index(after: sign)...])
        if field == .shelf || field == .rating { return .change(.set(field, try field.values(of: value))) }
        guard text.count <= longestText else {
            throw ETLError(.usage, "\(PageText.words(of: field.name)): at most \(longestText) characters.")
        }
        let values = try field.values(of: text)
        guard values.count == 1, let name = values.first, !name.contains(",") else {
            throw ETLError(.usage, "\(PageText.words(of: field.name)): write one \(Self.word(field)).")
        }
        return switch known[sign] {
        case "+": .change(.add(field, name))
        case "-": .change(.remove(field, name))
        default: .change(.set(field, [name]))
        }
    }

    private static func word(_ field: EditableField) -> String {
        field == .shelves ? "shelf" : field == .genre ? "genre" : "language, such as English"
    }
}

/// Asks whether books are to be removed from a library.
struct BulkRemovalPage {
    /// The list that they were chosen from.
    var address: LibraryAddress
    var library: String
    /// Row ids of the chosen entries; empty for all that the list finds.
    var chosen: [Int64]
    /// Number of books.
    var count: Int
    /// Some of them.
    var examples: [LibraryBrowser.Item]
    var viewer: PageViewer

    func document() -> [UInt8] {
        let books = PageText.count(count, "book")
        return PageFrame(title: "Remove \(books)?", place: .library, viewer: viewer).document { html in
            html.tag(
                "p", "From the library \(library), with your ratings, reviews and notes. You can undo it.")
            html.tag("ul") { html in
                for item in examples {
                    html.tag("li") { html in
                        html.tag(
                            "cite", ["lang": item.language, "dir": "auto"], item.title)
                        html.text(item.authors.isEmpty ? "" : ", \(item.authors.joined(separator: ", "))")
                    }
                }
                if count > examples.count {
                    html.tag("li", "and \(PageText.grouped(count - examples.count)) more")
                }
            }
            let action = address.path(of: "/page/changes")
            html.tag("form", ["method": "post", "action": action]) { html in
                let scope = chosen.isEmpty ? "all" : "chosen"
                FormInput.hidden(
                    [("scope", scope), ("change", "remove"), ("confirmed", "\(count)")]
                        + chosen.map { ("entry", "\($0)") }, &html)
                html.tag("div", ["class": "buttons"]) { html in
                    html.tag("button", "Remove")
                    html.tag("a", ["class": "button quiet", "href": address.path], "Keep them")
                }
            }
        }
    }
}
