import Books
import Contract
import Queries

/// A book: what it is, what the user thinks of it, its editions, and where every value comes from.
struct BookPage {
    var explanation: Explanation
    /// The user's own rows of the book.
    var entries: [(entry: Explanation.Entry, row: LibraryEntry)]
    var form: CorrectionForm
    /// The rejected change to an entry, if any.
    var refused: EntryForm.Refused?
    /// The job that has changed the book just now; nil if none has.
    var changed: String?
    var history: BookChanges
    /// Other books of the author in the library.
    var related = RelatedBooks()
    /// Books of other authors or series that are similar.
    var similar: [SimilarBook] = []
    /// Whether links name the library of their book, for those who see several.
    var namesLibrary = false
    /// Whether the user may undo changes.
    var mayUndo: Bool
    var viewer: PageViewer

    /// Genres that are shown.
    private static let mostGenres = 12

    func document() -> [UInt8] {
        let title = explanation.title
        // As lists name it.
        let name = title?.text ?? edition?.text(.isbn13).map { "ISBN \($0)" } ?? "Book"
        return PageFrame(title: name, language: language, viewer: viewer).document { html in
            if let changed {
                html.tag("p", ["class": "note", "role": "status"]) { html in
                    html.text("Saved. ")
                    html.tag("a", ["href": ChangeList.path(changed)], "Undo")
                }
            }
            html.tag("div", ["class": "book"]) { html in
                let cover = edition.flatMap { edition in
                    viewer.covers?.address(
                        of: CoverName.of(isbn: edition.text(.isbn13).flatMap { Int64($0) }, key: edition.key))
                }
                PageText.cover(title?.text ?? "?", at: cover, &html)
                html.tag("div") { html in writeFacts(original: title?.original, &html) }
            }
            for remark in explanation.remarks { html.tag("p", ["class": "warning"], remark) }
            for (index, (entry, row)) in entries.enumerated() {
                let form =
                    mayUndo
                    ? EntryForm(entry: entry, row: row, number: index + 1, book: form.id, refused: refused)
                    : nil
                EntryPanel(entry: entry, row: row, form: form).write(&html)
            }
            form.write(&html)
            writeDescription(&html)
            writeEditions(&html)
            writeRelated(&html)
            writeSimilar(&html)
            history.write(mayUndo: mayUndo, &html)
            writeOrigins(&html)
        }
    }

    /// The edition at hand: that of the first entry, else the first one.
    private var edition: Explanation.Part? {
        explanation.editions.first { $0.key == explanation.entries.first?.edition }
            ?? explanation.editions.first
    }

    /// The language of the title.
    private var language: String? { edition?.text(.language) }

    private func writeFacts(original: String?, _ html: inout HTML) {
        if let original {
            html.tag("p", ["class": "byline"]) { html in
                html.text("Original title: ")
                html.tag("bdi", original)
            }
        }
        if !explanation.authors.isEmpty {
            html.tag("p", ["class": "people"], explanation.authors.map(Self.words).joined(separator: ", "))
        }
        let series = explanation.work?.fields.first { $0.field == .seriesName }?.values ?? []
        if !series.isEmpty { html.tag("p", "Series: \(series.joined(separator: "; "))") }
        let facts = [
            explanation.work?.text(.firstPublicationYear).map { "First published in \($0)" },
            edition.flatMap(Self.imprint),
        ].compactMap(\.self)
        if !facts.isEmpty { html.tag("p", ["class": "hint"], facts.joined(separator: " · ")) }
        let genres = explanation.work?.fields.first { $0.field == .genre }?.values ?? []
        guard !genres.isEmpty else { return }
        html.tag("p", ["class": "genres"]) { html in
            for genre in genres.prefix(Self.mostGenres) { html.tag("span", genre) }
        }
    }

    /// The name of a person, with a role other than author.
    private static func words(_ person: Explanation.Person) -> String {
        let name = person.author.name
        return person.role == .author ? name : "\(name) (\(PageText.words(of: "\(person.role)")))"
    }

    /// An edition in a line: `Ace, 1990-09-01, Paperback, 535 pages, en`.
    private static func imprint(_ edition: Explanation.Part) -> String? {
        let format = edition.fields.first { $0.field == .format && $0.rule != .assumed }?.values.first
        let parts = [
            edition.text(.publisher), edition.text(.publicationDate), format,
            edition.text(.pageCount).map { "\($0) pages" }, edition.text(.language),
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private func writeDescription(_ html: inout HTML) {
        guard let text = edition?.text(.editionDescription) ?? explanation.work?.text(.description) else {
            return
        }
        html.tag("h2", "Description")
        html.tag("div", ["class": "review", "dir": "auto"]) { ReviewText(text).write(&$0) }
    }

    private func writeEditions(_ html: inout HTML) {
        let editions = explanation.editions
        guard !editions.isEmpty else { return }
        html.tag("h2", editions.count == 1 ? "Edition" : "Editions")
        html.tag("ul", ["class": "list"]) { html in
            for edition in editions {
                html.tag("li") { html in
                    let title = edition.text(.editionTitle) ?? explanation.title?.text ?? ""
                    html.tag("bdi", ["class": "title"], title)
                    let isbn = edition.text(.isbn13).map { "ISBN \($0)" }
                    let words = [Self.imprint(edition), isbn].compactMap(\.self).joined(separator: " · ")
                    html.tag("span", ["class": "hint"], words)
                }
            }
        }
    }

    private func writeRelated(_ html: inout HTML) {
        for series in related.series {
            html.tag("h2") { html in
                html.text("More of ")
                html.tag("bdi", series.name)
            }
            CoverList(items: series.items, namesLibrary: namesLibrary, covers: viewer.covers).write(&html) {
                item in
                item.number(in: series.name).flatMap { $0.isEmpty ? nil : "#\($0)" }
            }
        }
        guard !related.others.isEmpty, let author = related.others.first?.authors.first else { return }
        html.tag("h2") { html in
            html.text("More by ")
            html.tag("bdi", author)
        }
        CoverList(items: related.others, namesLibrary: namesLibrary, covers: viewer.covers).write(&html)
    }

    private func writeSimilar(_ html: inout HTML) {
        guard !similar.isEmpty else { return }
        html.tag("h2", "Similar books")
        html.tag("ul", ["class": "list"]) { html in
            for similar in similar {
                html.tag("li") { html in
                    let work = similar.book.work
                    let link = PageLink.book(work.id, in: namesLibrary ? form.library : nil)
                    html.tag("a", ["class": "title", "href": link]) { $0.tag("bdi", work.title) }
                    let authors = similar.book.authors.map(\.name).joined(separator: ", ")
                    let words = [authors, similar.shared.sentence].filter { !$0.isEmpty }
                    html.tag("span", ["class": "hint"], words.joined(separator: " · "))
                }
            }
        }
    }

    // MARK: Origins

    private func writeOrigins(_ html: inout HTML) {
        html.tag("details") { html in
            html.tag("summary", "Where each value comes from")
            if let work = explanation.work { write(work, "Work", &html) }
            for edition in explanation.editions { write(edition, "Edition", &html) }
        }
    }

    private func write(_ part: Explanation.Part, _ heading: String, _ html: inout HTML) {
        html.tag("h3", heading)
        PageTable.write(["Value of", "Value", "Comes from"], caption: nil, into: &html) { rows in
            for field in part.fields where !field.values.isEmpty {
                rows.add([
                    PageText.words(of: field.field.name), field.values.joined(separator: "; "),
                    Self.origin(of: field),
                ])
            }
        }
    }

    /// Where a value comes from, and why it was taken if a provider gave it.
    private static func origin(of field: Explanation.FieldTrace) -> String {
        guard let source = field.source else { return field.reason ?? "" }
        let reason = if case .provider = source { field.reason } else { String?.none }
        return [words(source), reason].compactMap(\.self).joined(separator: ". ")
    }

    private static func words(_ source: Explanation.Source) -> String {
        switch source {
        case .provider(let provider, let record, let match):
            "\(provider.contractName) \(record), by \(match.name)"
        case .row(_, let formatName, let sourceID): "your file (\(PageText.record(formatName, sourceID)))"
        case .otherLibrary: "another user's file"
        case .user: "a correction"
        }
    }
}
