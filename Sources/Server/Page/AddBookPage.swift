import Books
import Queries
import Store
import System

/// A form for one book that is in no file: its ISBN, or its title and author.
struct AddBookPage {
    /// What was typed.
    struct Entered: Sendable, Hashable {
        var isbn = ""
        var title = ""
        var author = ""
        /// The status as the form names it; empty for none.
        var shelf = ""
        var library = ""
        /// The form that was sent: the same one again adds nothing more.
        var form = ""
    }

    /// The statuses that a book can get, as imports know them and in words.
    static let shelves: [(value: String, text: String)] =
        [("", "No reading status")]
        + ReadingStatus.allCases.map { ($0.rawValue, EntryPanel.words($0.rawValue)) }

    var entered = Entered()
    /// Why the input cannot be used; nil if nothing was sent yet.
    var refusal: String?
    /// The book in the library that matches the input, if any.
    var known: LibraryBrowser.Item?
    /// The job that adds such a book now, if any.
    var addedBy: String?
    /// The libraries that the book can be added to, and the one that is meant.
    var choice: LibraryChoice
    var viewer: PageViewer

    func document() -> [UInt8] {
        PageFrame(title: "Add a book", place: .library, viewer: viewer).document { html in
            if let refusal { html.tag("p", ["class": "failure", "role": "alert"], refusal) }
            html.tag("form", ["method": "post", "action": "/page/add", "class": "choices"]) { html in
                FormInput.hidden([("form", entered.form)], &html)
                if let known { write(known, &html) }
                if let addedBy { write(addedBy: addedBy, &html) }
                Self.input("isbn", "ISBN, with or without hyphens", entered.isbn, &html)
                // Shown by the script where the browser can read barcodes.
                html.tag("div", ["class": "buttons", "data-scan": "isbn", "hidden": ""]) { html in
                    html.tag("button", ["type": "button", "class": "quiet"], "Scan the barcode")
                    html.tag("p", ["class": "hint", "role": "status"], "")
                }
                html.tag(
                    "p", ["class": "hint"],
                    "If the book has no ISBN, enter its title and, if you know it, the author.")
                Self.input("title", "Title", entered.title, &html)
                Self.input("author", "Author", entered.author, &html)
                FormInput.select("shelf", "Status", Self.shelves, chosen: entered.shelf, &html)
                if choice.isOpen {
                    FormInput.select(
                        "library", "Library", choice.libraries.map { ($0.name, $0.name) },
                        chosen: choice.current, &html)
                }
                html.tag("button", "Add")
            }
        }
    }

    /// Says that the library has the book, and asks whether it is to be added nevertheless.
    private func write(_ known: LibraryBrowser.Item, _ html: inout HTML) {
        html.tag("div", ["class": "warning", "role": "alert"]) { html in
            html.tag("p") { html in
                html.text("You have this book already: ")
                html.tag("a", ["href": known.path(namesLibrary: choice.isOpen)]) { html in
                    html.tag("cite", ["lang": known.language, "dir": "auto"], known.title)
                }
                html.text(". There you can change its status, rating and shelves.")
            }
            Self.writeCopy(&html)
        }
    }

    /// Says that the book is being added.
    private func write(addedBy job: String, _ html: inout HTML) {
        html.tag("div", ["class": "warning", "role": "alert"]) { html in
            html.tag("p") { html in
                html.tag("a", ["href": "/page/jobs/\(job)"], "This book is being added")
                html.text(" already.")
            }
            Self.writeCopy(&html)
        }
    }

    private static func writeCopy(_ html: inout HTML) {
        FormInput.check("checkbox", "again", "This is another copy. Add it anyway.", &html)
    }

    private static func input(_ name: String, _ label: String, _ value: String, _ html: inout HTML) {
        html.tag("label", ["for": name], label)
        html.open(
            "input",
            [
                "id": name, "name": name, "value": value, "maxlength": "1000", "dir": "auto",
                "autocomplete": "off",
            ])
    }
}
