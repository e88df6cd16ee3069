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
    }

    /// The statuses that a book can get, as imports know them and in words.
    static let shelves: [(value: String, text: String)] =
        [("", "No reading status")]
        + ReadingStatus.allCases.map { ($0.rawValue, EntryPanel.words($0.rawValue)) }

    var entered = Entered()
    /// Why the input cannot be used; nil if nothing was sent yet.
    var refusal: String?
    /// Whether the user may choose the library.
    var choosesLibrary: Bool
    var viewer: PageViewer

    func document() -> [UInt8] {
        PageFrame(title: "Add a book", place: .library, viewer: viewer).document { html in
            if let refusal { html.tag("p", ["class": "failure", "role": "alert"], refusal) }
            html.tag("form", ["method": "post", "action": "/page/add", "class": "choices"]) { html in
                Self.input("isbn", "ISBN, with or without hyphens", entered.isbn, &html)
                // Shown by the script where the browser can read barcodes.
                html.tag("div", ["class": "buttons", "data-scan": "isbn", "hidden": ""]) { html in
                    html.tag("button", ["type": "button", "class": "quiet"], "Scan the barcode")
                    html.tag("p", ["class": "hint", "role": "status"], "")
                }
                html.tag("p", ["class": "hint"], "A book without an ISBN: write its title and author.")
                Self.input("title", "Title", entered.title, &html)
                Self.input("author", "Author", entered.author, &html)
                FormInput.select("shelf", "Status", Self.shelves, chosen: entered.shelf, &html)
                if choosesLibrary {
                    Self.input(
                        "library", "Library",
                        entered.library.isEmpty ? JobOptions.defaultLibrary : entered.library, &html)
                }
                html.tag("button", "Add")
            }
        }
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
