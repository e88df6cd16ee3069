package import Syntax

/// A book as the views of before v3.2 show it: `title`, `author` and `isbn` as single texts, always there.
/// What ``BookDTO`` knows beyond them follows.
package struct ParsedBook: Sendable, Hashable {
    package var book: BookDTO

    package init(_ book: BookDTO) { self.book = book }
}

extension ParsedBook: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("title", book.title)
            out.field("author", book.authors.first ?? "")
            out.field("isbn", book.isbn)
            book.writeDetails(into: &out)
        }
    }
}
