import Books
import Queries
import Store

/// What the user has noted about a book: rating, readings, shelves, review, notes.
struct EntryPanel {
    var entry: Explanation.Entry
    var row: LibraryEntry
    /// The form that changes it; nil for users who may not.
    var form: EntryForm?

    func write(_ html: inout HTML) {
        html.tag("section", ["class": "panel"]) { html in
            html.tag("h2", "In your library")
            html.tag("p") { html in
                if let rating = entry.rating { Self.writeStars(rating, &html) }
                html.text(Self.words(entry.shelf))
            }
            html.tag("dl", ["class": "facts"]) { html in
                Self.fact("Read", row.readings.map(Self.words).filter { !$0.isEmpty }, &html)
                Self.fact("Times read", [row.value(of: .readCount)].compactMap(\.self), &html)
                Self.fact("Added", [row.value(of: .dateAdded)].compactMap(\.self), &html)
                Self.fact("Shelves", row.tags, &html)
                Self.fact("Copies", [row.value(of: .ownedCopies)].compactMap(\.self), &html)
                Self.fact("From", [PageText.record(entry.formatName, entry.sourceID)], &html)
                if entry.library != JobOptions.defaultLibrary { Self.fact("Library", [entry.library], &html) }
            }
            if let review = row.value(of: .review) {
                writeText(review, "Your review", isFolded: row.value(of: .spoiler) != nil, &html)
            }
            if let notes = row.value(of: .notes) { writeText(notes, "Your notes", isFolded: false, &html) }
            form?.write(&html)
        }
    }

    static func writeStars(_ rating: Double, _ html: inout HTML) {
        let full = Int(rating)
        let signs = String(repeating: "★", count: full) + (rating > Double(full) ? "½" : "")
        html.tag("span", ["class": "stars", "aria-hidden": "true"], signs)
        html.text(" \(PageText.rating(rating)) of 5 stars. ")
    }

    /// The reading status in words, or the user's own shelf.
    static func words(_ shelf: String?) -> String {
        guard let shelf, !shelf.isEmpty else { return "No reading status" }
        return switch ReadingStatus(rawValue: shelf) {
        case .read: "Read"
        case .reading: "Reading now"
        case .toRead: "To read"
        case .notFinished: "Not finished"
        case .paused: "Paused"
        case nil: shelf
        }
    }

    private static func words(_ reading: ReadingDates) -> String {
        switch (reading.started, reading.finished) {
        case ("", let end): end
        case (let start, ""): "from \(start)"
        case (let start, let end): "\(start) to \(end)"
        }
    }

    private static func fact(_ name: String, _ values: [String], _ html: inout HTML) {
        guard !values.isEmpty else { return }
        html.tag("dt", name)
        html.tag("dd", values.joined(separator: "; "))
    }

    private func writeText(_ text: String, _ heading: String, isFolded: Bool, _ html: inout HTML) {
        html.tag("h3", heading)
        guard isFolded else {
            return html.tag("div", ["class": "review", "dir": "auto"]) { ReviewText(text).write(&$0) }
        }
        html.tag("details", ["class": "spoiler"]) { html in
            html.tag("summary", "It tells the plot")
            html.tag("div", ["class": "review", "dir": "auto"]) { ReviewText(text).write(&$0) }
        }
    }
}
