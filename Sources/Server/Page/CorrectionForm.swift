import Queries
import Store

/// A form that corrects one field of a book.
struct CorrectionForm {
    /// The fields that can be corrected, because it is certain to which row they belong.
    var fields: [EditableField]
    /// The book, as links name it.
    var id: String
    /// The library whose book it is, if somebody who sees several has named it.
    var library: String?
    /// Whether catalogs or services are asked about another ISBN.
    var looksUp = false
    /// The last input, if it is invalid.
    var entered: (field: String, value: String)?
    /// Why it cannot be used.
    var refusal: String?

    func write(_ html: inout HTML) {
        guard !fields.isEmpty else { return }
        if let refusal { html.tag("p", ["class": "failure", "role": "alert"], refusal) }
        html.tag("details", ["open": entered == nil ? nil : ""]) { html in writeForm(&html) }
    }

    private func writeForm(_ html: inout HTML) {
        html.tag("summary", "Correct this book")
        html.tag("form", ["method": "post", "action": "/page/book", "class": "choices"]) { html in
            FormInput.hidden([("id", id)] + (library.map { [("library", $0)] } ?? []), &html)
            FormInput.select(
                "field", "Field", fields.map { ($0.name, Self.label($0)) },
                chosen: entered?.field, &html)
            html.tag("label", ["for": "value"], "New value")
            html.open(
                "input",
                ["id": "value", "name": "value", "value": entered?.value ?? "", "aria-describedby": "lists"])
            html.tag(
                "p", ["class": "hint", "id": "lists"],
                "Separate several names or shelves with semicolons. Without a value the field is cleared. Imports do not change it again."
                    + (looksUp ? " The edition with another ISBN is looked up." : "")
            )
            html.tag("button", "Save")
        }
    }

    private static func label(_ field: EditableField) -> String {
        field == .isbn ? "ISBN: another edition" : PageText.words(of: field.name)
    }
}
