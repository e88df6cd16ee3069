import Contract
package import Syntax

/// The output of `etl similar --json`.
extension SimilarBooks.Answer: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("to", asked.work.id)
        out.field("title", asked.work.title)
        out.field("similar", books)
    }
}

extension SimilarBook: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("key", book.work.id)
        out.field("book", book.flat)
        out.field("similarity", (similarity * 10_000).rounded() / 10_000)
        out.field("inLibrary", isInLibrary)
        out.field("shared", shared)
    }
}

extension SharedTraits: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("genres", genres)
        out.field("authors", authors)
        out.field("topics", topics)
        out.field("era", era)
        out.field("region", region)
    }
}
