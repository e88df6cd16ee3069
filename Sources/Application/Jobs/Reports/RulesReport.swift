import Contract
package import Syntax

/// The output of `etl rules … --json`. The text is a file of rules.
package enum RulesReport: JSONObject, Sendable, Hashable {
    /// The rules that a library remembers now; without a text if there are none.
    case remembered(library: String, count: Int, text: String?)
    /// Rules that are proposed for a number of books. In the text, those that are not certain are comments.
    case proposed(books: Int, certain: Int, uncertain: Int, text: String)

    /// Writes the fields of the object.
    package func writeFields(into out: inout JSONWriter) {
        switch self {
        case .remembered(let library, let count, let text):
            out.field("library", library)
            out.field("rules", count)
            out.field("text", text)
        case .proposed(let books, let certain, let uncertain, let text):
            out.field("books", books)
            out.field("rules", certain)
            out.field("uncertain", uncertain)
            out.field("text", text)
        }
    }
}
