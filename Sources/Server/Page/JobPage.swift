import Contract
import Formats
import Queries
import Store

/// A job: how far it is, and what came out.
struct JobPage {
    var name: String
    var status: JobStatusDTO
    /// The latest sentence about it.
    var sentence: String
    /// The job in the store; nil if it has not begun.
    var overview: JobOverview?
    /// The edition that it looks up; nil for imports.
    var edition: ImportOptions.Edition?
    /// The photos of a scan; nil for another job.
    var scan: ScanPanel?
    /// Whether the user may undo it.
    var mayUndo: Bool
    var viewer: PageViewer

    private var isActive: Bool { status.state == .initialized || status.state == .processing }

    /// Whether all records are stored and some wait for services: their books can be seen already.
    private var isWaiting: Bool { isActive && status.resumeAt != nil }

    func document() -> [UInt8] {
        let title =
            if edition != nil {
                isActive ? "Looking up the edition" : "Look-up \(PageText.state(status.state))"
            } else {
                isActive ? "Importing" : "Import \(PageText.state(status.state))"
            }
        return PageFrame(title: title, viewer: viewer, refresh: isWaiting ? 60 : isActive ? 2 : nil)
            .document { html in
                if isActive {
                    writeProgress(&html)
                } else if let edition {
                    write(edition, &html)
                } else if status.state != .completed {
                    if !sentence.isEmpty { html.tag("p", ["class": "failure"], sentence) }
                    if overview?.job.undoneBy == nil {
                        html.tag("p") { html in
                            html.text("Books that are in your library already stay. ")
                            html.tag("a", ["href": "/"], "Upload the file again")
                            html.text(" to import the rest.")
                        }
                    }
                }
                if let overview, edition == nil, !isActive || isWaiting { write(overview, &html) }
            }
    }

    /// What the look-up of an edition has found.
    private func write(_ edition: ImportOptions.Edition, _ html: inout HTML) {
        if status.state != .completed, !sentence.isEmpty { html.tag("p", ["class": "failure"], sentence) }
        let isUndone = overview?.job.undoneBy != nil
        let finding =
            if isUndone {
                "It was undone."
            } else if let overview, overview.job.counts.booksUpdated > 0 {
                "The book has the data of the edition with the ISBN \(edition.isbn) now."
            } else if let overview, overview.job.pending > 0 {
                "A service has not answered. The book has the ISBN \(edition.isbn), and otherwise its former data."
            } else {
                "Nothing new was found. The book has the ISBN \(edition.isbn), and otherwise its former data."
            }
        html.tag("p", ["class": "note", "role": "status"], finding)
        html.tag("p", ["class": "buttons"]) { html in
            guard !isUndone else {
                return html.tag("a", ["class": "button", "href": "/page/library"], "See your library")
            }
            let book = PageLink.book(edition.isbn, in: edition.library)
            html.tag("a", ["class": "button", "href": book], "See the book")
            // It takes the look-up back, too.
            guard mayUndo else { return }
            html.tag(
                "a", ["class": "button quiet", "href": ChangeList.path(edition.change)],
                "Back to the former edition")
        }
    }

    private func writeProgress(_ html: inout HTML) {
        html.tag("div", ["data-stream": "/v1/jobs/\(name)/stream", "class": "progress"]) { html in
            html.tag(
                "progress",
                ["max": "1", "value": "\(status.progress.fraction)", "aria-labelledby": "sentence"], "")
            html.tag("p", ["id": "sentence", "role": "status", "aria-live": "polite"]) { html in
                html.text(sentence)
                guard let resumeAt = status.resumeAt else { return }
                html.text(" until ")
                PageText.moment(resumeAt, &html)
            }
        }
        html.tag("form", ["method": "post", "action": "/page/jobs/\(name)/cancel"]) { html in
            html.tag("button", ["class": "quiet"], "Cancel")
        }
    }

    private func write(_ overview: JobOverview, _ html: inout HTML) {
        let counts = overview.job.counts
        html.tag("dl", ["class": "counts"]) { html in
            for (label, count) in [
                (counts.booksCreated == 1 ? "new book" : "new books", counts.booksCreated),
                ("updated", counts.booksUpdated),
                ("unchanged", counts.duplicatesSkipped), ("set aside", counts.rejected),
                ("wait for services", overview.job.pending),
            ] where count > 0 || label.hasPrefix("new") {
                html.tag("div") { html in
                    html.tag("dt", label)
                    html.tag("dd", "\(count)")
                }
            }
        }
        if overview.job.undoneBy != nil {
            return html.tag("p", ["class": "note"], "It was undone, so its books are not in your library.")
        }
        if overview.openReviews > 0 {
            html.tag("p", ["class": "note"]) { html in
                html.text("\(PageText.count(overview.openReviews, "record")) may be one of several books. ")
                html.tag("a", ["href": MatchesPage.path(of: name)], "Decide which")
            }
        }
        if overview.decidedReviews > 0, mayUndo {
            html.tag("p") { html in
                html.tag(
                    "a", ["href": MatchesPage.path(of: name, isDecided: true)],
                    "See or change \(PageText.count(overview.decidedReviews, "decision"))")
            }
        }
        writeOthers(overview, &html)
        html.tag("p", ["class": "buttons"]) { html in
            html.tag("a", ["class": "button", "href": "/page/library"], "See your library")
            html.tag(
                "a", ["class": "button quiet", "href": "/page/jobs/\(name)/results.json"],
                "Download the results")
            if mayUndo {
                html.tag("a", ["class": "button quiet", "href": ChangeList.path(name)], "Undo this import")
            }
        }
        if !overview.errors.isEmpty { writeErrors(overview, &html) }
        if let scan { scan.write(&html) } else { writeBooks(overview, &html) }
    }

    /// Says that books of other programs are in the library twice now.
    private func writeOthers(_ overview: JobOverview, _ html: inout HTML) {
        let count = overview.others.reduce(0) { $0 + $1.count }
        guard count > 0 else { return }
        let programs = overview.others.map { LibraryFormats.title(of: $0.format) }
        html.tag("p", ["class": "warning"]) { html in
            html.text(
                "\(PageText.count(count, "book")) of this file \(count == 1 ? "is" : "are") in your library twice now: they were there already, from \(programs.joined(separator: ", ")). "
            )
            guard mayUndo else { return }
            html.text("To make one of each, ")
            html.tag("a", ["href": ChangeList.path(name)], "undo this import")
            guard overview.job.counts.totalProcessed > 1 else { return html.text(".") }
            html.text(", and choose “Join with the books of other programs” when you upload the file again.")
        }
    }

    private func writeErrors(_ overview: JobOverview, _ html: inout HTML) {
        html.tag("section", ["aria-labelledby": "errors"]) { html in
            html.tag("h2", ["id": "errors"], "Set aside, or noticed")
            PageTable.write(["Row", "What", "Value", "Why"], caption: nil, into: &html) { rows in
                for error in overview.errors {
                    rows.add([
                        "\(error.row)", error.kind == .reject ? "set aside" : "noticed", error.value ?? "",
                        error.reason,
                    ])
                }
            }
            let more = overview.errorCount - overview.errors.count
            if more > 0 { html.tag("p", ["class": "hint"], "And \(more) more.") }
            guard overview.job.counts.rejected > 0 else { return }
            html.tag("p") { html in
                html.tag(
                    "a", ["class": "button quiet", "href": "/page/jobs/\(name)/errors.csv"],
                    "Download the rows that were set aside")
            }
            html.tag(
                "form",
                [
                    "method": "post", "action": "/page/jobs/\(name)/corrections",
                    "enctype": "multipart/form-data", "class": "inline",
                ]
            ) { html in
                html.tag("label", ["for": "corrected"], "Send the list back after you have corrected it")
                html.open("input", ["type": "file", "id": "corrected", "name": "file", "required": ""])
                html.tag("button", "Import the corrections")
            }
        }
    }

    private func writeBooks(_ overview: JobOverview, _ html: inout HTML) {
        guard !overview.books.isEmpty else { return }
        html.tag("section", ["aria-labelledby": "books"]) { html in
            html.tag("h2", ["id": "books"], "Books")
            let name = overview.job.library
            let library = name == JobOptions.defaultLibrary ? nil : name
            PageTable.write(["Title", "Authors", "ISBN", "Published"], caption: nil, into: &html) { rows in
                for (book, key) in overview.books.map({ ($0.book, $0.key) }) {
                    let links = [0: PageLink.book(book.isbn.isEmpty ? key : book.isbn, in: library)]
                    rows.add(
                        [
                            book.title, book.authors.joined(separator: ", "), book.isbn,
                            book.publishedDate ?? "",
                        ],
                        links: links)
                }
            }
            let more = overview.job.counts.successCount - overview.books.count
            if more > 0 { html.tag("p", ["class": "hint"], "And \(more) more, in your library.") }
        }
    }
}
